/** The three answers that stand first: what happened, why, and what would have prevented it. */
import { useState } from "preact/hooks";
import { clockText } from "./clockText.ts";
import { type Asks, AskWhat, Decided } from "./decided.tsx";
import type { PageLog } from "./pageLog.ts";
import { numberWidth } from "./panels.tsx";
import { type Plays, Prevented } from "./variants.tsx";
import {
  type BesideRow,
  ORIGIN_LINKS,
  type ViewBeside,
  type ViewChain,
  type ViewLink,
  type ViewPlace,
} from "./viewData.ts";
import type { Run } from "./viewState.ts";

interface AnswersProps {
  readonly log: PageLog;
  readonly place: number;
  readonly onJump: (place: number) => void;
  readonly onTime: (ms: number) => void;
}

interface AnswersOfOne extends AnswersProps {
  readonly plays: Plays | null;
  readonly asks: Asks | null;
}

export function Answers({ log, place, onJump, onTime, plays, asks }: AnswersOfOne) {
  const { chains, variants, blame, suspects, found, marked } = log.head;
  const hasVariants = variants !== null || (plays?.all.length ?? 0) > 0;
  const hasPlaces = suspects.length + found.length + marked.length > 0;
  const isTwo = !hasVariants && !hasPlaces;
  return (
    <div class={`answers ${isTwo ? "two" : ""}`}>
      <What log={log} onTime={onTime} />
      <Why {...{ chains, log, place, onJump, asks }} />
      {hasVariants && <Prevented variants={variants} plays={plays} endMs={log.head.endMs} />}
      {hasPlaces && (
        <section aria-label="Where to look first">
          <h2>Where to look first</h2>
          <Places title="Marked by people:" places={marked} log={log} onJump={onJump} />
          <Places title="A ranking, and no verdict:" places={suspects} log={log} onJump={onJump} />
          <Places
            title="Found, by rules that are untested:"
            places={found}
            log={log}
            onJump={onJump}
          />
        </section>
      )}
      {blame !== null && <Decided {...{ blame, log, place, onJump }} />}
    </div>
  );
}

/** Characters of what is said of a delivery that are shown here; all of it stands in the panel of its event. */
const SAYS_MOST = 240;

const brief = (says: string): string =>
  says.length > SAYS_MOST ? `${says.slice(0, SAYS_MOST)} …` : says;

interface PlacesProps extends Pick<AnswersProps, "log" | "onJump"> {
  readonly title: string;
  readonly places: readonly ViewPlace[];
}

function Places({ title, places, log, onJump }: PlacesProps) {
  if (places.length === 0) return null;
  return (
    <>
      <p class="quiet">{title}</p>
      <ol class="chain">
        {places.map(({ place, says }) => (
          <li key={`${place} ${says}`}>
            <button type="button" class="link" title={says} onClick={() => onJump(place)}>
              <time>{clockText(log.atMs(place))}</time> {brief(says)}
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

interface BesideAnswersProps extends AnswersProps {
  readonly runs: readonly Run[];
  readonly beside: ViewBeside;
  readonly onSide: (run: number, place: number) => void;
}

/** Of two runs: where they part and why, and what came out differently. */
export function BesideAnswers({ runs, beside, onSide, log, place, onJump }: BesideAnswersProps) {
  const { first, names, settings, figures } = beside;
  return (
    <div class="answers beside">
      <section aria-label="What is different">
        <h2>What is different</h2>
        {first === null ? (
          <p>Both went the same way, delivery by delivery.</p>
        ) : (
          <>
            <p>
              Both went the same way until <time>{clockText(first.atMs, true)}</time>. Then:
            </p>
            {first.sides.map((side, run) => (
              <p key={run}>
                <b>{names[run]}</b>{" "}
                {side === null ? (
                  "had ended."
                ) : (
                  <button type="button" class="link" onClick={() => onSide(run, side.place)}>
                    <time>{clockText(runs[run]?.log.atMs(side.place) ?? 0)}</time> {side.says}
                  </button>
                )}
              </p>
            ))}
            {first.origins.length > 0 && <p>It goes back to {first.origins.join(", ")}.</p>}
          </>
        )}
        {runs.map(({ log: one }, run) => (
          <div key={run}>
            <h3>{names[run]}</h3>
            {[...one.head.notes, ...one.head.summary].map((text) => (
              <p key={text}>{text.replaceAll("`", "")}</p>
            ))}
          </div>
        ))}
      </section>
      <section aria-label="Side by side">
        <h2>Side by side</h2>
        {settings.length + figures.length === 0 && <p>No setting and no figure differs.</p>}
        <table class="variants figures">
          <thead>
            <tr>
              <th aria-label="What" />
              {names.map((name, side) => (
                <th key={side}>{name}</th>
              ))}
            </tr>
          </thead>
          <BesideRows title="Set differently" rows={settings} />
          <BesideRows title="Came out differently" rows={figures} />
        </table>
      </section>
      <Why chains={log.head.chains} log={log} place={place} onJump={onJump} />
    </div>
  );
}

function BesideRows({ title, rows }: { title: string; rows: readonly BesideRow[] }) {
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr>
        <th colSpan={3} scope="rowgroup">
          <h3>{title}</h3>
        </th>
      </tr>
      {rows.map(([name, a, b, says]) => (
        <tr key={name}>
          <td>
            {name} <span class="quiet">{says}</span>
          </td>
          <td>{a}</td>
          <td>{b}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** Moments that are listed; the rest stands on the time line. */
const MOMENTS_MOST = 12;

function What({ log, onTime }: { log: PageLog; onTime: (ms: number) => void }) {
  const { head } = log;
  const moments = head.pictures
    .flatMap(({ marks, bands }) => [
      ...marks,
      ...bands.flatMap(({ label, fromMs, toMs }) => [
        { label: `${label} begins`, atMs: fromMs },
        // What lasts to the end has none that anybody saw.
        ...(toMs < head.endMs ? [{ label: `${label} ends`, atMs: toMs }] : []),
      ]),
    ])
    .sort((a, b) => a.atMs - b.atMs);
  return (
    <section aria-label="What happened">
      <h2>What happened</h2>
      {head.notes.map((note) => (
        <p class="note" key={note}>
          {note}
        </p>
      ))}
      {head.summary.map((text) => (
        <p key={text}>{text.replaceAll("`", "")}</p>
      ))}
      {head.checked !== "" && <p class="quiet">{head.checked}</p>}
      <ul class="moments">
        {moments.slice(0, MOMENTS_MOST).map(({ label, atMs }, at) => (
          // Two moments may say the same at once.
          <li key={`${atMs} ${label} ${moments.indexOf(moments[at] as (typeof moments)[number])}`}>
            <button type="button" class="link" onClick={() => onTime(atMs)}>
              <time>{clockText(atMs)}</time> {label}
            </button>
          </li>
        ))}
        {moments.length > MOMENTS_MOST && (
          <li>{moments.length - MOMENTS_MOST} more on the time line</li>
        )}
      </ul>
    </section>
  );
}

/** What begins to last at the moment of a link, as the time line calls it. */
const begunAt = ({ head, atMs }: PageLog, { place }: ViewLink): readonly string[] =>
  head.pictures
    .flatMap(({ bands }) => bands)
    .filter(({ fromMs }) => fromMs === atMs(place))
    .map(({ label }) => label);

interface WhyProps extends Pick<AnswersProps, "log" | "place" | "onJump"> {
  readonly chains: readonly ViewChain[];
  readonly asks?: Asks | null;
}

interface MomentProps extends Pick<AnswersProps, "log" | "onJump"> {
  readonly link: ViewLink | null;
}

function Moment({ link, log, onJump }: MomentProps) {
  if (link === null) return null;
  return (
    <button type="button" class="link" onClick={() => onJump(link.place)}>
      <time>{clockText(log.atMs(link.place))}</time> {link.says}
    </button>
  );
}

/** Links of a chain that are listed here; all of them stand in the panel of its event. */
const LINKS_MOST = 30;

function Why({ chains, log, place, onJump, asks = null }: WhyProps) {
  const [at, setAt] = useState(0);
  const chain = chains[at];
  if (chain === undefined) {
    return (
      <section aria-label="Why">
        <h2>Why</h2>
        <p>Nothing went wrong that could be asked about. Click anything below to see its causes.</p>
      </section>
    );
  }
  const { links, first, chosen, failures } = chain;
  const isOf = (link: ViewLink, other: ViewLink | null): boolean => link.place === other?.place;
  // Both ends tell most: where it began, and the failure.
  const steps = links
    .map((link, step) => {
      const isFar = step >= links.length - ORIGIN_LINKS;
      const number = isFar ? links.length - step : chain.length - step;
      return { link, step, number, isKept: isFar || isOf(link, first) || isOf(link, chosen) };
    })
    .filter(({ step, isKept }) => isKept || step < LINKS_MOST - ORIGIN_LINKS);
  const isOutside = first !== null && !links.some((link) => isOf(link, first));
  const tagsOf = (link: ViewLink, step: number): readonly string[] => {
    if (failures === "") return [];
    const begun = ["went wrong first", ...begunAt(log, link)].join(": ");
    return [
      ...(isOf(link, chosen) ? [`the choice behind it: ${failures}`] : []),
      ...(isOf(link, first) ? [begun] : []),
      ...(step === 0 ? ["the failure"] : []),
    ];
  };
  return (
    <section aria-label="Why">
      <h2>Why</h2>
      {chains.length > 1 && (
        <div class="chips">
          {chains.map(({ question, links: [failure] }, number) => (
            <button
              type="button"
              key={question}
              title={question}
              aria-pressed={number === at}
              onClick={() => setAt(number)}
            >
              {failure?.says ?? question}
            </button>
          ))}
        </div>
      )}
      {failures !== "" && (first === null || isOutside) && (
        <p>
          <b>What went wrong first:</b> <Moment link={first} {...{ log, onJump }} />
          {first === null && chain.title}
        </p>
      )}
      {failures !== "" && chosen === null && <p>{failures}</p>}
      <p class="quiet">From where it began on, each line because of the one above it:</p>
      <ol class="chain" style={{ paddingLeft: numberWidth(chain.length) }}>
        {steps.toReversed().map(({ link, step, number }) => {
          const tags = tagsOf(link, step);
          return (
            // Numbered as on the time line.
            <li key={link.place} value={number} class={link.place === place ? "here" : ""}>
              <button
                type="button"
                class="link"
                title={link.says}
                onClick={() => onJump(link.place)}
              >
                <time>{clockText(log.atMs(link.place))}</time> {brief(link.says)}
              </button>
              {tags.length > 0 && <b class="tag"> ◂ {tags.join("; ")}</b>}
            </li>
          );
        })}
      </ol>
      {chain.length > steps.length && (
        <p>{chain.length - steps.length} steps between them are left out.</p>
      )}
      {log.head.blame === null && log.head.asksBlame !== null && (
        <AskWhat command={log.head.asksBlame} asks={asks} />
      )}
    </section>
  );
}
