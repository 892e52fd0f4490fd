/** The figures of coverageOf.ts and coverageExact.ts as tables, as docs/studies-coverage.md holds them. */
import { markdownTable } from "markdown-table";
import { newcombeHeld, plainHeld, WILSON_SHARES, wilsonHeld } from "./coverageExact.ts";
import {
  ACROSS,
  acrossHeld,
  BASE_ROWS,
  DATA,
  type Data,
  type Held,
  pairedHeld,
  proportionHeld,
  type RowsKind,
  SHARES,
  STOPPED_AT,
  sobolHeld,
  stoppedHeld,
} from "./coverageOf.ts";

const SIZES = [30, 100] as const;
/** What is asked of an interval of 95 %. */
const [LEAST, MOST] = [0.93, 0.97];

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The first so many columns hold words. */
const tableOf = (words: number, head: readonly string[], rows: readonly string[][]): string =>
  markdownTable([[...head], ...rows], { align: head.map((_, at) => (at < words ? "l" : "r")) });

const cells = ({ held, above, below }: Held): string[] => [held, above, below].map(percent);

/** Differences and shares of n replicates. */
export function fixedTable(studies: number): string {
  const exact = (data: Data, n: number) => (data === "Bernoulli" ? percent(newcombeHeld(n)) : "");
  const differences = DATA.flatMap((data) =>
    SIZES.map((n) => [
      `paired difference, ${data === "Bernoulli" ? "Newcombe" : "t"}`,
      data,
      `${n}`,
      ...cells(pairedHeld(data, n, studies)),
      exact(data, n),
    ]),
  );
  const shares = DATA.flatMap((data) =>
    SIZES.map((n) => [
      "proportion, Wilson",
      `${data}, share ${SHARES[data]}`,
      `${n}`,
      ...cells(proportionHeld(data, n, studies)),
      percent(wilsonHeld(SHARES[data], n)),
    ]),
  );
  const head = ["interval", "data", "n", "held", "too high", "too low", "exactly"];
  return tableOf(2, head, [...differences, ...shares]);
}

/** Wilson's interval over all shares. */
export function wilsonTable(): string {
  const rows = SIZES.map((n) => {
    const all = WILSON_SHARES.map((share) => ({ share, held: wilsonHeld(share, n) }));
    const sorted = all.toSorted((a, b) => a.held - b.held);
    const said = (one: (typeof all)[number] | undefined) =>
      one === undefined ? "" : `${percent(one.held)} at ${one.share.toFixed(2)}`;
    const within = all.filter(({ held }) => held >= LEAST && held <= MOST).length / all.length;
    const mean = all.reduce((sum, { held }) => sum + held, 0) / all.length;
    return [`${n}`, percent(mean), said(sorted[0]), said(sorted.at(-1)), percent(within)];
  });
  return tableOf(0, ["n", "mean", "least", "most", "of shares within 93–97 %"], rows);
}

/** Shares of what seldom happens, and their differences. */
export function rareTable(): string {
  const sizes = [10, 30] as const;
  const row = (what: string, held: (n: number) => number) => [
    what,
    ...sizes.map((n) => percent(held(n))),
  ];
  const rows = [
    ...[0.01, 0.02, 0.05].map((share) =>
      row(`share ${share}, Wilson`, (n) => wilsonHeld(share, n)),
    ),
    ...(
      [
        [0.01, 0.05],
        [0.05, 0.05],
        [0.05, 0.1],
      ] as const
    ).map(([baseline, point]) =>
      row(`${point} less ${baseline}, Newcombe`, (n) => plainHeld(baseline, point, n)),
    ),
  ];
  return tableOf(1, ["interval", ...sizes.map((n) => `n = ${n}`)], rows);
}

/** What is no mean: its value and paired difference of n replicates, and the difference where a stop rule ends it. */
export function acrossTable(studies: number): string {
  const names = Object.keys(ACROSS) as (keyof typeof ACROSS)[];
  const rows = names.flatMap((name) => {
    const { value, difference, stopped, replicates } = acrossHeld(name, 100, studies);
    return [
      [name, "value", "100", ...cells(value)],
      [name, "paired difference", "100", ...cells(difference)],
      [
        name,
        `paired difference, stopped at ± ${ACROSS[name].halfWidth}`,
        replicates.toFixed(0),
        ...cells(stopped),
      ],
    ];
  });
  return tableOf(2, ["of the runs", "what", "n", "held", "too high", "too low"], rows);
}

/** Indices of Sobol studies. */
export function sobolTable(studies: number): string {
  const kinds: readonly RowsKind[] = ["random", "scrambled"];
  const rows = kinds.flatMap((kind) =>
    DATA.flatMap((data) => {
      const found = SIZES.map((n) => sobolHeld(data, n, kind, studies));
      return (["S1", "ST"] as const).map((index) => [
        `\`${index}_conf\``,
        `${BASE_ROWS} ${kind} rows`,
        data,
        ...found.map((one) => percent(one[index].held)),
        ...found.map((one) => one[index].width.toFixed(2)),
      ]);
    }),
  );
  const of = (what: string) => SIZES.map((n) => `${what}, n = ${n}`);
  return tableOf(3, ["interval", "design", "data", ...of("held"), ...of("width")], rows);
}

/** Studies that a stop rule ended. */
export function stoppedTable(studies: number): string {
  const rows = DATA.map((data) => {
    const found = stoppedHeld(data, studies);
    return [data, `${STOPPED_AT[data]}`, found.replicates.toFixed(0), ...cells(found)];
  });
  const head = ["paired difference", "`halfWidth`", "replicates", "held", "too high", "too low"];
  return tableOf(1, head, rows);
}
