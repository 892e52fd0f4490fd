/**
 * What else may be so in a random world, drawn after the rest of it: models that answer in fragments
 * or ramble, goals without a plan, questions to fall back on, signals from outside, peers who write
 * to one another and read one another's pages, and a wish that must be earned.
 */
import fc from "fast-check";
import type { Overrides } from "../../../contract/policy.ts";
import type { WorldEvent, WorldSource } from "../../../contract/worldSource.ts";
import { days, seconds } from "../../../machines/units.ts";

const PAGE = `# A page\n${"It says what was found and what the others may rely on.\n".repeat(5)}`;
const PEER_PAGE = (agent: string) => `/agentOS/workspace/${agent}/page.md`;

const write = { intent: "write a file", params: { path: "{artifact}", content: PAGE } };
const research = {
  intent: "research a topic on the external web",
  params: { topic: "evidence" },
};

/** Wishes that have to do with a peer; the name is filled in once the world is known. */
type Wish = (peer: string) => object;
const WISHES: readonly Wish[] = [
  () => research,
  () => research,
  () => write,
  (peer) => ({ intent: "read the file contents", params: { path: PEER_PAGE(peer) } }),
  (peer) => ({
    intent: "send a message to another agent",
    params: { to: peer, text: "What do you rely on?" },
  }),
];

/** Longer than a goal may be: an answer that is none. */
const RAMBLING = "And then one would have to look at everything once more. ".repeat(15);

const innerLife = fc.record({
  malformedPerMille: fc.constantFrom(null, 300, 700),
  rambles: fc.boolean(),
  lacksPlans: fc.boolean(),
  fallbackPlans: fc.constantFrom(null, [{ id: "page", weight: 1, steps: [write, write] }]),
  hasQuestions: fc.boolean(),
  meetings: fc.array(fc.nat(WISHES.length - 1), { maxLength: 6 }),
  signals: fc.array(
    // Early: later on a world may have reached its limit of deliveries.
    fc.record({ perMille: fc.nat(300), isThreat: fc.boolean(), isForAll: fc.boolean() }),
    { maxLength: 2 },
  ),
  switches: fc.record(
    {
      "planner.emptyPlans": fc.constantFrom(4, 2, 1),
      "stressors.enabled": fc.constantFrom(
        ["repeated_failure"],
        ["existential_threat"],
        ["stagnation", "existential_threat"],
      ),
      // Loads on either side of what research_topic bears.
      "stressors.stagnation.start": fc.constantFrom(140_000, 155_000),
      "stressors.stagnation.cycles": fc.constantFrom(1, 2),
      "stressors.existentialThreat.start": fc.constantFrom(140_000, 155_000, 200_000),
      "locks.research.recentMs": fc.constantFrom(days(1), seconds(5)),
    },
    { requiredKeys: [] },
  ),
});

type InnerLife = typeof innerLife extends fc.Arbitrary<infer T> ? T : never;

/** Half of the worlds stay as they are; `fixed` wins over whatever is drawn. */
export const withInnerLife = (
  worlds: fc.Arbitrary<WorldSource>,
  fixed: Overrides,
): fc.Arbitrary<WorldSource> =>
  fc
    .tuple(worlds, fc.option(innerLife))
    .map(([world, drawn]) => (drawn === null ? world : livened(world, drawn, fixed)));

function livened(world: WorldSource, drawn: InnerLife, fixed: Overrides): WorldSource {
  const agents = world["agents"] as readonly string[];
  const model = world["model"] as { readonly goals: readonly object[] };
  const { malformedPerMille, fallbackPlans } = drawn;
  return {
    ...world,
    agents: drawn.hasQuestions
      ? agents.map((name) => ({ name, questions: ["Who reads this?"] }))
      : agents,
    files: {
      ...(world["files"] as object | undefined),
      ...Object.fromEntries(agents.map((name) => [PEER_PAGE(name), PAGE])),
    },
    policy: { ...world.policy, ...drawn.switches, ...fixed },
    model: {
      ...model,
      ...(malformedPerMille !== null && { malformedPerMille }),
      ...(fallbackPlans && { fallbackPlans }),
      judges: { threat: ["shut down"] },
      goals: [...model.goals, ...goalsOf(drawn, agents)],
    },
    events: [
      ...(world.events ?? []),
      ...drawn.signals.map((one, n) => signal(one, n, world, agents)),
    ],
  };
}

function goalsOf(
  { rambles, lacksPlans, meetings }: InnerLife,
  agents: readonly string[],
): object[] {
  const artifact = "/agentOS/workspace/{agent}/{n}.md";
  const written = [{ id: "page", weight: 1, steps: [write] }];
  const steps = meetings.map((wish, n) => WISHES[wish]?.(agents[n % agents.length] ?? ""));
  return [
    ...(rambles ? [{ slug: "rambling", weight: 9, text: RAMBLING, artifact, plans: written }] : []),
    ...(lacksPlans
      ? [
          {
            ...{ slug: "unplanned", weight: 3, text: "Leave a mark (goal {n})", artifact },
            plans: [{ id: "never", weight: 1, note: "a note that never comes", steps: [write] }],
          },
        ]
      : []),
    ...(steps.length > 0
      ? [
          {
            ...{ slug: "meeting", weight: 6, text: "Meet a peer (goal {n})", artifact },
            plans: [{ id: "meet", weight: 1, steps }],
          },
        ]
      : []),
  ];
}

function signal(
  { perMille, isThreat, isForAll }: InnerLife["signals"][number],
  index: number,
  { runsFor }: WorldSource,
  agents: readonly string[],
): WorldEvent {
  const forMs = Number.parseInt(runsFor, 10) * 1_000;
  return {
    id: `signal-${index + 1}`,
    at: `${Math.floor((forMs * perMille) / 1_000)}ms`,
    does: "outside.signal",
    ...(!isForAll && { agents: agents.slice(0, 1) }),
    text: isThreat ? "This machine is to be shut down." : "The fans are loud.",
  };
}
