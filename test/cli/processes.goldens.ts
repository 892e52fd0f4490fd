// Each command once in a process of its own, as its users start it. Everywhere else in these tests a
// command runs in a process that has its modules loaded, so what both say must be the same.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, type Said, saidBy } from "./ghostlight.ts";
import { opsScenario } from "./opsScenario.ts";
import { smallScenario } from "./smallScenario.ts";

/** In an order in which each finds what it needs. */
const commands: readonly (readonly [line: string, code: number])[] = [
  ["run small --no-log --out bundle", 0],
  ["replay bundle", 0],
  ["resume bundle", 2],
  ["fork bundle --at 1s", 2],
  ["fork bundle --at 1s --set planner.stepsPerCycle=1 --out forked", 0],
  ["events bundle --limit 3", 0],
  ["prompts bundle --limit 2", 0],
  ["why bundle --list", 0],
  ["diff bundle bundle", 0],
  ["blame no-such-run", 2],
  ["blame bundle --judge ollama:none --host 127.0.0.1:9", 2],
  ["prevent no-such-world", 2],
  ["view no-such-run", 2],
  ["export bundle --html page.html", 0],
  ["check --list", 0],
  ["check bundle --finding empty-success", 0],
  ["import talk.json --out imported", 0],
  ["import talk.json --out again --scenario talk.yaml", 0],
  ["import talk.json --only talk --out only", 0],
  ["record --faults", 0],
  ["mcp", 2],
  ["rerun imported", 2],
  ["trial no-such-file.yaml", 2],
  ["scenarios --json", 0],
  ["metrics calls", 0],
  ["policy locks", 0],
  ["machines goal --mermaid", 0],
  ["tool check tool.py", 0],
  ["tool check tool.py --call {}", 0],
  ["skill normalize tool.py", 0],
  ["skill check tool.py --payload {}", 1],
  ["skill utility --confidence 0.8", 0],
  ["skill analyse", 0],
  ["synt score --strategy compose", 0],
  ["synt name fetch_files", 1],
  ["synt chain find_files read_files --pool pool.json", 2],
  ["synt analyse", 0],
  ["run waiting --gate later --out runs/waits", 0],
  ["synt pending", 0],
  ["synt approve req-0001 --out decided", 0],
  ["synt reject req-0009", 2],
  ["synt amend req-0009", 2],
  ["synt audit decided", 0],
  ["install check intent.json", 0],
  ["run ops --gate later --out runs/ops", 0],
  ["install pending", 0],
  ["install show apr-00000000", 2],
  ["install diff rev-00000000 rev-00000001", 2],
  ["install approve apr-00000000", 2],
  ["install reject apr-00000000", 2],
  ["new part tea-room --json", 0],
  ["studies", 0],
  ["sweep lock-treshold", 2],
  ["sense lock-thresholds", 2],
  ["tune lock-thresholds", 2],
  ["discover no-such-study --outcome refused>=1", 2],
  ["work --queue mysql://host/runs", 2],
];

const intent = {
  ...{ agent_id: "reader", description: "Reads the feed", instructions: "# Reader" },
  ...{ execution_mode: "reasoning", llm_config: { provider: "ollama", model: "small" } },
  capabilities: [{ type: "ReadAccess", scopes: ["self.*"] }],
};

function home(): string {
  const folder = newFolder();
  writeFileSync(join(folder, "small.yaml"), smallScenario);
  copyFileSync("scenarios/synt-audit-example.yaml", join(folder, "waiting.yaml"));
  writeFileSync(join(folder, "ops.yaml"), opsScenario);
  writeFileSync(join(folder, "intent.json"), JSON.stringify(intent));
  const call = { id: "a", type: "function", function: { name: "look", arguments: "{}" } };
  const asked = { role: "assistant", content: null, tool_calls: [call] };
  writeFileSync(
    join(folder, "talk.json"),
    JSON.stringify([{ role: "user", content: "Look" }, asked]),
  );
  writeFileSync(join(folder, "tool.py"), "def tool():\n    return 1\n");
  writeFileSync(join(folder, "pool.json"), '{"executors": [], "mnests": []}');
  return folder;
}

it("[CL29] no command is missing from those that are started here", async () => {
  const named = async (...before: string[]): Promise<string[]> => {
    const { stdout } = await ghostlight([...before, "--help"]);
    const list = stdout.slice(stdout.search(/^(?:Play|Commands):$/m));
    return [...list.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => [...before, name].join(" "));
  };
  const groups = ["install", "new", "tool", "skill", "synt"];
  const all = [
    ...(await named()).filter((name) => !groups.includes(name)),
    ...(await Promise.all(groups.map((name) => named(name)))).flat(),
  ].filter((name) => !/\bhelp$/.test(name));

  const isStarted = (name: string): boolean =>
    commands.some(([line]) => `${line} `.startsWith(`${name} `));
  expect(all.filter((name) => !isStarted(name))).toEqual([]);
  expect(all.length).toBeGreaterThan(15);
});

it("[CL29] each command says and exits the same in a process of its own", async () => {
  const [alone, together] = [home(), home()];
  const elsewhere = (said: Said, folder: string): Said => ({
    ...said,
    stdout: said.stdout.replaceAll(folder, "HOME"),
    stderr: said.stderr.replaceAll(folder, "HOME"),
  });

  const saidIn = async (
    folder: string,
    start: (args: readonly string[]) => Promise<Said>,
  ): Promise<readonly Said[]> => {
    const all: Said[] = [];
    for (const [line] of commands) all.push(elsewhere(await start(line.split(" ")), folder));
    return all;
  };

  const [own, shared] = await Promise.all([
    saidIn(alone, (args) => saidBy(args, { cwd: alone })),
    saidIn(together, (args) => ghostlight(args, { cwd: together })),
  ]);

  for (const [index, [line, code]] of commands.entries()) {
    expect(own[index], line).toEqual(shared[index]);
    expect(own[index]?.code, `${line}\n${own[index]?.stderr}`).toBe(code);
  }
});
