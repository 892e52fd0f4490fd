/** Runs the agents of examples/agents: `node tools/exampleAgents.ts [NAME…]`, all when none is named. Needs npm and PyPI the first time. */
import { AGENTS, installed, tried, triedMcp } from "../test/agents/exampleAgents.ts";
import { scriptedApis } from "../test/agents/scriptedApis.ts";

const apis = await scriptedApis();
const names = process.argv.slice(2);
let failed = 0;
for (const name of names.length === 0 ? AGENTS : names) {
  const agent = installed(name);
  if (agent === undefined) {
    failed += 1;
    console.log(`${name}: its packages cannot be had here`);
  } else if (agent.isMcp) {
    const [whole, hollow] = [
      await triedMcp(agent, []),
      await triedMcp(agent, ["nothing@write_file"]),
    ];
    const isWell = whole.said === "Done.\n" && hollow.said === "It returned nothing.\n";
    if (!isWell) failed += 1;
    console.log(`${name}: ${isWell ? "well" : `FAILED\n${whole.said}${hollow.said}`}`);
  } else {
    const { recorded, rerun, events } = await tried(agent, apis);
    const isWell = recorded.code === 0 && rerun.code === 0 && /called write_file/.test(events);
    if (!isWell) failed += 1;
    const said = [recorded, rerun].map(({ stdout, stderr }) => `${stdout}${stderr}`).join("\n");
    console.log(`${name}: ${isWell ? "well" : `FAILED\n${said}`}`);
  }
}
await apis.close();
process.exitCode = failed === 0 ? 0 : 1;
