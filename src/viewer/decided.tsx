/** What decided: each suspect with a lane from when it came first and its effect; and asking for it. */
import { useState } from "preact/hooks";
import { clockText } from "./clockText.ts";
import type { PageLog } from "./pageLog.ts";
import type { ViewAsks, ViewBlame, ViewBlamed } from "./viewData.ts";

interface DecidedProps {
  readonly blame: ViewBlame;
  readonly log: PageLog;
  readonly place: number;
  readonly onJump: (place: number) => void;
}

export function Decided({ blame, ...props }: DecidedProps) {
  const { outcome, head, ranking, notes, closing } = blame;
  const [deciding, others] = [true, false].map((is) => ranking.filter((one) => one.decides === is));
  return (
    <section class="decided" aria-label="What decided">
      <h2>What decided: {outcome}</h2>
      <p>{head}</p>
      <Suspects {...props} all={deciding ?? []} />
      {notes.map((text) =>
        text.includes("|") ? <pre key={text}>{text}</pre> : <p key={text}>{text}</p>,
      )}
      <details>
        <summary>{others?.length} more suspects, whose effect cannot be told from chance</summary>
        <Suspects {...props} all={others ?? []} />
      </details>
      <p class="quiet">{closing} The seal of the bundle does not vouch for this.</p>
    </section>
  );
}

const share = (part: number): string => `${Math.min(100, Math.max(0, part * 100))}%`;

type SuspectsProps = Omit<DecidedProps, "blame"> & { readonly all: readonly ViewBlamed[] };

function Suspects({ all, log, place: here, onJump }: SuspectsProps) {
  if (all.length === 0) return <p>None.</p>;
  return (
    <table class="variants suspects">
      <thead>
        <tr>
          {["Changed", "From when it came first", "Still there", "Effect"].map((name) => (
            <th key={name}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {all.map(({ says, first, atMs, place, behind, still, effect, bar }) => (
          <tr key={says} class={place === here ? "here" : ""}>
            <td>
              {place === null || place >= log.count ? (
                says
              ) : (
                <button type="button" class="link" onClick={() => onJump(place)}>
                  <time>{clockText(atMs)}</time> {says}
                </button>
              )}
              <small>{behind === "" ? first : `${first}, behind ${behind}`}</small>
            </td>
            <td>
              <span class="lane" aria-hidden="true">
                <i style={{ left: share(atMs / Math.max(1, log.head.endMs)) }} />
              </span>
            </td>
            <td>{still}</td>
            <td>
              {bar !== null && (
                <span class="share effect" aria-hidden="true">
                  <i style={{ width: share(bar[0]) }} />
                  <b style={{ left: share(bar[1]), right: share(1 - bar[2]) }} />
                </span>
              )}
              {effect}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface Asks extends ViewAsks {
  /** Hears how far it is; rejects with why it cannot be told. */
  readonly ask: (keep: boolean, onSays: (says: string) => void) => Promise<void>;
}

interface AskWhatProps {
  readonly command: string;
  /** Null where the page cannot ask. */
  readonly asks: Asks | null;
}

export function AskWhat({ command, asks }: AskWhatProps) {
  const [says, setSays] = useState("");
  const [keep, setKeep] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const ask = (): void => {
    setAsked(true);
    setSays("Asking …");
    asks
      ?.ask(keep, setSays)
      .catch((error: unknown) =>
        setSays(`It was not told: ${error instanceof Error ? error.message : error}`),
      )
      .finally(() => setAsked(false));
  };
  return (
    <>
      <p class="quiet">
        Which of these decided?{" "}
        {asks !== null && (
          <button type="button" class="ask" disabled={isAsked} onClick={ask}>
            ask ▸
          </button>
        )}{" "}
        {says === "" ? (
          <>
            <code>{command}</code> leaves the answer on this page.
          </>
        ) : (
          // In place of the command: what stands below may be out of sight.
          <b role="status">{says}</b>
        )}
      </p>
      {asks?.canKeep && (
        <label class="quiet ask">
          <input
            type="checkbox"
            checked={keep}
            disabled={isAsked}
            onChange={({ currentTarget }) => setKeep(currentTarget.checked)}
          />{" "}
          and keep it in the bundle
        </label>
      )}
    </>
  );
}
