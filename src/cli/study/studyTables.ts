/** Tables of a study that fit the terminal: all outcomes side by side, else a block for each. */
import { markdownTable } from "markdown-table";

export interface Column {
  readonly head: string;
  /** One for each row. */
  readonly cells: readonly string[];
  readonly align?: "l";
}

export interface Block {
  readonly columns: readonly Column[];
}

interface Asked {
  readonly width: number;
  /** What a row is: its number comes first, then its settings, which lead a path of the policy each. */
  readonly number: Column;
  readonly settings: readonly Column[];
  readonly more: readonly Column[];
  readonly blocks: readonly Block[];
}

export const tableOf = (columns: readonly Column[]): string => {
  const rows = (columns[0]?.cells ?? []).map((_, row) => columns.map(({ cells }) => cells[row]));
  return markdownTable([columns.map(({ head }) => head), ...rows], {
    align: columns.map(({ align = "r" }) => align),
  });
};

const fits = (text: string, width: number): boolean =>
  text.split("\n").every((line) => line.length <= width);

/** The first way that fits: one table; a block for each outcome; the same with short names; settings apart. */
export function fittedTables({ width, number, settings, more, blocks }: Asked): readonly string[] {
  const whole = tableOf([
    ...[number, ...settings, ...more],
    ...blocks.flatMap(({ columns }) => columns),
  ]);
  if (fits(whole, width)) return [whole];
  const names = shortNames(settings.map(({ head }) => head));
  const short = settings.map((one, at) => ({ ...one, head: names[at] ?? one.head }));
  const legend = settings.flatMap(({ head }, at) =>
    names[at] === head ? [] : [`${names[at]} is ${head}.`],
  );
  const blocksWith = (lead: readonly Column[]): readonly string[] =>
    blocks.map(({ columns }) => tableOf([...lead, ...columns]));
  const spaced = (all: readonly string[]): readonly string[] =>
    all.flatMap((one, at) => (at === 0 ? [one] : ["", one]));
  for (const [own, said] of [
    [settings, []],
    [short, legend],
  ] as const) {
    const told = blocksWith([number, ...own, ...more]);
    if (told.every((one) => fits(one, width))) return [...spaced(told), ...spread(said)];
  }
  // Without settings a table of them would hold numbers alone.
  const points = settings.length === 0 ? [] : [tableOf([number, ...short]), ...spread(legend), ""];
  return [...points, ...spaced(blocksWith([number, ...more]))];
}

const spread = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", ...lines];

/** The shortest ends of paths that still differ. */
export function shortNames(paths: readonly string[]): readonly string[] {
  const tails = (path: string, count: number): string => path.split(".").slice(-count).join(".");
  return paths.map((path) => {
    const most = path.split(".").length;
    for (let count = 1; count < most; count += 1) {
      const tail = tails(path, count);
      if (paths.filter((other) => tails(other, count) === tail).length === 1) return tail;
    }
    return path;
  });
}
