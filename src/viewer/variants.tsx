/** What would have prevented it: a run beside its variants, each of which a click opens, and plays before where nobody did. */
import { useState } from "preact/hooks";
import { clockText } from "./clockText.ts";
import type { ViewPlays, ViewVariant, ViewVariants } from "./viewData.ts";

export interface Plays extends ViewPlays {
  /** Hears of the virtual time while it plays; rejects with why it cannot be opened. */
  readonly open: (variant: ViewVariant, onMs: (virtualMs: number) => void) => Promise<void>;
}

/** Up to this share of what went wrong in the run itself, a variant counts as one that prevents it. */
const PREVENTS = 0.1;
/** Ours: shares are quotients of counts, which differ by more than this where they differ. */
const ROUNDING = 1e-9;

interface PreventedProps {
  readonly variants: ViewVariants | null;
  readonly plays: Plays | null;
  readonly endMs: number;
}

/** What a row comes to, and its heading; without one, the run as it was, and where no part says what went wrong. */
const FATES = [
  ["", ""],
  ["remedy", "Prevents the failures:"],
  [
    "counterfactual",
    "Prevents the failures, but is no remedy: something that happened, or was chosen, is left out of the world.",
  ],
  ["useless", "Does not prevent the failures:"],
] as const;
type Fate = (typeof FATES)[number][0];

export function Prevented({ variants, plays, endMs }: PreventedProps) {
  const { head = [], rows = [] } = variants ?? {};
  const was = rows[0]?.wrong ?? null;
  const last = head.length - 1;
  const rowNames = new Set(rows.map(({ cells }) => cells[0]));
  const all = plays?.all ?? [];
  const others = all.filter(({ name }) => !rowNames.has(name));
  const title = variants?.title ?? plays?.title ?? "";
  const [button, says] = usePlays(plays, endMs);
  const variantOf = (name = "") => all.find((one) => one.name === name);
  const fateOf = ({ cells, wrong }: ViewVariants["rows"][number], at: number): Fate => {
    if (at === 0 || was === null || was === 0 || wrong === null) return "";
    if (wrong - was * PREVENTS > ROUNDING) return "useless";
    return variantOf(cells[0])?.isSetting === false ? "counterfactual" : "remedy";
  };
  const fates = rows.map(fateOf);
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {rows.length > 0 && (
        <p class="quiet">
          The same world once more, with something changed.{" "}
          {fates.some((fate) => fate !== "") &&
            "What prevents the failures leaves at most a tenth of them. "}
          This table stands beside the run, and is no part of its sealed log.
        </p>
      )}
      {rows.length > 0 && (
        <table class="variants">
          <thead>
            <tr>
              {head.slice(0, last).map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          {FATES.flatMap(([fate, heading]) => {
            const found = rows.filter((_, at) => fates[at] === fate);
            return [
              found.length > 0 && heading !== "" && (
                <tbody key={heading}>
                  <tr>
                    <th colSpan={last} scope="rowgroup">
                      {heading}
                    </th>
                  </tr>
                </tbody>
              ),
              ...found.map(({ cells, wrong }) => (
                <tbody key={cells[0]} class={fate}>
                  <tr>
                    {cells.slice(0, last).map((cell, column) => (
                      <td key={head[column]}>
                        {column === 1 && wrong !== null && (
                          <span class="share" aria-hidden="true">
                            <i style={{ width: `${Math.round(wrong * 100)}%` }} />
                          </span>
                        )}
                        {column === 0 && fate !== "" && (
                          <span>{fate === "useless" ? "✕ " : "✓ "}</span>
                        )}
                        {cell}
                      </td>
                    ))}
                  </tr>
                  {(cells[last] !== "" || button(cells[0]) !== null) && (
                    <tr class="why">
                      <td colSpan={last}>
                        {button(cells[0])} {cells[last]} {variantOf(cells[0])?.change}
                      </td>
                    </tr>
                  )}
                </tbody>
              )),
            ];
          })}
        </table>
      )}
      {says !== "" && (
        <p class="note" role="status">
          {says}
        </p>
      )}
      {others.length > 0 && (
        <>
          <p>
            These were not played: whether one of them prevents it is not known. {plays?.refusal}
          </p>
          <table class="variants">
            {others.map(({ name, why, change }) => (
              <tbody key={name}>
                <tr>
                  <td>{name}</td>
                </tr>
                <tr class="why">
                  <td>
                    {button(name)} {why} {change}
                  </td>
                </tr>
              </tbody>
            ))}
          </table>
        </>
      )}
    </section>
  );
}

/** The button of a row, and what is said of the one that plays. */
function usePlays(plays: Plays | null, endMs: number) {
  const [playing, setPlaying] = useState<string | null>(null);
  const [says, setSays] = useState("");
  const open = (variant: ViewVariant): void => {
    const { name, isThere } = variant;
    setPlaying(name);
    setSays(isThere ? "" : `Playing ${name} …`);
    plays
      ?.open(variant, (ms) =>
        setSays(`Playing ${name}: ${clockText(ms)} of ${clockText(endMs)} of virtual time`),
      )
      .catch((error: unknown) =>
        setSays(`${name} was not played: ${error instanceof Error ? error.message : error}`),
      )
      .finally(() => setPlaying(null));
  };
  const button = (name = "") => {
    const variant = plays?.all.find((one) => one.name === name);
    if (variant === undefined || (!variant.isThere && plays?.refusal !== "")) return null;
    const does = variant.isThere ? "Show beside this run" : "Play beside this run";
    return (
      <button
        type="button"
        class="play"
        aria-label={`${does}: ${name}`}
        title={does}
        disabled={playing !== null}
        onClick={() => open(variant)}
      >
        {playing === name ? "…" : variant.isThere ? "compare ▸" : "play ▸"}
      </button>
    );
  };
  return [button, says] as const;
}
