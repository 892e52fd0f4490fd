/** `npm run bench:coverage`: how often 95 % intervals of studies hold the truth; `-- --studies 1000` as many studies. */
import { parseArgs } from "node:util";
import {
  acrossTable,
  fixedTable,
  rareTable,
  sobolTable,
  stoppedTable,
  wilsonTable,
} from "./coverageTables.ts";

const { values } = parseArgs({ options: { studies: { type: "string", default: "1000" } } });
const studies = Number(values.studies);
for (const table of [
  () => fixedTable(studies),
  wilsonTable,
  rareTable,
  () => stoppedTable(studies),
  () => acrossTable(studies),
  () => sobolTable(studies),
]) {
  console.log(`${table()}\n`);
}
