/** Tables as wide as a terminal: long cells wrap, and very long ones end with …. */

/** Ours: lines of one cell. */
const LINES_MOST = 6;
/** Columns of a cell below which nothing can be read. */
const LEAST = 8;

export const CUT = "Cells that end with … are cut to this terminal; --wide prints them whole.";

/** The text with its Markdown tables no wider than `columns`; all else stays as it is. */
export function fittedTables(text: string, columns: number): string {
  const lines = text.split("\n");
  const fitted: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (lines[end]?.startsWith("| ")) end += 1;
    if (end === at) end += 1;
    const block = lines.slice(at, end);
    const isWide = block.length > 2 && block.some((line) => line.length > columns);
    fitted.push(...(isWide ? fittedTable(block, columns) : block));
    at = end;
  }
  return fitted.join("\n");
}

/** By where the columns stand: a cell may hold the sign between them. Undefined where a line has other columns. */
function cellsOf(block: readonly string[]): readonly (readonly string[])[] | undefined {
  const bars = [...(block[1] ?? "").matchAll(/\|/g)].map(({ index }) => index);
  if (block.some((line) => bars.some((bar) => line[bar] !== "|"))) return undefined;
  return block.map((line) =>
    bars.slice(1).map((bar, at) => line.slice((bars[at] ?? 0) + 1, bar).trim()),
  );
}

function fittedTable(block: readonly string[], columns: number): readonly string[] {
  const rows = cellsOf(block);
  if (rows === undefined) return block;
  const [head = [], marks = [], ...body] = rows;
  const lengths = head.map((_, column) =>
    [head, ...body].map((row) => row[column]?.length ?? 0).sort((x, y) => x - y),
  );
  const widths = shared(lengths, columns - 3 * head.length - 1);
  const isRight = marks.map((mark) => mark.endsWith("-:"));
  const line = (cells: readonly string[]): string =>
    `| ${widths
      .map((width, column) => {
        const cell = cells[column] ?? "";
        return isRight[column] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(" | ")} |`;
  let isCut = false;
  const linesOf = (row: readonly string[]): readonly string[] => {
    const wrapped = widths.map((width, column) => wrap(row[column] ?? "", width));
    if (wrapped.some(({ length }) => length > LINES_MOST)) isCut = true;
    const shown = wrapped.map((lines, column) => short(lines, widths[column] ?? LEAST));
    const high = Math.max(...shown.map(({ length }) => length));
    return Array.from({ length: high }, (_, at) => line(shown.map((lines) => lines[at] ?? "")));
  };
  const rule = widths.map((width, at) =>
    "-".repeat(width - (isRight[at] ? 1 : 0)).concat(isRight[at] ? ":" : ""),
  );
  const made = [...linesOf(head), line(rule), ...body.flatMap(linesOf)];
  return isCut ? [...made, CUT] : made;
}

/** Ours: so much of the cells of a column has room before another column gets more. */
const MOST_CELLS = 0.8;

/** The room among the columns: first for most cells of each, where who needs little keeps it; then for the longest. */
function shared(lengths: readonly (readonly number[])[], room: number): readonly number[] {
  const least = lengths.map(() => LEAST);
  const most = lengths.map((all) => all[Math.floor((all.length - 1) * MOST_CELLS)] ?? 0);
  const longest = lengths.map((all) => all.at(-1) ?? 0);
  const widths = filled(least, most, room);
  return filled(widths, longest, room).map((width, at) => Math.min(width, longest[at] ?? width));
}

/** Each as wide as wanted where the room suffices, else none wider than what all of them can be. */
function filled(
  widths: readonly number[],
  wanted: readonly number[],
  room: number,
): readonly number[] {
  const sum = (cap: number): number =>
    widths.reduce((all, width, at) => all + Math.max(width, Math.min(wanted[at] ?? 0, cap)), 0);
  let cap = 0;
  while (cap < room && sum(cap + 1) <= room) cap += 1;
  return widths.map((width, at) => Math.max(width, Math.min(wanted[at] ?? 0, cap)));
}

/** At spaces, and in long names behind a sign; where there is none, anywhere. */
function wrap(cell: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of cell.match(/\s*[^\s./_,:=-]*[./_,:=-]*/g) ?? []) {
    if ((line + piece).trimEnd().length > width && line !== "") {
      lines.push(line);
      line = piece.trimStart();
    } else line += piece;
    for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width));
  }
  return [...lines, line].map((one) => one.trim()).filter((one, at) => one !== "" || at === 0);
}

function short(lines: readonly string[], width: number): readonly string[] {
  if (lines.length <= LINES_MOST) return lines;
  const last = lines[LINES_MOST - 1] ?? "";
  return [...lines.slice(0, LINES_MOST - 1), `${last.slice(0, width - 1).trimEnd()}…`];
}
