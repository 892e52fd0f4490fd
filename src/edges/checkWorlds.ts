/** The worlds of a check: random ones, or those near a scenario. */
import fc from "fast-check";
import type { Overrides } from "../actors/policy.ts";
import type { Leaves } from "../actors/policyNeighbours.ts";
import type { Scenario } from "../actors/scenario.ts";
import type { WorldEvent, WorldSource } from "../actors/worldSource.ts";
import type { Stage, Worlds } from "../check.ts";
import { policyLeaves, policyWith } from "../policy.ts";
import { nearScenario } from "../properties/nearScenario.ts";
import { promises } from "../properties/promises.ts";
import { parseDuration } from "./duration.ts";
import { Inbox } from "./inbox.ts";
import { parsePort } from "./python/parsePort.ts";
import type { LazySandbox } from "./python/sandboxPort.ts";
import { sandboxPort } from "./python/sandboxPort.ts";
import { scenarioOfSource } from "./scenarioFile.ts";
import { shellPort } from "./shell/shellPort.ts";
import type { LazyShell } from "./shell/shellProcess.ts";
import { parseYaml } from "./yamlText.ts";

/** Only the text of their tools is looked at, so that hundreds of worlds take seconds. */
export const randomWorlds = (set: Overrides): Worlds => ({
  drawn: fc.oneof(...promises.flatMap(({ worlds }) => worlds?.random?.(leavesTried(), set) ?? [])),
  compile: (source) => scenarioOfSource(source, "check"),
  cut,
  ...standIn,
});

const standIn: Pick<Worlds, "python" | "stage"> = {
  python: "stand-in",
  stage: ({ seed }) => ({
    ports: Object.assign({}, ...promises.map(({ worlds }) => worlds?.standIns?.(seed))),
  }),
};

/**
 * `text` is a scenario that was read without a fault. Its Python runs in the sandbox and its command
 * lines in the shell, which are the caller's to close.
 */
export function worldsNear(
  name: string,
  text: string,
  set: Overrides,
  sandbox: LazySandbox,
  shell: LazyShell,
): Worlds {
  const parsed = parseYaml(text, name);
  if ("problems" in parsed) throw new Error(`${name} was read before`);
  // It was decoded before, so it has the shape of a scenario.
  const source = parsed.value as unknown as WorldSource;
  return {
    drawn: nearScenario(source, msOf(source.runsFor), leavesTried(), set),
    compile: (world) => scenarioOfSource(world, name),
    cut,
    python: "sandbox",
    stage: (scenario) => realStage(scenario, sandbox, shell),
  };
}

/** Ours: how long one look for an answer of the sandbox takes at most; a run looks again. */
const LOOK_MS = 250;

function realStage(
  { policy, seed, startsAt }: Scenario,
  sandbox: LazySandbox,
  shell: LazyShell,
): Stage {
  const inbox = new Inbox();
  const common = { inbox, seed, startsAtMs: Date.parse(startsAt) };
  const leaves = policyWith(policy);
  return {
    ports: {
      "port/sandbox.run": sandboxPort({ ...common, sandbox, policy: leaves.sandbox }),
      "port/python.parse": parsePort({ sandbox, inbox, policy: leaves.sandbox }),
      "port/shell.run": shellPort({ ...common, shell, policy: leaves.shell }),
    },
    arrival: async ({ kernel }) => {
      await inbox.arrival(LOOK_MS);
      for (const { seq, reply } of inbox.take()) kernel.reply(seq, reply);
    },
  };
}

function cut(source: WorldSource, endMs: number): WorldSource {
  const { events = [] } = source;
  const isKept = ({ at }: WorldEvent): boolean => msOf(at) <= endMs;
  const shorter = { ...source, runsFor: `${endMs}ms`, events: events.filter(isKept) };
  return promises.reduce(
    (rest: WorldSource, { worlds }) => worlds?.cut?.(rest, isKept) ?? rest,
    shorter,
  );
}

/** Every leaf of the policy, with the values that the parts want tried. */
const leavesTried = (): Leaves =>
  policyLeaves().map(([path, leaf]) => [
    path,
    leaf,
    promises.flatMap(({ worlds }) => worlds?.tried?.(path) ?? []),
  ]);

const msOf = (text: string): number => parseDuration(text) ?? 0;
