/** What stood at the cursor: the delivery with its causes and effects, letters around it, an actor's state, a model's call. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Json } from "../machines/letter.ts";
import { type Known, knownAt } from "./actorState.ts";
import { ChartPanel, pathOf } from "./chartPanel.tsx";
import { clockText } from "./clockText.ts";
import { optionsOf } from "./filters.tsx";
import type { Found } from "./found.ts";
import { isOf, type PageLog, STEPS_MOST } from "./pageLog.ts";
import type { Rows } from "./rows.ts";
import { rowWords } from "./rowText.ts";
import { FLAG, type ViewChange, type ViewRow } from "./viewData.ts";

export interface PanelProps {
  readonly log: PageLog;
  readonly rows: Rows;
  readonly place: number;
  /** Another place will be shown within a moment: only what is read in passing is. */
  readonly isMoving?: boolean;
  readonly onJump: (place: number) => void;
}

/** Rows of these places, read when they are first shown: in words, or also what they carry. */
export function useRows(rows: Rows, places: readonly number[], isWhole = false): void {
  const [, again] = useState(0);
  const key = places.join();
  useEffect(() => {
    if (rows.isHere(places, isWhole)) return undefined;
    let isWanted = true;
    rows
      .reading(places, isWhole, () => isWanted)
      .then(
        () => isWanted && again((count) => count + 1),
        () => isWanted && again((count) => count + 1),
      );
    return () => {
      isWanted = false;
    };
  }, [rows, key]);
}

const NOT_HERE = "(left out of this page)";

export const kindOf = (log: PageLog, place: number): "failed" | "wrong" | "" =>
  log.has(place, FLAG.failure) ? "failed" : log.has(place, FLAG.wrong) ? "wrong" : "";

function Jump({ log, rows, place, onJump }: PanelProps) {
  const row = rows.lately(place);
  const kind = kindOf(log, place);
  return (
    <button type="button" class={`link ${kind}`} onClick={() => onJump(place)}>
      <time>{clockText(log.atMs(place))}</time>{" "}
      {row === null ? `${log.type(place)} ${NOT_HERE}` : rowWords(log, place, row)}
    </button>
  );
}

const Jumps = ({ places, ...props }: PanelProps & { readonly places: readonly number[] }) => (
  <>
    {places.map((at) => (
      <li key={at}>
        <Jump {...props} place={at} />
      </li>
    ))}
  </>
);

/** By the seqs of deliveries that began and ended a stretch: the one that began the stretch around it, and whether that is inferred. */
const nestedIn = (log: PageLog): ReadonlyMap<number, readonly [within: number, boolean]> =>
  new Map(
    log.head.pictures.flatMap(({ nested }) =>
      nested.flatMap(([began, ended, ...around]) => [
        [began, around],
        [ended, around],
      ]),
    ),
  );

/** Room for the numbers of a list, up to this one. */
export const numberWidth = (most: number): string => `${String(most).length + 2}ch`;

/** The delivery at the cursor: why, and what came of it. */
export function EventPanel(props: PanelProps) {
  const { log, rows, place, isMoving } = props;
  const most = isMoving ? PASSING : STEPS_MOST;
  const chain = useMemo(() => log.chain(place), [log, place]);
  const came = useMemo(() => log.came(place), [log, place]);
  const facts = useMemo(() => log.facts(place), [log, place]);
  const others = facts.filter((one) => !chain.places.includes(one)).slice(0, most);
  const [links, listed] = [chain.places.slice(0, most), came.listed.slice(0, most)];
  const nested = useMemo(() => nestedIn(log), [log]);
  const [within, isInferred] = nested.get(log.seq(place)) ?? [];
  const outer = useMemo(
    () => (within === undefined ? undefined : log.placeOfSeq(within)),
    [log, within],
  );
  const around = outer === undefined ? [] : [outer];
  useRows(rows, [place, ...links, ...listed, ...others, ...around]);
  const row = rows.lately(place);
  return (
    <section class="event" aria-label="At the cursor">
      <h2>
        <b class="number">{chain.places.length + chain.more + 1}</b>{" "}
        {row === undefined ? "…" : rowWords(log, place, row)}
      </h2>
      <p class="quiet">
        {clockText(log.atMs(place), true)} · #{log.seq(place)} · {log.from(place)} → {log.to(place)}{" "}
        · {log.type(place)}
        {log.has(place, FLAG.unheard) && row ? ` · ${row.fate}` : ""}
      </p>
      {outer !== undefined && (
        <p class="within">
          Within <Jump {...props} place={outer} />
          {isInferred && <span class="quiet"> (inferred from times)</span>}
        </p>
      )}
      <h3>Why</h3>
      {chain.places.length === 0 ? (
        <p>Nothing lies behind it: it came from outside, or was there from the start.</p>
      ) : (
        <ol
          class="chain"
          style={{ paddingLeft: numberWidth(chain.places.length + chain.more) }}
          reversed
          start={chain.places.length + chain.more}
        >
          <Jumps {...props} places={links} />
        </ol>
      )}
      {chain.more > 0 && <p>{chain.more} more steps further back.</p>}
      <h3>What came of it</h3>
      {came.count === 0 ? (
        <p>Nothing that can be told goes back to it.</p>
      ) : (
        <>
          <p>
            {came.count === 1 ? "One delivery goes" : `${came.count} deliveries go`} back to it
            {came.failures > 0 ? `, ${came.failures} of them failures` : ""}.
            {came.count > came.listed.length ? ` The first ${came.listed.length}:` : ""}
          </p>
          <ul class="chain">
            <Jumps {...props} places={listed} />
          </ul>
        </>
      )}
      {others.length > 0 && (
        <>
          <h3>It also rests on</h3>
          <ul class="chain">
            <Jumps {...props} places={others} />
          </ul>
        </>
      )}
    </section>
  );
}

/** Rows on either side of the cursor. */
const AROUND = 30;
/** Of a list, while the cursor moves. */
const PASSING = 10;

/** The row at the cursor, which is brought into the middle when what stands around it changes, or has come. */
export function useHere(around: object, isWhole: boolean) {
  const here = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const row = here.current;
    const box = row?.closest(".body");
    if (row == null || box == null) return;
    box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }, [around, isWhole]);
  return here;
}

/** The letters around the cursor that fit the filter. */
export function LettersPanel({
  found,
  find,
  ...props
}: PanelProps & { readonly found: Found; readonly find: string }) {
  const { log, rows, place, isMoving, onJump } = props;
  const places = useMemo(() => {
    const most = isMoving ? PASSING : AROUND;
    const fits = (at: number): boolean => at === place || found.fits[at] === 1;
    const [before, behind]: [number[], number[]] = [[], []];
    for (let at = place - 1; at >= 0 && before.length < most; at--) if (fits(at)) before.push(at);
    for (let at = place + 1; at < log.count && behind.length < most; at++)
      if (fits(at)) behind.push(at);
    return [...before.reverse(), place, ...behind];
  }, [log, place, isMoving, found]);
  useRows(rows, places);
  // Words that come later make rows higher.
  const here = useHere(places, rows.isHere(places));
  return (
    <table class="letters">
      <caption class="unseen">Letters around the cursor</caption>
      <thead>
        <tr>
          <th>Time</th>
          <th>No.</th>
          <th>From → to</th>
          <th>What</th>
        </tr>
      </thead>
      <tbody>
        {places.map((at) => {
          const row = rows.lately(at);
          const kind = kindOf(log, at);
          return (
            <tr
              key={at}
              ref={at === place ? here : null}
              class={`${at === place ? "here" : ""} ${kind}`}
              aria-current={at === place}
              onClick={() => onJump(at)}
            >
              <td>{clockText(log.atMs(at))}</td>
              <td>#{log.seq(at)}</td>
              <td>
                {log.from(at)} → {log.to(at)}
              </td>
              <td>
                {kind === "failed" ? "✕ " : kind === "wrong" ? "! " : ""}
                {row === undefined ? (
                  "…"
                ) : row === null ? (
                  `${log.type(at)} ${NOT_HERE}`
                ) : (
                  <Marked text={rowWords(log, at, row)} find={find} />
                )}
                {row?.says === undefined ? null : <span class="quiet"> {log.type(at)}</span>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The text with what was looked for in it set off. */
function Marked({ text, find }: { readonly text: string; readonly find: string }) {
  const at = find === "" ? -1 : text.toLowerCase().indexOf(find.toLowerCase());
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + find.length)}</mark>
      {text.slice(at + find.length)}
    </>
  );
}

const jsonText = (value: Json | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 1);

/** Characters of one value; the rest is counted. */
const VALUE_MOST = 4_000;

const cut = (text: string): string =>
  text.length <= VALUE_MOST
    ? text
    : `${text.slice(0, VALUE_MOST)} … ${text.length - VALUE_MOST} more characters`;

/** An actor as the log knows it at the cursor, and what this delivery changed. */
export function StatePanel(
  props: PanelProps & { readonly actor: string | null; readonly onActor: (actor: string) => void },
) {
  const { log, rows, place, onActor, onJump } = props;
  const name = log.actorAt(place);
  const isHis = name !== null && !isOf(log.to(place), name);
  const actor = props.actor ?? (isHis ? log.from(place) : log.to(place));
  const last = log.lastTo(actor, place);
  const [known, setKnown] = useState<{
    readonly of: string;
    readonly known: Known | undefined;
  } | null>(null);
  useRows(rows, last === undefined ? [] : [last], true);
  const actors = useMemo(() => actorsOf(log), [log]);
  const key = `${actor} ${last}`;
  useEffect(() => {
    if (last === undefined) return undefined;
    let isWanted = true;
    void knownAt(log, rows, actor, last, () => isWanted).then((found) => {
      if (isWanted) setKnown({ of: key, known: found });
    });
    return () => {
      isWanted = false;
    };
  }, [log, rows, actor, last, key]);
  const row = last === undefined ? undefined : rows.lately(last, true);
  const entries =
    known?.of === key && known.known !== undefined
      ? Object.entries(known.known.context as object)
      : [];
  const touched = new Set((row?.changes ?? []).map(({ path }) => path[0]));
  return (
    <div class="state">
      <label>
        Actor{" "}
        <select value={actor} onChange={(event) => onActor(event.currentTarget.value)}>
          {optionsOf(actors, actor)}
        </select>
      </label>
      {last === undefined ? (
        <p>Nothing was delivered to {actor} up to this moment.</p>
      ) : (
        <>
          <p>
            State <b class="lit">{row ? pathOf(row.after) : "…"}</b> since{" "}
            <button type="button" class="link" onClick={() => onJump(last)}>
              <time>{clockText(log.atMs(last))}</time> {row ? rowWords(log, last, row) : ""}
            </button>
            {row && jsonText(row.before) !== jsonText(row.after) && (
              <span class="quiet"> (before: {pathOf(row.before)})</span>
            )}
          </p>
          <ChartPanel rows={rows} machine={log.machineOf(actor, last)} place={last} row={row} />
          <Changes row={row} />
          <h3>What it knew then</h3>
          {known?.of !== key ? (
            <p>Putting its changes together …</p>
          ) : known.known === undefined ? (
            <p>Too many deliveries reached it to put its state together on a page.</p>
          ) : (
            <>
              {known.known.isPartial && (
                <p class="note">Some of its changes are left out of this page.</p>
              )}
              {entries.length === 0 && <p>Nothing but its state.</p>}
              <table class="context">
                <tbody>
                  {entries.map(([name, value]) => (
                    <tr key={name} class={touched.has(name) ? "here" : ""}>
                      <th scope="row">{name}</th>
                      <td>
                        <pre>{cut(jsonText(value as Json))}</pre>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          )}
        </>
      )}
    </div>
  );
}

/** Whoever was written to. */
const actorsOf = (log: PageLog): readonly string[] => {
  const all = new Set(log.columns.to);
  return [...all].map((one) => log.head.addresses[one] ?? "");
};

function Changes({ row }: { readonly row: ViewRow | null | undefined }) {
  if (row?.event === undefined)
    return row == null ? null : <p class="quiet">Its changes are left out of this page.</p>;
  const changes = row.changes ?? [];
  if (changes.length === 0)
    return <p class="quiet">This delivery changed nothing that it knows.</p>;
  return (
    <details open>
      <summary>What this delivery changed ({changes.length})</summary>
      <ul class="changes">
        {changes.slice(0, STEPS_MOST).map((change, at) => (
          // Changes have no names of their own.
          <li key={at}>
            <code>{change.path.join(".") || "all of it"}</code> {changeText(change)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function changeText({ to, removed, appended }: ViewChange): string {
  if (removed) return "is gone";
  return appended === undefined
    ? `is now ${cut(jsonText(to)).slice(0, 400)}`
    : `goes on: ${appended.slice(0, 400)}`;
}

/** The question to a model at or before the cursor, and its answer, side by side. */
export function ModelPanel(props: PanelProps & { readonly actor: string | null }) {
  const { log, rows, place, actor, onJump } = props;
  useRows(rows, [place]);
  const of = rows.lately(place)?.re;
  const asked = log.has(place, FLAG.asked)
    ? place
    : of !== undefined && log.has(of, FLAG.asked)
      ? of
      : log.lastAsked(actor, place);
  useRows(rows, asked === undefined ? [] : [asked], true);
  if (asked === undefined) {
    return <p>No model was asked{actor === null ? "" : ` by ${actor}`} up to this moment.</p>;
  }
  const call = rows.lately(asked, true)?.call;
  if (call === undefined) return <p>…</p>;
  const { answerPlace } = call;
  const facts = [
    call.model ?? "nobody",
    call.came + (call.why === null ? "" : `: ${call.why}`),
    ...(call.latencyMs === null ? [] : [`${call.latencyMs} ms`]),
    ...(call.promptTokens === null
      ? []
      : [`${call.promptTokens} + ${call.answerTokens ?? 0} tokens`]),
  ];
  return (
    <div class="model">
      <p>
        <button type="button" class="link" onClick={() => onJump(asked)}>
          <time>{clockText(log.atMs(asked))}</time> {log.from(asked)} asked for {call.purpose} (call{" "}
          {call.nth})
        </button>{" "}
        <span class="quiet">{facts.join(" · ")}</span>
      </p>
      <div class="sides">
        <figure>
          <figcaption>Prompt</figcaption>
          <pre>{shownText(call.prompt, "This version words the prompt differently.")}</pre>
        </figure>
        <figure>
          <figcaption>
            Answer{" "}
            {answerPlace !== null && (
              <button type="button" class="link" onClick={() => onJump(answerPlace)}>
                <time>{clockText(log.atMs(answerPlace))}</time>
              </button>
            )}
          </figcaption>
          <pre>{shownText(call.answer, "None was heard in this run.")}</pre>
        </figure>
      </div>
    </div>
  );
}

const shownText = (text: string | null | undefined, none: string): string =>
  text === undefined ? "Left out of this page." : (text ?? none);

/** All that the log says of one delivery. */
export function RawPanel({ log, rows, place }: PanelProps) {
  useRows(rows, [place], true);
  const row = rows.lately(place, true);
  if (row == null) return <p>{row === null ? NOT_HERE : "…"}</p>;
  const { event, fate, before, after } = row;
  const text = JSON.stringify(
    {
      ...{ seq: log.seq(place), type: log.type(place), from: log.from(place), to: log.to(place) },
      ...{ fate, before, after, event },
    },
    null,
    2,
  );
  return (
    <pre>
      {text.length > 200_000
        ? `${text.slice(0, 200_000)} … ${text.length - 200_000} more characters`
        : text}
    </pre>
  );
}
