// Names that every object of JavaScript has, wherever a name comes from outside.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callDescription } from "../../src/machines/skills/skillListing.ts";
import { minutes } from "../../src/machines/units.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { simulate } from "../builtIn.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { byNameScenario } from "../byName.ts";
import { clerksScenario } from "../clerks.ts";
import { newFolder } from "../folders.ts";
import { carrying } from "../mail.ts";
import { ghostlight } from "./ghostlight.ts";

const cwd = newFolder();
const NAMES = ["constructor", "__proto__", "toString"];
const play = "run safe-file-executor --until 1m";
const bundle = join(process.cwd(), "recordings/parameter-gap");

/** What is said of an object of JavaScript, and never of a name. */
const LEAKED = /\[native code\]|\[object|is not a function|Cannot (?:read|convert)/;

/** The log of a shipped world in which something has another name, without that name. */
function logNaming(scenario: string, was: string, name: string): string {
  const log: Delivery[] = [];
  const text = readFileSync(`scenarios/${scenario}.yaml`, "utf8");
  simulate(parseScenario(text.replaceAll(was, name), `${scenario}.yaml`), {
    onDelivery: (one) => log.push(one),
    untilMs: minutes(20),
  });
  const all = log.map(({ digest: _, ...one }) => one);
  expect(text).toContain(was);
  expect(JSON.stringify(all)).toContain(name);
  return JSON.stringify(all).replaceAll(name, "NAME");
}

it.each([
  ["write_guard", "a tool that takes the calls of another", "hijack-without-malice"],
  ["validate_capability_registry_gaps", "a tool that agents write anew", "redeploy-loop"],
  ["price_sum", "a skill", "skill-degrades"],
  ["greece_top_news", "a skill whose code was wrapped", "greece-top-news"],
])("[CL36] %s, %s in %s, may be called constructor: all goes as it went", (was, _, scenario) => {
  // A name as long, and in the same place in the alphabet.
  const plain = logNaming(scenario, was, "constructos");

  expect(logNaming(scenario, was, "constructor") === plain).toBe(true);
});

describe.each(NAMES)("the name %s", (name) => {
  it.each([
    `${play} --variant ${name}`,
    `${play} --set ${name}=1`,
    `${play} --set planner.${name}=1`,
    `${play} --profile ${name}`,
    `why ${bundle} ${name}:x`,
    `prevent ${bundle} ${name}`,
    `check ${bundle} --finding ${name}`,
    `metrics ${name}`,
    `sweep ${name}`,
    `${name}`,
  ])("[CL36] is unknown on the command line: %s", async (line) => {
    const { code, stdout, stderr } = await ghostlight(line.split(" "), { cwd });

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(name);
    expect(stderr).not.toMatch(LEAKED);
  });

  it.each([
    ["a policy path", "policy: { ", `policy: { ${name}: 1, `],
    ["what an event does", "does: files.write", `does: ${name}`],
    ["a field of an event", "does: files.write,", `does: files.write, ${name}: 1,`],
    ["a field", "runsFor: 30m", `runsFor: 30m\n${name}: 1`],
    ["an agent of a goal", "agents: [finder]", `agents: [${name}]`],
    ["a metric", /metric: \S+,/, `metric: ${name},`],
  ])("[CL36] is unknown in a scenario: %s", (_, was, by) => {
    const text = clerksScenario.replace(was, by);

    expect(text).not.toBe(clerksScenario);
    expect(() => parseScenario(text, "clerks.yaml")).toThrow(name);
    expect(() => parseScenario(text, "clerks.yaml")).not.toThrow(LEAKED);
  });

  it("[CL36] is no tool where a plan asks for it", () => {
    const log: Delivery[] = [];
    const text = byNameScenario.replaceAll("tool: weather", `tool: ${name}`);
    simulate(parseScenario(text, "x.yaml"), { onDelivery: (one) => log.push(one) });
    const said = carrying(log, "call.finished").map(({ event }) => event.error ?? "");

    expect(text).not.toBe(byNameScenario);
    expect(said).toContain(`there is no tool called "${name}"`);
    expect(said.join("\n")).not.toMatch(LEAKED);
  });

  it("[CL36] is a name like any other in a log: of an agent, a tool, a call and an argument", async () => {
    const made = { id: name, type: "function", function: { name, arguments: '{"a": 1}' } };
    const talk = [
      { role: "user", content: name, name },
      { role: "assistant", name, content: null, tool_calls: [made] },
      { role: "tool", tool_call_id: name, content: `${name} it is` },
      { role: "assistant", name, content: `attachment://${name}` },
    ];
    const file = `${name}.json`;
    writeFileSync(join(cwd, file), JSON.stringify({ messages: talk }));

    const read = await ghostlight(["import", file, "--out", `log-${name}`], { cwd });
    const told = await ghostlight(["events", `log-${name}`], { cwd });
    const found = await ghostlight(["check", `log-${name}`], { cwd });
    const world = await ghostlight(["import", file, "--scenario", `${name}.yaml`], { cwd });

    expect([read.code, told.code, found.code, world.code]).toEqual([0, 0, 0, 0]);
    expect(told.stdout).toContain(`called ${name}`);
    const all = [read, told, found, world].map(({ stdout, stderr }) => stdout + stderr).join("\n");
    expect(all).not.toMatch(LEAKED);
    expect(readFileSync(join(cwd, `log-${name}/report.md`), "utf8")).not.toMatch(LEAKED);
  });

  it("[CL36] is no kind of a value in a skill's schema", () => {
    const schema = (type: string) => ({ type: "object", properties: { a: { type } } });
    const shown = (type: string) =>
      callDescription({ name: "news", description: "d", parametersSchema: schema(type) });

    expect(shown(name)).toBe(shown("odd"));
  });
});
