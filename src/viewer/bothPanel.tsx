/** Two runs around one moment: what both did stands once, what one of them did alone stands on its side. */
import { useMemo } from "preact/hooks";
import { clockText } from "./clockText.ts";
import type { PageLog } from "./pageLog.ts";
import { kindOf, useHere, useRows } from "./panels.tsx";
import { rowWords } from "./rowText.ts";
import { FLAG } from "./viewData.ts";
import type { Run } from "./viewState.ts";

/** Deliveries on either side of the cursor, of each run. */
const AROUND = 30;

/** A place on either side; null where that run has no such delivery at this time. */
type Pair = readonly [a: number | null, b: number | null];

/** Those told around a moment, in the order of time. */
function around(log: PageLog, ms: number): readonly number[] {
  const isTold = (at: number): boolean => log.has(at, FLAG.told);
  const middle = log.placeAt(ms);
  const places = new Set(isTold(middle) ? [middle] : []);
  for (const by of [-1, 1] as const) {
    for (let at = middle, count = 0; count < AROUND; count++) {
      at = log.step(at, by, isTold);
      if (isTold(at)) places.add(at);
    }
  }
  return [...places].sort((x, y) => x - y);
}

export function pairsAround(a: PageLog, b: PageLog, ms: number): readonly Pair[] {
  const [left, right] = [[...around(a, ms)], [...around(b, ms)]];
  const pairs: Pair[] = [];
  for (let [x] = left, [y] = right; x !== undefined || y !== undefined; [x] = left, [y] = right) {
    const first = x === undefined ? Number.POSITIVE_INFINITY : a.atMs(x);
    const second = y === undefined ? Number.POSITIVE_INFINITY : b.atMs(y);
    const isAlone = (log: PageLog, at: number | undefined): boolean =>
      at !== undefined && log.has(at, FLAG.differs);
    const isBoth = first === second && !isAlone(a, x) && !isAlone(b, y);
    const isLeft = isBoth || first < second || (first === second && isAlone(a, x));
    const isRight = isBoth || !isLeft;
    pairs.push([
      isLeft ? (left.shift() as number) : null,
      isRight ? (right.shift() as number) : null,
    ]);
  }
  return pairs;
}

interface BothPanelProps {
  readonly runs: readonly Run[];
  readonly names: readonly [string, string];
  readonly atMs: number;
  readonly chosen: { readonly run: number; readonly place: number };
  readonly onJump: (run: number, place: number) => void;
}

export function BothPanel({ runs, names, atMs, chosen, onJump }: BothPanelProps) {
  const [a, b] = runs as readonly [Run, Run];
  const pairs = useMemo(() => pairsAround(a.log, b.log, atMs), [a.log, b.log, atMs]);
  const placesOf = (side: 0 | 1): number[] =>
    pairs.flatMap((pair) => (pair[side] === null ? [] : [pair[side]]));
  const [ofA, ofB] = [placesOf(0), placesOf(1)];
  useRows(a.rows, ofA);
  useRows(b.rows, ofB);
  const now = pairs.findLastIndex(
    ([x, y]) => Math.max(x === null ? 0 : a.log.atMs(x), y === null ? 0 : b.log.atMs(y)) <= atMs,
  );
  const here = useHere(pairs, a.rows.isHere(ofA) && b.rows.isHere(ofB));
  return (
    <table class="both">
      <caption class="unseen">Both runs around the cursor</caption>
      <thead>
        <tr>
          <th>Time</th>
          {names.map((name, side) => (
            <th key={side}>{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pairs.map((pair, at) => {
          const side = pair[0] === null ? 1 : 0;
          const { log } = side === 0 ? a : b;
          return (
            <tr
              key={pair.join()}
              ref={at === now ? here : null}
              class={at === now ? "here" : ""}
              aria-current={at === now}
            >
              <td>
                <time>{clockText(log.atMs(pair[side] ?? 0))}</time>
              </td>
              {runs.map((run, number) => (
                <Side
                  key={number}
                  {...{ run, onJump, number }}
                  place={pair[number as 0 | 1]}
                  isBoth={pair[0] !== null && pair[1] !== null}
                  isChosen={chosen.run === number && chosen.place === pair[number as 0 | 1]}
                />
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface SideProps extends Pick<BothPanelProps, "onJump"> {
  readonly run: Run;
  readonly number: number;
  readonly place: number | null;
  readonly isBoth: boolean;
  readonly isChosen: boolean;
}

function Side({ run: { log, rows }, number, place, isBoth, isChosen, onJump }: SideProps) {
  if (place === null) return <td class="none" />;
  const kind = kindOf(log, place);
  return (
    <td class={`${isBoth ? "" : "alone"} ${isChosen ? "strong" : ""}`}>
      <button type="button" class={`link ${kind}`} onClick={() => onJump(number, place)}>
        {kind === "failed" ? "✕ " : kind === "wrong" ? "! " : ""}
        {rowWords(log, place, rows.lately(place))}
      </button>
    </td>
  );
}
