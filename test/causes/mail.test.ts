// Sections of SPEC.md: Blame and prevent, on mail that does not come, or comes otherwise.
import { describe, expect, it } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { blame, prevent } from "../../src/index.ts";
import type { Carried } from "../../src/machines/letter.ts";
import { changeText, undoing } from "../../src/run/causes/changes.ts";
import { otherwiseOf } from "../../src/run/otherwise.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { replay, simulate } from "../builtIn.ts";
import { recordRun } from "../builtInRuns.ts";
import { parseScenario, readBundle } from "../builtInScenarios.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { newFolder } from "../folders.ts";

/** Somebody puts down a description without code after two minutes, and it takes the pages. */
const text = `${smallScenario.replace("10m", "4m")}  unheard:
    why: No registry hears of the ghost.
    without: { choices: ["registration:ghost_writer"] }
policy: { ghosts.preExecutionCheck: false, ghosts.nullIsFailure: false }
events:
  - id: ghost
    at: 2m
    does: files.write
    path: /agentOS/tools/dynamic/ghost_writer.json
    text: '{"name": "ghost_writer", "description": "write file, secure file write"}'
`;
const scenario = parseScenario(text, "ghost.yaml");
const named = otherwiseOf(parts);

function played(...choices: readonly string[]) {
  const log: Delivery[] = [];
  const { digest } = simulate(scenario, {
    without: { choices },
    onDelivery: (one) => log.push(one),
  });
  const routed = log.flatMap(({ event }) =>
    event.type === "call.routed" && event.intent === "write file" ? [event.capability] : [],
  );
  return { log, digest, routed, names: new Set(log.flatMap((one) => named(one)?.id ?? [])) };
}

const asItWas = played();

describe("left out by its name", () => {
  it("[BL29] a tool never reaches the registry, though its file is written", () => {
    const { log, names, routed } = played("registration:ghost_writer");
    const isWritten = ({ event }: { event: Carried }): boolean =>
      event.type === "files.write" && event.path.endsWith("ghost_writer.json");

    expect(asItWas.routed).toContain("ghost_writer");
    expect(asItWas.names).toContain("registration:ghost_writer");
    expect(names).not.toContain("registration:ghost_writer");
    expect(log.some(isWritten)).toBe(true);
    expect(new Set(routed)).toEqual(new Set(["fs_write"]));
  });

  it("[BL29] a router takes its second, and the tool is registered all the same", () => {
    const { names, routed, log } = played("route:ghost_writer");
    const second = log.find(
      ({ event }) => event.type === "call.routed" && event.runnerUp === null,
    )?.event;

    expect(names).toContain("registration:ghost_writer");
    expect(new Set(routed)).toEqual(new Set(["fs_write"]));
    expect(second).toMatchObject({ capability: "fs_write", runnerUpScore: 0 });
  });

  it("[BL29] an actor is not born, and nobody is there to be asked", () => {
    const { log } = played("birth:goal/cedar/2");
    const toIt = log.filter(({ to }) => to === "goal/cedar/2");

    expect(asItWas.log.some(({ to, fate }) => to === "goal/cedar/2" && fate === "handled")).toBe(
      true,
    );
    expect(toIt.every(({ fate }) => fate === "undeliverable")).toBe(true);
  });

  it("[BL29] a timer never fires", () => {
    const [timer = ""] = [...asItWas.names].filter((id) => id.startsWith("timer:agent/cedar/"));
    const { names, log } = played(timer);

    expect(timer).toBe("timer:agent/cedar/heartbeat.agent.resting");
    expect(names).not.toContain(timer);
    expect(log.length).toBeLessThan(asItWas.log.length);
  });
});

it("[KN32] what is left out is no delivery, and up to there it is the same run", () => {
  const { log } = played("registration:ghost_writer");
  const first = asItWas.log.findIndex((one) => named(one)?.id === "registration:ghost_writer");

  expect(first).toBeGreaterThan(100);
  expect(log.slice(0, first)).toEqual(asItWas.log.slice(0, first));
  expect(log[first]).not.toEqual(asItWas.log[first]);
});

it("[KN32] a name that no mail has changes nothing", () => {
  expect(played("birth:nobody").digest).toBe(asItWas.digest);
});

it("[SC10] a variant takes a name of mail, and no misspelt kind of one", () => {
  const without = (name: string) =>
    parseScenario(text.replace("registration:ghost_writer", name), "ghost.yaml").variants["unheard"]
      ?.without.choices;

  for (const name of [
    ...["registration:ghost_writer", "birth:goal/cedar/2", "route:ghost_writer"],
    "timer:agent/cedar/heartbeat.agent.resting",
  ]) {
    expect(without(name)).toEqual([name]);
    const misspelt = name.replace(":", "s:");
    expect(() => without(misspelt)).toThrow(misspelt);
  }
});

it("[SC10] a variant leaves mail out by its name, and its bundle replays", async () => {
  const folder = newFolder();
  const how = { scenario, text, variant: "unheard", seed: 1, set: {}, untilMs: null };
  const { observed } = await recordRun({ ...how, withLog: true, folder });

  expect(observed.result.digest).toBe(played("registration:ghost_writer").digest);
  expect(replay(readBundle(folder)).matches).toBe(true);
});

it("[BL30] a variant is undone change by change, numbers too, where it was otherwise before", () => {
  const policy = { "gate.minChars": 10_000, "locks.enabled": true, "mind.rulesShown": 3 };
  const without = { events: ["ask"], choices: ["goal:note"] };
  const before = { "gate.minChars": 200, "locks.enabled": true };

  expect(
    undoing({ why: "", policy, events: [], without, expect: [] }, before).map(changeText),
  ).toEqual(["gate.minChars: 200", "with goal:note"]);
});

it("[BL29] no name holds a number of the log", () => {
  const due = (event: object, to = "kernel") =>
    named({ to, from: "engine", cause: 7, event: event as Carried })?.id;
  const input = { name: "write_guard" };
  const synthesis = { type: "actor.start", machine: "capabilitySynthesis", input };

  expect(due({ ...synthesis, address: "synthesis/4711" })).toBe("birth:synthesis/write_guard");
  expect(due({ type: "xstate.after.answerTimeout.x" }, "synthesis/4711")).toBeUndefined();
});

describe("blame", () => {
  const asked = async (variant: string | null, outcome: string) =>
    (await blame(scenario, { variant, outcome, runs: 2, policy: false })).told;
  const left = ({ ranking }: Awaited<ReturnType<typeof asked>>) =>
    Object.fromEntries(ranking.map(({ says, hits }) => [says, hits]));

  it("[BL29] mail is ranked behind what is chosen or comes from outside, and no set is of it", async () => {
    const told = await asked(null, "calls.lost >= 1");
    const [first] = told.ranking;

    expect(left(told)).toMatchObject({
      "without ghost": 0,
      "without registration:ghost_writer": 0,
      "without route:ghost_writer": 0,
    });
    expect(first?.change.kind).not.toBe("mail");
    expect(told.joint.flatMap(({ says }) => says).filter((one) => /:ghost/.test(one))).toEqual([]);
    expect(told.withoutAll).toEqual({ hits: 0, n: 2 });
  });

  it("[BL29] the common point is that of the others: what mail there was before is no suspect", async () => {
    const { ranking } = await asked(null, "calls.lost >= 1");
    const others = ranking.flatMap(({ suspect }) => (suspect === null ? [] : [suspect]));
    const mail = others.filter(({ change }) => change.kind === "mail");
    const first = Math.min(
      ...others.flatMap(({ change, place }) => (change.kind === "mail" ? [] : [place])),
    );

    expect(mail.length).toBeGreaterThan(1);
    expect(mail.every(({ place }) => place >= first)).toBe(true);
  });

  it("[BL30] what a variant takes out is put back", async () => {
    expect(left(await asked("silent", "goals.completed = 0"))).toMatchObject({
      "with goal:note": 0,
      "without ghost": 2,
    });
  });

  it("[BL30] a leaf is tried as the scenario has it, where that is not the default", async () => {
    const own = `${smallScenario.replace("10m", "1m")}  long:
    why: No page is long enough.
    policy: { gate.minChars: 10000 }
policy: { gate.minChars: 150 }
`;
    const { told } = await blame(parseScenario(own, "long.yaml"), {
      ...{ variant: "long", outcome: "goals.completed = 0", runs: 1, policy: true },
    });

    expect(left(told)).toMatchObject({ "gate.minChars: 150": 0 });
  });

  it("[BL31] an input of which the log says nothing is a suspect, too", async () => {
    const { ranking } = await asked("silent", "goals.completed = 0");

    expect(ranking.find(({ says }) => says === "without ghost")?.suspect).toMatchObject({
      behind: 0,
      atMs: 120_000,
    });
  });

  it("[BL31] of more than six such inputs the last six are suspects", async () => {
    const notes = [1, 2, 3, 4, 5, 6].map(
      (n) => `
  - { id: note-${n}, at: ${n}s, does: files.write, path: /agentOS/notes/${n}.md, text: "${n}" }`,
    );
    const many = parseScenario(`${text.trimEnd()}${notes.join("")}\n`, "notes.yaml");
    const asked = { variant: "silent", outcome: "goals.completed = 0", runs: 2, policy: false };
    const { ranking } = (await blame(many, asked)).told;
    const inputs = ranking.flatMap(({ change }) => (change.kind === "event" ? [change.id] : []));

    expect(inputs.toSorted()).toEqual([
      "ghost",
      ...["2", "3", "4", "5", "6"].map((n) => `note-${n}`),
    ]);
  });
});

it("[BL9] of named variants alone it is asked whether they prevent it, and no other change is tried", async () => {
  const asked = { outcome: "calls.lost >= 1", runs: 2, policy: false };
  const named = await prevent(scenario, { ...asked, variants: ["unheard"] });
  const all = await prevent(scenario, asked);

  expect(named.verified.map(({ variant, hits }) => [variant, hits])).toEqual([["unheard", 0]]);
  expect([named.triedSingles, named.asItWas?.n]).toEqual([0, 2]);
  expect(all.triedSingles).toBeGreaterThan(1);
  expect(all.verified.map(({ says }) => says)).toContain("without ghost");
});
