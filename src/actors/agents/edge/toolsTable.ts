/** What a report says of the tools that agents made, or that were there from the start. */
import { markdownTable } from "markdown-table";
import { clock } from "../../../edges/duration.ts";
import { tableCell } from "../../../edges/report/tableCell.ts";
import { SYNTHESIS, type ToolStory } from "../book/toolLives.ts";

/** Characters and rows; what is cut is in `events --type synthesis.finished`. */
const most = { name: 60, reason: 100, rows: 100 };

/** One row for each name. */
export function toolsTable(tools: readonly ToolStory[]): string {
  if (tools.length === 0) return "";
  const rows = tools
    .slice(0, most.rows)
    .map((tool) => [tableCell(tool.name, most.name) || "(no name)", toolStatus(tool)]);
  const more = tools.length - most.rows;
  const tail = more > 0 ? `\n\n${more} more tools.` : "";
  return `## Tools at the end\n\n${markdownTable([["Name", "Status"], ...rows])}${tail}`;
}

/** Its calls, then its syntheses, then how it stands: `worked 3 times · archived at 1:32:00 by cedar`. */
export function toolStatus(tool: ToolStory): string {
  return [...callWords(tool), ...synthesisWords(tool), ...standingWords(tool)].join(" · ");
}

function callWords({ calls, standing }: ToolStory): string[] {
  const { worked, unwritten, nothing, failed, locked, unheard, error } = calls;
  const came = worked + unwritten + nothing + failed + locked + unheard;
  if (came === 0) return standing.kind === "never registered" ? [] : ["never called"];
  const why = error === null ? "" : `, the last: ${tableCell(error, most.reason)}`;
  const counts: readonly [string, number, string?][] = [
    ["worked", worked],
    ["answered without changing its file", unwritten],
    ["returned nothing", nothing],
    ["failed", failed, why],
    ["refused by a lock", locked],
    ["not heard of again", unheard],
  ];
  return counts
    .filter(([, count]) => count > 0)
    .map(([what, count, more = ""]) => `${what} ${times(count)}${more}`);
}

function synthesisWords({ rejected, deduplicated }: ToolStory): string[] {
  const steps = Object.entries(rejected);
  return [
    ...steps.map(
      ([step, { title, count, detail }]) =>
        `rejected by step ${step} (${title}) ${times(count)}, the last: ${tableCell(detail, most.reason)}`,
    ),
    ...(deduplicated > 0 ? [`not built again ${times(deduplicated)}, it was too young`] : []),
  ];
}

function standingWords({ standing, broken, deployed, rejected }: ToolStory): string[] {
  const listed = broken === null ? [] : [`broken: ${tableCell(broken, most.reason)}`];
  if (standing.kind === "ghost") return ["ghost stub, no code is loaded", ...listed];
  if (standing.kind !== "gone") return listed;
  // What a step rejected and took away again was told as rejected.
  const { how, who, atMs } = standing;
  const isRejection = who === SYNTHESIS && deployed === 0 && Object.keys(rejected).length > 0;
  return isRejection
    ? []
    : [`${how} at ${clock(atMs - (atMs % 1000))} by ${tableCell(who, most.name)}`];
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);
