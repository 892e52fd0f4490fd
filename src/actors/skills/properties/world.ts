/**
 * Small random worlds with skills: agents who create, call, list and retire them, lessons and macros that are
 * there or come, dreams every few seconds, a sandbox that is wiped, hands in the store. Biased towards what is
 * promised: small playbooks, skills that fail, books that are full. Ours.
 */

import fc from "fast-check";
import type { Overrides } from "../../../contract/policy.ts";
import { type Leaves, policyNeighbours } from "../../../contract/policyNeighbours.ts";
import type { WorldEvent, WorldSource } from "../../../contract/worldSource.ts";
import type { Json } from "../../../machines/letter.ts";
import { ownValue } from "../../../machines/ownValue.ts";
import { DOMAINS } from "../../../machines/skills/lesson.ts";
import { registryPath, skillPath } from "../../../machines/skills/skillStore.ts";
import { seconds } from "../../../machines/units.ts";
import { SKILL_TEXTS, SOLUTIONS, VALIDATOR } from "./standIn.ts";

const AGENTS = ["cedar", "cipher", "vault"];
/** What each says it does: no two share a word. */
const SKILLS: { readonly [name: string]: string } = {
  fetch_news: "Fetches headlines from a news feed.",
  sum_prices: "Adds up fruit prices of one night.",
};
const NAMES = Object.keys(SKILLS);
const CODES = Object.values(SKILL_TEXTS).map(({ text }) => text);
const { moody, raising, leaving, whole } = SKILL_TEXTS;
const PAGE = `# A page\n${"It says what was found and what the others may rely on.\n".repeat(5)}`;

/** Short steps and dreams, so that a minute holds many: ours, for worlds that fit into some milliseconds. */
const PACE: Overrides = {
  ...{ "model.gpuMs": 300, "planner.heartbeatMs": 300, "engine.callMs": 50 },
  ...{ "daemon.downMs": 500, "lessons.enabled": false, "stressors.enabled": [] },
  ...{ "skills.dream.periodMs": 5_000, "skills.dream.latency.challengeMs": 300 },
  ...{ "skills.dream.latency.solveMs": 300, "skills.dream.latency.extractMs": 300 },
  "skills.macros.support": 2,
  "skills.playbook.distanceBelow": 4_000_000,
  "gate.parts": ["output"],
  "progress.outputStep": 500_000,
  "progress.otherStep": 500_000,
};
const LIMITS = { envelopes: 900, deliveriesPerInstant: 300 };

const SWITCHES = fc.record(
  {
    "skills.store": fc.constantFrom("memory", "memory", "sandbox"),
    "skills.usageCounts": fc.constantFrom("success", "both"),
    "skills.degradeAfter": fc.constantFrom(3, 1, 2),
    "skills.retireAfter": fc.constantFrom(3, 1, 2, 9),
    "skills.routed": fc.constantFrom(15, 1, 2),
    "skills.playbook.size": fc.constantFrom(50, 1, 2, 3),
    "skills.playbook.overflow": fc.constantFrom("pins-block", "utility"),
    "skills.playbook.countRetrieval": fc.constantFrom("injection", "turn"),
    "skills.playbook.pruneRetrievals": fc.constantFrom(5, 1, 2),
    "skills.playbook.pruneShare": fc.constantFrom(250, 500, 1_000),
    "skills.playbook.creditWords": fc.constantFrom(2, 0, 1),
    "skills.playbook.creditWithinMs": fc.constantFrom(seconds(300), seconds(2)),
    "skills.utility.form": fc.constantFrom("seed", "real"),
    "skills.dream.periodMs": fc.constantFrom(5_000, 2_000, 20_000),
    "skills.dream.rounds": fc.constantFrom(1, 3),
    "skills.macros.kept": fc.constantFrom(50, 1, 2),
    "skills.macros.mined": fc.constantFrom("dream", "goal"),
    "skills.macros.stepsMax": fc.constantFrom(64, 1, 2),
  },
  { requiredKeys: [] },
);

/** Mostly one, so that who creates, calls and retires a skill means the same. */
const name = fc.constantFrom("fetch_news", "fetch_news", ...NAMES);
const code = fc.oneof(
  { arbitrary: fc.constantFrom(moody.text, whole.text), weight: 4 },
  { arbitrary: fc.constantFrom(...CODES), weight: 1 },
);
/** As models leak it. */
const leaked = code.chain((text) =>
  fc.constantFrom(
    ...[text, text, text, text, `<![CDATA[\n${text}\n]]>`, `\`\`\`python\n${text}\n\`\`\``],
    ...["Here is what you asked for.", `${text.trimEnd()}   \n`],
  ),
);

const stored = (minLength: number) =>
  fc.uniqueArray(fc.record({ name, code, legacy: fc.constantFrom(true, false, false) }), {
    ...{ minLength, maxLength: 2 },
    selector: (one) => one.name,
  });

interface Wish {
  readonly intent: string;
  readonly params: { readonly [name: string]: Json };
}

const write: Wish = { intent: "write a file", params: { path: "{artifact}", content: PAGE } };
const SHARED = "/agentOS/workspace/shared";
const read: Wish = { intent: "read the file contents", params: { path: `${SHARED}/page.md` } };
const list: Wish = { intent: "list directory entries", params: { path: SHARED } };
const manage: Wish = {
  intent: "list acquired skills with status, usage and failure counts",
  params: {},
};

const creating = fc.record({ name, code: leaked, fails: fc.boolean() }).map(
  ({ name: wanted, code: text, fails }): Wish => ({
    intent: "create a permanent acquired skill from Python source after a test run",
    params: {
      ...{ name: wanted, description: ownValue(SKILLS, wanted) ?? "", parameters_schema: "{}" },
      ...{ python_code: text, test_payload: fails ? '{"fail": true}' : "{}" },
    },
  }),
);
const calling = fc
  .tuple(name, fc.boolean())
  .map(([wanted, fail]): Wish => ({ intent: ownValue(SKILLS, wanted) ?? "", params: { fail } }));
const macro = fc.constantFrom(
  {
    name: "read_then_write",
    description: "Reads a page and writes it anew.",
    steps: [
      { tool: "fs_read", ...list },
      {
        tool: "fs_write",
        intent: write.intent,
        params: { path: `${SHARED}/other.md`, content: PAGE },
      },
    ],
  },
  {
    name: "news_twice",
    description: "Looks twice for what is new.",
    steps: [
      { tool: "fetch_news", intent: SKILLS["fetch_news"] ?? "", params: {} },
      { tool: "fs_list", ...list, optional: true },
    ],
  },
);

const running = macro.map(({ description }): Wish => ({ intent: description, params: {} }));
/** Until it is degraded, and beyond. */
const failing = fc
  .tuple(name, fc.integer({ min: 2, max: 5 }))
  .map(([wanted, times]) =>
    Array.from(
      { length: times },
      (): Wish => ({ intent: ownValue(SKILLS, wanted) ?? "", params: { fail: true } }),
    ),
  );
const retiring = name.map(
  (wanted): Wish => ({
    intent: "retire a capability that nobody needs",
    params: { name: wanted, reason: "nobody needs it" },
  }),
);
const looking = fc.constantFrom<Wish>(
  { intent: "list lessons of the playbook", params: {} },
  { intent: "recall the lessons that bear on a query", params: { query: "read a page" } },
  manage,
);
const wish = fc.oneof(
  { arbitrary: fc.constantFrom(write, write, read, list), weight: 3 },
  { arbitrary: creating, weight: 3 },
  { arbitrary: calling, weight: 4 },
  { arbitrary: running, weight: 2 },
  { arbitrary: looking, weight: 1 },
  { arbitrary: retiring, weight: 2 },
);

const steps = fc.oneof(
  { arbitrary: fc.array(wish, { minLength: 1, maxLength: 5 }), weight: 3 },
  { arbitrary: fc.constantFrom([read, write], [list, read, write], [write, write]), weight: 2 },
  { arbitrary: failing.map((calls) => [...calls, manage]), weight: 4 },
  { arbitrary: fc.tuple(creating, calling, calling).map((some) => [...some, write]), weight: 2 },
);
const goal = fc.record({ weight: fc.integer({ min: 1, max: 3 }), steps });

const SUBJECTS = ["reading a page", "writing a page", "listing a folder", "adding numbers"];
const lesson = fc.record({
  trigger: fc.constantFrom(...SUBJECTS).map((one) => `${one} {n}`),
  correctPattern: fc.constant("Look at the page first, then write it"),
  domains: fc.constant([DOMAINS[0]]),
  confidence: fc.nat(1_000),
  verified: fc.boolean(),
  times: fc.constantFrom(1, 1, 2),
});

const challenge = fc.record({
  subject: fc.nat(SUBJECTS.length - 1),
  alone: fc.constantFrom(0, 300, 1_000),
  told: fc.constantFrom(0, 1_000),
  copies: fc.constantFrom(0, 0, 500),
  isShort: fc.boolean(),
});

const challengeOf = (one: typeof challenge extends fc.Arbitrary<infer T> ? T : never) => ({
  id: `dream-${one.subject + 1}`,
  domain: DOMAINS[one.subject % DOMAINS.length],
  challenge: `Find the number that is asked for when ${SUBJECTS[one.subject]} in the dark.`,
  validator: VALIDATOR,
  solver: { ...SOLUTIONS, lacks: "multiply six by seven", alone: one.alone, told: one.told },
  lessons: [
    {
      id: "seven",
      trigger: SUBJECTS[one.subject],
      correctPattern: `Multiply six by seven${one.isShort ? "" : ", and look at the page"}`,
      domains: [DOMAINS[one.subject % DOMAINS.length]],
      confidence: 600,
    },
  ],
  copies: one.copies,
});

const happening = fc.record({
  does: fc.constantFrom(
    ...(["sandbox.wipe", "sandbox.wipe", "daemon.restart", "files.write", "files.delete"] as const),
  ),
  // Often early: later on a world may have reached its limit of deliveries.
  perMille: fc.oneof(fc.nat(1_000), fc.nat(300)),
  name,
  store: fc.constantFrom("memory" as const, "sandbox" as const),
  text: fc.constantFrom(whole.text, raising.text, leaving.text),
  isRegistry: fc.boolean(),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** Where a hand was in the store, a wipe makes the keeper look at it again. */
function eventsOf(one: Happening, index: number, forMs: number): WorldEvent[] {
  const event = eventOf(one, index, forMs);
  const isSeen = one.does === "files.write" || one.does === "files.delete";
  const wipe = { id: `wipe-${index + 1}`, at: event.at, does: "sandbox.wipe" };
  return isSeen ? [event, wipe] : [event];
}

function eventOf(one: Happening, index: number, forMs: number): WorldEvent {
  const head = { id: `event-${index + 1}`, at: `${Math.floor((forMs * one.perMille) / 1_000)}ms` };
  const { does, isRegistry, store } = one;
  const path = isRegistry ? registryPath(store) : skillPath(one.name, store);
  if (does === "files.write") return { ...head, does, path, text: isRegistry ? "{}" : one.text };
  return does === "files.delete" ? { ...head, does, path } : { ...head, does };
}

/** `fixed` wins over whatever is drawn. */
export function randomSkillWorld(leaves: Leaves, fixed: Overrides = {}): fc.Arbitrary<WorldSource> {
  const drawn = fc.record({
    seed: fc.nat(),
    seconds: fc.constantFrom(20, 60, 60),
    agents: fc.integer({ min: 1, max: AGENTS.length }),
    acquired: fc.oneof({ arbitrary: stored(1), weight: 3 }, { arbitrary: stored(0), weight: 1 }),
    playbook: fc.uniqueArray(lesson, { maxLength: 4, selector: ({ trigger }) => trigger }),
    macros: fc.uniqueArray(macro, { maxLength: 2, selector: (one) => one.name }),
    challenges: fc.uniqueArray(challenge, { maxLength: 3, selector: ({ subject }) => subject }),
    goals: fc.array(goal, { minLength: 1, maxLength: 3 }),
    events: fc.array(happening, { maxLength: 3 }),
    switches: SWITCHES,
    policy: policyNeighbours(leaves, 2, Object.keys(fixed), "skills."),
  });
  return drawn.map(({ seed, seconds: long, challenges, ...rest }) => ({
    ...{ startsAt: "2026-01-01T00:00:00Z", seed, runsFor: `${long}s` },
    agents: AGENTS.slice(0, rest.agents),
    policy: { ...PACE, ...rest.policy, ...rest.switches, ...fixed },
    events: rest.events.flatMap((one, index) => eventsOf(one, index, seconds(long))),
    skills: {
      acquired: rest.acquired.map((one) => ({
        ...one,
        description: ownValue(SKILLS, one.name) ?? "",
      })),
      playbook: rest.playbook,
      macros: rest.macros,
      ...(challenges.length > 0 && { dreams: { challenges: challenges.map(challengeOf) } }),
    },
    files: { [`${SHARED}/page.md`]: PAGE },
    model: { goals: rest.goals.map(goalOf) },
    limits: LIMITS,
  }));
}

const goalOf = (
  { weight, steps: those }: typeof goal extends fc.Arbitrary<infer T> ? T : never,
  index: number,
) => ({
  slug: `goal-${index + 1}`,
  weight,
  text: `Go on ${SUBJECTS[index] ?? "reading a page"} (goal {n})`,
  artifact: "/agentOS/workspace/{agent}/{n}.md",
  plans: [{ id: "plan", weight: 1, steps: those }],
});
