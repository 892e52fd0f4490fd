/**
 * Runs the agents of examples/agents: `node tools/exampleAgents.ts [NAME…]`. Where none is named and all are well, writes
 * docs/recorded-agents.md. Needs npm and PyPI the first time.
 */
import { writeFileSync } from "node:fs";
import { HEAD, PAGE, sectionOf } from "../test/agents/agentsPage.ts";
import { AGENTS, installed, tried, triedHollow } from "../test/agents/exampleAgents.ts";
import { scriptedApis } from "../test/agents/scriptedApis.ts";

const apis = await scriptedApis();
const names = process.argv.slice(2);
const sections = [HEAD];
let failed = 0;
for (const name of names.length === 0 ? AGENTS : names) {
  const agent = installed(name);
  if (agent === undefined) {
    failed += 1;
    console.log(`${name}: its packages cannot be had here`);
    continue;
  }
  const all = await tried(agent, apis.variables);
  const hollow = agent.isMcp ? (await triedHollow(agent)).said : "It returned nothing.";
  const isWell =
    all.recorded.code === 0 &&
    all.rerun.code === 0 &&
    all.events.includes("called write_file") &&
    hollow.includes("It returned nothing.");
  if (!isWell) failed += 1;
  console.log(
    `${name}: ${isWell ? "well" : `FAILED\n${[all.recorded, all.rerun].map(({ stdout, stderr }) => stdout + stderr).join("")}${hollow}`}`,
  );
  sections.push(sectionOf(agent, all));
}
await apis.close();
if (failed === 0 && names.length === 0) writeFileSync(PAGE, sections.join("\n"));
process.exitCode = failed === 0 ? 0 : 1;
