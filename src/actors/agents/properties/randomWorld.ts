/**
 * Small random worlds: a few agents, goals, tools and outside events, for a minute or three of
 * virtual time. Always valid, and biased towards what properties are about: bare specs, tools that
 * return nothing, restarts, archived tools, switches of the policy.
 */
import fc from "fast-check";
import type { Overrides } from "../../../contract/policy.ts";
import { type Leaves, policyNeighbours } from "../../../contract/policyNeighbours.ts";
import type { WorldEvent, WorldSource } from "../../../contract/worldSource.ts";
import type { Json } from "../../../machines/letter.ts";
import { TOOL_TEXTS } from "./standInPython.ts";

const AGENTS = ["cedar", "cipher", "vault", "birch"];
const TOOLS = ["tidy_writer", "page_reader", "quiet_one"] as const;
/** As agents may spell a name: the file of it is no spec, and the nine steps make it plain. */
const SPELT = [...TOOLS, ...TOOLS, "Loud Writer"] as const;
const DESCRIPTIONS = [
  "secure file write operations",
  "reads file contents at a path",
  "lists what a directory holds",
  "validates the capability registry",
];
const RETURNS: readonly Json[] = [
  { written: 1 },
  ...[null, null, null],
  {},
  { output: null },
  { ok: true },
  { ok: false, error: "no" },
  "done",
];
const FOLDER = "/agentOS/tools/dynamic";
const CODES = Object.values(TOOL_TEXTS).map(({ text }) => text);
const LONG = `# A page\n${"It says what was found and what the others may rely on.\n".repeat(5)}`;

/** Short steps, so that a minute holds many: ours, for worlds that fit into some milliseconds. */
const PACE: Overrides = {
  "model.gpuMs": 500,
  "planner.heartbeatMs": 500,
  "engine.callMs": 100,
  "daemon.downMs": 1_000,
};
/** The most at one instant, when four agents are born with all that weighs on them, is a hundred. */
const LIMITS = { envelopes: 800, deliveriesPerInstant: 300 };

/** Switches that properties are about; each is drawn in half of the worlds. */
const SWITCHES = fc.record(
  {
    "ghosts.preExecutionCheck": fc.constantFrom(true, false),
    "ghosts.nullIsFailure": fc.constantFrom(true, false),
    "ghosts.crossCycleFailures": fc.constantFrom(3, 1, 1),
    "planner.consecutiveFailures": fc.constantFrom(4, 20),
    // A goal that is full after two steps.
    "progress.outputStep": fc.constantFrom(200_000, 500_000),
    "progress.otherStep": fc.constantFrom(100_000, 500_000),
    // Within a minute no agent's load would reach a lock.
    "stressors.stagnation.start": fc.constantFrom(200_000, 400_000, 600_000, 600_000, 800_000),
    "stressors.stagnation.cycles": fc.constantFrom(5, 1, 1),
    "stressors.capabilityLock.start": fc.constantFrom(200_000, 600_000),
  },
  { requiredKeys: [] },
);

const among = (list: readonly string[]) => fc.nat(list.length - 1).map((n) => list[n] as string);

/** What a world is about: specs, tools and wishes of one description meet, as they seldom would. */
const FOCUS = "{focus}";
const described = fc.oneof(
  { arbitrary: fc.constant(FOCUS), weight: 2 },
  { arbitrary: among(DESCRIPTIONS), weight: 1 },
);

/** The same with the world's own description in that place. */
const focusedOn = <T extends Json | object>(given: T, focus: string): T =>
  JSON.parse(JSON.stringify(given).replaceAll(FOCUS, focus));

const tool = fc.record({
  name: among(TOOLS),
  description: described,
  returns: fc.constantFrom(...RETURNS),
});

const spec = fc.tuple(among(SPELT), described).map(([name, description]) => ({
  path: `${FOLDER}/${name}.json`,
  content: JSON.stringify({ name, description }),
}));

/** In the words of a tool's description, so that any tool of that name serves it, even a ghost. */
const wordedAs = (intent: string) => ({ intent, params: { path: "{artifact}", content: LONG } });
const worded = described.map(wordedAs);

/** A wish, with the parameters that go with it; the router chooses the tool that serves it. */
const wishes: readonly fc.Arbitrary<{
  intent: string;
  params: { readonly [name: string]: Json };
}>[] = [
  fc.constant({ intent: "write a file", params: { path: "{artifact}", content: LONG } }),
  fc.constant({ intent: "write a file", params: { path: "{artifact}", content: "short" } }),
  fc.constant({ intent: "read the file contents", params: { path: "{artifact}" } }),
  fc.constant({ intent: "read the file contents", params: { path: "/agentOS/workspace/none.md" } }),
  fc.constant({ intent: "list directory entries", params: { path: FOLDER } }),
  fc.constant({
    intent: "edit the file in place",
    params: { path: "{artifact}", old_text: "page", new_text: "leaf" },
  }),
  fc.constant({ intent: "set a key in shared memory", params: { key: "k", value: 1 } }),
  fc.constant({ intent: "get the value of a key", params: { key: "k" } }),
  fc.constant({ intent: "sing a song", params: {} }),
  fc.constant({ intent: "validate the capability registry", params: {} }),
  spec.map((params) => ({ intent: "write file", params })),
  fc.tuple(among(TOOLS), fc.constantFrom(...CODES)).map(([name, code]) => ({
    intent: "write file",
    params: { path: `${FOLDER}/${name}.py`, content: code.replace("NAME", name) },
  })),
];

const SHELL = "run a shell command line with pipes and redirections";
const shell = fc.constant({
  intent: SHELL,
  params: { command: "echo page > /agentOS/workspace/{agent}/shell.md" },
});

const plainName = (name: string): string => name.toLowerCase().replace(" ", "_");

/** A capability of one's own: with code, with none, or with a stub that the gate knows. */
const synthesis = fc
  .tuple(among(SPELT), described, fc.constantFrom(...CODES, TOOL_TEXTS.null.text, null, "..."))
  .map(([name, description, code]) => ({
    intent: "synthesize a new capability from a name, a description and an implementation",
    params: {
      ...{ name, description },
      ...(code !== null && { implementation: code.replace("NAME", plainName(name)) }),
    },
  }));

/** The first few more often: without pages nothing is ever completed, without specs there are no ghosts. */
const wish = fc.oneof(
  ...wishes.map((arbitrary, index) => ({ arbitrary, weight: index === 0 ? 8 : 1 })),
  { arbitrary: worded, weight: 14 },
  { arbitrary: spec.map((params) => ({ intent: "write file", params })), weight: 3 },
  { arbitrary: synthesis, weight: 4 },
  { arbitrary: shell, weight: 4 },
);

/** Makes a tool and asks for it: other agents ask for it too, while it is tested and after. */
const deploying = fc
  .tuple(synthesis, fc.integer({ min: 1, max: 4 }))
  .map(([made, times]) => [
    made,
    ...Array.from({ length: times }, () => wordedAs(made.params.description)),
  ]);

const look = { intent: "list directory entries", params: { path: FOLDER } };
const writeShort = { intent: "write a file", params: { path: "{artifact}", content: "short" } };
const shellPage = {
  intent: SHELL,
  params: { command: `cat > {artifact} <<'END'\n${LONG}END` },
};

/** A whole page by no output step: at once, or after a miss. Only the gate's first part minds. */
const wily = fc.constantFrom(
  [shellPage, look, look, look, look, look],
  [writeShort, writeShort, shellPage, look, look],
);

const plan = fc.record({
  weight: fc.integer({ min: 1, max: 3 }),
  steps: fc.oneof(
    { arbitrary: fc.array(wish, { minLength: 1, maxLength: 6 }), weight: 4 },
    { arbitrary: deploying, weight: 1 },
    { arbitrary: wily, weight: 1 },
  ),
});

const goal = fc.record({
  weight: fc.integer({ min: 1, max: 3 }),
  plans: fc.array(plan, { minLength: 1, maxLength: 2 }),
  evidence: fc.constantFrom(undefined, undefined, "Reviewed"),
});

/** `who` and `when` are resolved once the world is known: a number names an agent, a share a time. */
const happening = fc.record({
  does: fc.constantFrom(
    ...(["host.message", "files.write", "files.write"] as const),
    ...(["daemon.restart", "daemon.restart", "daemon.restart"] as const),
    ...(["files.move", "files.move", "files.delete"] as const),
  ),
  who: fc.nat(AGENTS.length - 1),
  // Often early: later on a world may have reached its limit of deliveries.
  perMille: fc.oneof(fc.nat(1_000), fc.nat(300)),
  tool: among(TOOLS),
  description: described,
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function eventOf(
  one: Happening,
  index: number,
  agents: readonly string[],
  forMs: number,
): WorldEvent {
  const head = { id: `event-${index + 1}`, at: `${Math.floor((forMs * one.perMille) / 1_000)}ms` };
  const path = `${FOLDER}/${one.tool}.json`;
  switch (one.does) {
    case "host.message":
      return {
        ...head,
        does: one.does,
        agent: agents[one.who % agents.length] ?? "",
        text: "Hello.",
      };
    case "daemon.restart":
      return { ...head, does: one.does };
    case "files.move":
      return { ...head, does: one.does, path, to: `/agentOS/tools/archive/${one.tool}.json` };
    case "files.delete":
      return { ...head, does: one.does, path };
    case "files.write": {
      const text = JSON.stringify({ name: one.tool, description: one.description });
      return { ...head, does: one.does, path, text };
    }
  }
}

/** `fixed` wins over whatever is drawn. */
export function randomWorld(leaves: Leaves, fixed: Overrides = {}): fc.Arbitrary<WorldSource> {
  const drawn = fc.record({
    seed: fc.nat(),
    seconds: fc.constantFrom(20, 60, 120),
    focus: fc.constantFrom(...DESCRIPTIONS),
    agents: fc.integer({ min: 1, max: AGENTS.length }),
    ghosts: fc.array(spec, { maxLength: 2 }),
    tools: fc.uniqueArray(tool, { maxLength: TOOLS.length, selector: ({ name }) => name }),
    goals: fc.array(goal, { minLength: 1, maxLength: 3 }),
    malformedPerMille: fc.constantFrom(0, 0, 50),
    events: fc.array(happening, { maxLength: 4 }),
    switches: SWITCHES,
    policy: policyNeighbours(leaves, 4, Object.keys(fixed)),
  });
  return drawn.map(({ seed, seconds, malformedPerMille, tools, focus, ...rest }) => {
    const agents = AGENTS.slice(0, rest.agents);
    const world = {
      startsAt: "2026-01-01T00:00:00Z",
      seed,
      runsFor: `${seconds}s`,
      agents,
      policy: { ...PACE, ...rest.policy, ...rest.switches, ...fixed },
      events: rest.events.map((one, index) => eventOf(one, index, agents, seconds * 1_000)),
      files: ghostsBeside(tools, rest.ghosts),
      tools,
      model: { malformedPerMille, goals: rest.goals.map(goalOf) },
      limits: LIMITS,
    };
    return focusedOn(world, focus);
  });
}

/** Specs that lie there from the start without code; a tool of the world has its own. */
function ghostsBeside(
  tools: readonly { readonly name: string }[],
  ghosts: readonly { readonly path: string; readonly content: string }[],
): { readonly [path: string]: string } {
  const own = tools.map(({ name }) => `${FOLDER}/${name}.json`);
  const bare = ghosts.filter(({ path }) => !own.includes(path));
  return Object.fromEntries(bare.map(({ path, content }) => [path, content]));
}

type Goal = typeof goal extends fc.Arbitrary<infer T> ? T : never;

const goalOf = ({ weight, plans, evidence }: Goal, index: number) => ({
  slug: `goal-${index + 1}`,
  weight,
  text: "Leave a page (goal {n})",
  artifact: "/agentOS/workspace/{agent}/{n}.md",
  ...(evidence !== undefined && { evidence }),
  plans: plans.map((one, number) => ({ id: `plan-${number + 1}`, ...one })),
});
