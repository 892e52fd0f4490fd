/** The worlds of a check: random ones, or those near a scenario. */

import type fc from "fast-check";
import type { Part, Ports } from "../../contract/part.ts";
import type { Overrides } from "../../contract/policy.ts";
import type { Leaves } from "../../contract/policyNeighbours.ts";
import { policyLeaves, policyWith } from "../../contract/policyTree.ts";
import type { Property } from "../../contract/property.ts";
import type { Scenario } from "../../contract/scenario.ts";
import type { WorldEvent, WorldSource } from "../../contract/worldSource.ts";
import { propertiesOf } from "../../run/check/catalogue.ts";
import type { Drawing, Stage, Worlds } from "../../run/check/check.ts";
import { nearScenario } from "../../run/check/nearScenario.ts";
import { type Promised, promisedBy } from "../../run/check/promises.ts";
import { assert } from "../../substrate/assert.ts";
import { namedRandom, SEED_MAX } from "../../substrate/random.ts";
import { parseDuration } from "../duration.ts";
import { BadInput, badInput } from "../errors.ts";
import { refusePromisedTwice } from "../parts/joinedParts.ts";
import type { PartLists } from "../parts/partLists.ts";
import { servedByHost } from "../play/hostPorts.ts";
import { Inbox } from "../play/inbox.ts";
import { parsePort } from "../python/parsePort.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import { sandboxPort } from "../python/sandboxPort.ts";
import { scenarioOfSource } from "../scenario/scenarioFile.ts";
import { parseYaml } from "../scenario/yamlText.ts";
import type { LazyShell } from "../shell/shellProcess.ts";

/** The lists of parts, with what the parts promise. */
export interface CheckedLists extends PartLists {
  readonly promised: Promised;
}

/** Throws BadInput where two parts promise something under one id. */
export async function checkedLists(lists: PartLists): Promise<CheckedLists> {
  const promised = await promisedBy(lists.parts);
  refusePromisedTwice(promised);
  return { ...lists, promised };
}

/**
 * The worlds of those parts whose properties are chosen, or of all parts for a property of no such part.
 * Only the text of their tools is looked at, so that hundreds of worlds take seconds.
 */
export function randomWorlds(
  lists: CheckedLists,
  set: Overrides,
  chosen: readonly Property[] = propertiesOf(lists.promised),
): Worlds {
  const { promised } = lists;
  const whose = new WeakMap<WorldSource, string>();
  const kinds = randomKinds(promised, set, (source, name) => whose.set(source, name));
  const compiled = (source: WorldSource): Scenario => scenarioOfSource(lists, source, "check");
  const ownerOf = (property: Property): RandomKind | undefined =>
    kinds.find(({ owns }) => owns.has(property));
  const owners = new Set(chosen.filter(({ kind }) => kind !== "unit").map(ownerOf));
  const asked = owners.has(undefined) ? kinds : kinds.filter((kind) => owners.has(kind));
  return {
    drawing: (seed) => {
      const kind = kindOf(seed, asked.length === 0 ? kinds : asked);
      const tests = (property: Property): boolean => (ownerOf(property) ?? kind) === kind;
      return { drawn: kind.drawn, tests };
    },
    promised,
    compile: (source) => {
      const name = whose.get(source);
      if (name === undefined || !lists.own?.includes(name)) return compiled(source);
      return ofPart(name, () => compiled(source));
    },
    cut: (source, endMs) => cut(promised, source, endMs),
    ...standIn(promised),
  };
}

/** Throws BadInput that names the part whose random world is no scenario. */
function ofPart(name: string, compiled: () => Scenario): Scenario {
  try {
    return compiled();
  } catch (thrown) {
    if (!(thrown instanceof BadInput)) throw thrown;
    throw badInput(
      `part ${name} promises.worlds.random`,
      `a world that is no scenario: ${thrown.message.split("\n")[0]}`,
      "what can stand in a scenario's file",
      "Mend what `worlds.random` of the part draws.",
    );
  }
}

/** Ours, for a part whose worlds tell no time of day. */
const RANDOM_STARTS_AT = "2026-01-01T00:00:00Z";

/** The random worlds of one part. */
interface RandomKind {
  readonly name: string;
  readonly drawn: fc.Arbitrary<WorldSource>;
  readonly owns: ReadonlySet<Property>;
}

const randomKinds = (
  promised: Promised,
  set: Overrides,
  drew: (source: WorldSource, part: string) => void,
): readonly RandomKind[] =>
  promised.promises.flatMap(({ part, properties: own = [], worlds }) => {
    const { random } = worlds ?? {};
    if (random === undefined) return [];
    const drawn = random(leavesTried(promised, part), set).map((world) => {
      const source = {
        ...{ why: "A random world of `ghostlight check`.", source: "drawn" },
        ...world,
        startsAt: world["startsAt"] ?? RANDOM_STARTS_AT,
        policy: { ...world.policy, ...set },
      };
      drew(source, part.name);
      return source;
    });
    return [{ name: part.name, drawn, owns: new Set<Property>(own) }];
  });

/**
 * Which part's world the seed is of: the one with the highest number, drawn by its name. So one more part
 * takes some seeds for itself, and leaves the worlds of all others as they were.
 */
function kindOf(seed: number, kinds: readonly RandomKind[]): RandomKind {
  const random = namedRandom(seed);
  const numbered = kinds.map((kind) => ({
    kind,
    number: random.at("check", "part", kind.name).integer(0, SEED_MAX),
  }));
  const [first] = numbered.sort((a, b) => b.number - a.number);
  assert(first !== undefined, "some part has random worlds");
  return first.kind;
}

const standIn = ({ promises }: Promised): Pick<Worlds, "python" | "stage"> => ({
  python: "stand-in",
  stage: ({ seed }) => {
    let ports: Ports = {};
    for (const { worlds } of promises) ports = { ...ports, ...worlds?.standIns?.(seed, ports) };
    return { ports };
  },
});

/**
 * `text` is a scenario that was read without a fault. Its Python runs in the sandbox and its command
 * lines in the shell, which are the caller's to close.
 */
export function worldsNear(
  lists: CheckedLists,
  name: string,
  text: string,
  set: Overrides,
  sandbox: LazySandbox,
  shell: LazyShell,
): Worlds {
  const { promised } = lists;
  const parsed = parseYaml(text, name);
  if ("problems" in parsed) throw new Error(`${name} was read before`);
  // It was decoded before, so it has the shape of a scenario.
  const source = parsed.value as unknown as WorldSource;
  const near: Drawing = {
    drawn: nearScenario(promised, source, msOf(source.runsFor), leavesTried(promised), set),
    tests: () => true,
  };
  return {
    drawing: () => near,
    promised,
    compile: (world) => scenarioOfSource(lists, world, name),
    cut: (world, endMs) => cut(promised, world, endMs),
    python: "sandbox",
    stage: (scenario) => realStage(lists, scenario, sandbox, shell),
  };
}

/** Worlds near a scenario, or random ones when there is none. */
export const worldsFor = (
  lists: CheckedLists,
  near: { readonly name: string; readonly text: string } | null,
  { set, chosen }: { readonly set: Overrides; readonly chosen: readonly Property[] },
  { sandbox, shell }: { readonly sandbox: LazySandbox; readonly shell: LazyShell },
): Worlds =>
  near === null
    ? randomWorlds(lists, set, chosen)
    : worldsNear(lists, near.name, near.text, set, sandbox, shell);

/** Ours: how long one look for an answer of the sandbox takes at most; a run looks again. */
const LOOK_MS = 250;

function realStage(
  lists: PartLists,
  { policy, seed, startsAt }: Scenario,
  sandbox: LazySandbox,
  shell: LazyShell,
): Stage {
  const inbox = new Inbox();
  const leaves = policyWith(lists.parts, policy);
  const host = { shell, inbox, policy: leaves, seed, startsAtMs: Date.parse(startsAt) };
  return {
    ports: {
      "port/sandbox.run": sandboxPort({ ...host, sandbox, policy: leaves.sandbox }),
      "port/python.parse": parsePort({ sandbox, inbox, policy: leaves.sandbox }),
      ...servedByHost(lists, host),
    },
    arrival: async ({ kernel }) => {
      await inbox.arrival(LOOK_MS);
      for (const { seq, reply } of inbox.take()) kernel.reply(seq, reply);
    },
  };
}

function cut({ promises }: Promised, source: WorldSource, endMs: number): WorldSource {
  const { events = [] } = source;
  const isKept = ({ at }: WorldEvent): boolean => msOf(at) <= endMs;
  const shorter = { ...source, runsFor: `${endMs}ms`, events: events.filter(isKept) };
  return promises.reduce(
    (rest: WorldSource, { worlds }) => worlds?.cut?.(rest, isKept) ?? rest,
    shorter,
  );
}

/**
 * The leaves of the policy, with the values that the parts want tried; with a part, only those of its worlds,
 * so that no other part's leaf shifts what is drawn.
 */
const leavesTried = ({ parts, promises }: Promised, of?: Part): Leaves =>
  policyLeaves(parts)
    .filter(([path]) => of === undefined || isOf(parts, path, of))
    .map(([path, leaf]) => [
      path,
      leaf,
      promises.flatMap(({ worlds }) => worlds?.tried?.(path) ?? []),
    ]);

/** A leaf of the part, or of every world. */
const isOf = (parts: readonly Part[], path: string, of: Part): boolean =>
  parts.some(
    ({ name, isThere, policy = {} }) =>
      (name === of.name || isThere === undefined) &&
      Object.hasOwn(policy, path.split(".")[0] ?? ""),
  );

const msOf = (text: string): number => parseDuration(text) ?? 0;
