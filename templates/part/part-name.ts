// The part `part-name`: jobs that come to one worker, and are given up when they wait too long.
import * as Schema from "effect/Schema";
import {
  arrivals,
  type ChartTypes,
  definePart,
  fc,
  fields,
  integer,
  metricsIn,
  type Outcome,
  post,
  questionsBy,
  service,
  startActor,
} from "ghostlight";
import { setup } from "xstate";

// 1. Numbers that a scenario, a variant or `--set` may change.
const time = { unit: "ms", min: 1_000, max: 86_400_000, source: "ours" };
const leaves = {
  workMs: integer(300_000, { ...time, says: "How long the worker needs for one job." }),
  patienceMs: integer(420_000, { ...time, says: "How long a job waits before it is given up." }),
};

// 2. What is measured: counts of events, for expectations, reports and pictures.
const jobs = metricsIn("jobs");
const metrics = {
  "partName.done": jobs("Jobs that were done.", { "job.done": 1 }),
  "partName.givenUp": jobs("Jobs that waited too long.", { "job.givenUp": 1 }),
};

// 3. What a scenario says of it, as `partName:` in its YAML.
const job = Schema.Struct({
  id: fields.says(fields.id, "Its name."),
  at: fields.says(fields.duration, "When it comes."),
});
const section = Schema.Struct({ jobs: fields.says(fields.listOf(job, 0, 999), "What comes.") });

type Named = { readonly id: string };
type Section = { readonly partName?: typeof section.Type };

// 4. Its events with their fields: from here on the compiler checks every sender and reader.
declare module "ghostlight" {
  interface Mail {
    "job.came": Named;
    "job.begun": Named;
    "job.done": Named;
    "job.givenUp": Named;
  }
  interface PolicyTree extends Readonly<{ partName: typeof leaves }> {}
  interface Metrics extends Readonly<typeof metrics> {}
  interface Sections extends Section {}
  interface SectionSources extends Section {}
}

// 5. Behaviour with a life of its own is a statechart. Delays are named; mail is the only way to speak.
const jobMachine = (delays: { readonly workMs: number; readonly patienceMs: number }) =>
  setup({
    types: {} as ChartTypes<Named, "job.begun", Named>,
    actions: {
      come: post(({ context: { id } }) => [{ to: "worker", event: { type: "job.came", id } }]),
      end: post(({ context: { id } }) => [{ to: "worker", event: { type: "job.done", id } }]),
      giveUp: post(({ context: { id } }) => [{ to: "worker", event: { type: "job.givenUp", id } }]),
    },
    delays: { work: delays.workMs, patience: delays.patienceMs },
  }).createMachine({
    id: "job",
    context: ({ input: { id } }) => ({ id }),
    initial: "waiting",
    states: {
      waiting: { entry: "come", on: { "job.begun": "begun" }, after: { patience: "givenUp" } },
      begun: { after: { work: "done" } },
      done: { type: "final", entry: "end" },
      givenUp: { type: "final", entry: "giveUp" },
    },
  });

// 6. A list that others ask is a service: pure functions from a state and an event to a state and letters.
type Line = { readonly ids: readonly string[]; readonly now: string | null };

/** Begins the first job of the line when no other is being worked on. */
function next({ ids, now }: Line): Outcome<Line> {
  const [id, ...rest] = ids;
  if (now !== null || id === undefined) return { state: { ids, now }, letters: [] };
  const letters = [{ to: `job/${id}`, event: { type: "job.begun", id } as const }];
  return { state: { ids: rest, now: id }, letters };
}

const gone = ({ ids, now }: Line, { id }: Named): Outcome<Line> =>
  next({ ids: ids.filter((one) => one !== id), now: now === id ? null : now });

const worker = service<Line>(
  "worker",
  { ids: [], now: null },
  {
    "job.came": ({ ids, now }, { id }) => next({ ids: [...ids, id], now }),
    "job.done": gone,
    "job.givenUp": gone,
  },
);

// 7. The part: everything that the program may know of it. `Part` in its types says what else there is.
export default definePart({
  name: "part-name",
  policy: { partName: leaves },
  metrics,
  statecharts: ({ partName }) => ({ job: jobMachine(partName) }),
  services: () => ({ worker }),
  stage: {
    opening: ({ partName }) => [
      { id: "stage", letter: startActor("worker", "worker", {}) },
      ...arrivals("job", partName?.jobs),
    ],
  },
  words: {
    "job.begun": ({ id }) => `The worker began ${id}.`,
    "job.done": ({ id }) => `${id} was done.`,
    "job.givenUp": ({ id }) => `${id} was given up: it waited too long.`,
  },
  questions: questionsBy("job:NAME", "no job was given up", ({ event }) =>
    event.type === "job.givenUp" ? event.id : undefined,
  ),
  scenario: {
    fields: {
      behind: { partName: fields.says(Schema.optionalKey(section), "Jobs for one worker.") },
    },
    peopledBy: "partName",
  },
  // What must hold in every world; `ghostlight check` looks for one that breaks it.
  promises: async () => ({
    properties: [
      {
        ...{ kind: "world", id: "part-name-once", source: "ours", expected: "holds" },
        says: "No job that was given up is done.",
        watch: () => {
          const givenUp = new Set<string>();
          return ({ delivery: { event } }) => {
            if (event.type === "job.givenUp") givenUp.add(event.id);
            if (event.type !== "job.done") return undefined;
            return !givenUp.has(event.id) || `${event.id} was given up and done`;
          };
        },
      },
    ],
    worlds: {
      random: () =>
        fc.record({ seed: fc.nat(), at: fc.array(fc.nat(59)) }).map(({ seed, at }) => ({
          ...{ seed, runsFor: "2h" },
          partName: { jobs: at.map((minute, nth) => ({ id: `j${nth}`, at: `${minute}m` })) },
        })),
    },
  }),
});
