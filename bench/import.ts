/**
 * What reading foreign logs costs: `npm run bench:import [-- --lines 1000000] [--only otlp,openai]`. Each format is written to a
 * temporary file and read in a process of its own; `document` is one JSON value, a list of messages.
 */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readLogs } from "../src/actors/imported/edge/readLogs.ts";
import { LINES, MAP } from "./importLines.ts";
import { inTemporaryFolder } from "./temporaryFolder.ts";

const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "1000000" },
    only: { type: "string" },
    read: { type: "string" },
    map: { type: "boolean", default: false },
  },
});

function write(file: string, format: string, count: number): void {
  const isDocument = format === "document";
  const lineOf = LINES[isDocument ? "openai" : format];
  if (lineOf === undefined)
    throw new Error(`no format ${format}; there are ${Object.keys(LINES).join(", ")}, document`);
  const out = openSync(file, "w");
  let held = isDocument ? "[" : "";
  for (let number = 0; number < count; number++) {
    const comma = isDocument && number < count - 1 ? "," : "";
    held += `${JSON.stringify(lineOf(number))}${comma}\n`;
    if (held.length < 1 << 22) continue;
    writeSync(out, held);
    held = "";
  }
  writeSync(out, isDocument ? `${held}]` : held);
  closeSync(out);
}

/** Reads it in a process of its own, so that its peak of memory is that of the reading. */
function measured(folder: string, format: string): string {
  const file = join(folder, "log.json");
  write(file, format, Number(values.lines));
  const map = format === "mapped" ? ["--map"] : [];
  const program = [fileURLToPath(import.meta.url), "--read", file, ...map];
  return execFileSync(process.execPath, program, { encoding: "utf8" });
}

if (values.read === undefined) {
  for (const format of values.only?.split(",") ?? [...Object.keys(LINES), "document"]) {
    process.stdout.write(`${format}: ${inTemporaryFolder((folder) => measured(folder, format))}`);
  }
} else {
  const start = performance.now();
  const counts = { records: 0, unread: 0, logs: 0 };
  for await (const { kind } of readLogs([values.read], values.map ? { map: MAP } : {})) {
    if (kind === "record") counts.records++;
    else if (kind === "unread") counts.unread++;
    else if (kind === "opened") counts.logs++;
  }
  const seconds = (performance.now() - start) / 1000;
  const megabytes = statSync(values.read).size / 1e6;
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  const rate = (megabytes / seconds).toFixed(0);
  process.stdout.write(
    `${megabytes.toFixed(0)} MB, ${counts.logs} logs, ${counts.records} records, ${counts.unread} unread, ${rate} MB/s, at most ${peak} MiB\n`,
  );
}
