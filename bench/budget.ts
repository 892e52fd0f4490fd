/**
 * `npm run bench:budget`: fails when a delivery costs more than bench/budget.json allows. It counts what
 * does not depend on the machine; `--write` writes what is counted now as the budget, with some room.
 */
import "../src/edges/bundle/nodeSha256.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { countAll } from "./counts.ts";
import { pastBudget, withRoom } from "./pastBudget.ts";

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    budget: { type: "string", default: fileURLToPath(new URL("budget.json", import.meta.url)) },
  },
});
const counts = await countAll();
if (values.write) {
  writeFileSync(values.budget, `${JSON.stringify(withRoom(counts), null, 2)}\n`);
} else {
  const past = pastBudget(counts, JSON.parse(readFileSync(values.budget, "utf8")));
  for (const line of past) console.error(line);
  if (past.length > 0) process.exitCode = 1;
  else console.log(`${Object.keys(counts).length} kinds of run cost no more than their budgets`);
}
