/**
 * Small random worlds with synt: a pool, a user, a person at the gate who may never answer, models
 * that may fail, for hours or for weeks. Biased towards what is promised: chains of five and six
 * hops, caps that bite, locks, nights inside turns, hands in the executors' folders. Ours.
 */
import fc from "fast-check";
import type { Overrides } from "../../../contract/policy.ts";
import { type Leaves, policyNeighbours } from "../../../contract/policyNeighbours.ts";
import type { WorldEvent, WorldSource } from "../../../contract/worldSource.ts";
import { ownValue } from "../../../machines/ownValue.ts";
import { EXECUTORS_FOLDER } from "../../../machines/synt/contract.ts";
import { days, hours, minutes } from "../../../machines/units.ts";
import { type Said, syntAnswers, WISHES } from "./answers.ts";

const MADE = ["compute_entries", "share_files_zip", "write_files_pdf", "order_file", "read_files"];

/** Midnights, a month's end, a leap day, a moment before the night's hour, and a plain morning. */
const STARTS = [
  "2026-06-05T08:00:00Z",
  "2026-06-05T23:59:30Z",
  "2026-12-31T23:58:59.999Z",
  "2028-02-28T22:00:00Z",
  "2026-01-31T02:59:59.900Z",
];

const PRICED = {
  provider: "anthropic",
  model: "claude-opus",
  price: { asked: 500, answered: 2_500 },
};
const TIERS: readonly Said[] = [
  {},
  {},
  {},
  { frontier: { provider: "none" } },
  { wise: { provider: "llamacpp", model: "small-7b" }, frontier: PRICED },
  { middle: PRICED, wise: PRICED },
  { wise: PRICED, "local-fast": PRICED },
  { middle: { provider: "anthropic", model: "claude-opus" } },
  { middle: { provider: "none" } },
  { wise: { provider: "llamacpp", model: "small-7b" } },
  { "local-fast": { provider: "none" }, middle: PRICED },
];

const SWITCHES = fc.record(
  {
    "synt.budget.softCents": fc.constantFrom(200, 4, 1),
    "synt.budget.hardCents": fc.constantFrom(500, 30, 3, 0),
    "synt.budget.dayCents": fc.constantFrom(2_000, 60, 14, 0),
    "synt.tiers.estimateCents.generate": fc.constantFrom(0, 40),
    "synt.stages.modelTimeoutMs": fc.constantFrom(minutes(10), minutes(1)),
    "synt.stages.mode": fc.constantFrom("multistage", "poc"),
    "synt.gate.waitMs": fc.constantFrom(days(7), hours(1), minutes(1)),
    "synt.locks.abandonMs": fc.constantFrom(days(1), hours(1), 0),
    "synt.locks.rejectMs": fc.constantFrom(days(30), days(2), 0),
    "synt.compose.autonomy": fc.constantFrom("supervised", "full"),
    "synt.compose.hopsMax": fc.constantFrom(5, 6, 2, 0),
    "synt.compose.cleanRuns": fc.constantFrom(5, 1),
    "synt.compose.chainsMax": fc.constantFrom(3, 1, 2),
    "synt.compare": fc.constantFrom("first", "best"),
    "synt.reward.gate": fc.constantFrom(650, 500, 800),
  },
  { requiredKeys: [] },
);

const turn = fc.record({
  // The first two are those that can be met, the first by a chain.
  wish: fc.oneof(fc.constant(0), fc.nat(1), fc.nat(WISHES.length - 1)),
  ms: fc.oneof(fc.nat(minutes(8)), fc.nat(days(2)), fc.constantFrom(0, days(1), days(1) - 1)),
  budget: fc.constantFrom(null, null, 0, 3, 10, 40),
  isLoud: fc.boolean(),
  isBare: fc.boolean(),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

const person = fc.record({
  to: fc.constantFrom(null, "chain", "executor", "proposal", "soft-cap"),
  decision: fc.constantFrom("approve", "approve", "approve", "discard", "amend"),
  after: fc.constantFrom("1s", "20s", "5m", "5h", "3d"),
  target: fc.constantFrom(null, null, "compose", "generate"),
  times: fc.constantFrom(null, null, 1, 2),
});

/** A person who approves of everything after a moment. */
const WILLING: Person = { to: null, decision: "approve", after: "20s", target: null, times: null };
export const WILLING_PEOPLE: readonly Said[] = [personOf(WILLING, 0)];

const tampering = fc.record({
  does: fc.constantFrom("files.write", "files.write", "files.delete"),
  name: fc.oneof(fc.constantFrom(...MADE.slice(0, 2)), fc.constantFrom(...MADE)),
  file: fc.constantFrom("NAME.py", "manifest.json", "manifest.json.sig", "more.py"),
  text: fc.constantFrom("def invoke(args):\n    return {}\n", "{}", "00", ""),
  ms: fc.oneof(fc.nat(minutes(30)), fc.nat(days(2))),
});

/** What the user does at any time, besides asking for things. */
const asking = fc.record({
  does: fc.constantFrom("synt.homeostasis", "synt.revise", "synt.revise"),
  ms: fc.oneof(fc.nat(minutes(30)), fc.nat(days(3))),
  lookback: fc.constantFrom(null, "1h", "30d"),
  request: fc.integer({ min: 1, max: 4 }),
  target: fc.constantFrom(null, "compose", "generate"),
});
type Asking = typeof asking extends fc.Arbitrary<infer T> ? T : never;

function askingOf({ does, ms, lookback, request, target }: Asking, index: number): TimedEvent {
  const head = { id: `asking-${index + 1}`, at: `${ms}ms`, ms, does };
  if (does === "synt.homeostasis") return { ...head, ...(lookback !== null && { lookback }) };
  const revised = { request: `req-000${request}`, feedback: "Make it smaller." };
  return { ...head, ...revised, ...(target !== null && { target }) };
}

type TimedEvent = WorldEvent & { readonly ms: number };

const turnOf = ({ wish, ms, budget, isLoud, isBare }: Turn, index: number): Said => {
  const says = WISHES[wish]?.says ?? "";
  return {
    ...{ id: `turn-${index + 1}`, at: `${ms}ms`, says: isLoud ? says.toUpperCase() : says },
    ...(budget !== null && { budgetCents: budget }),
    ...(!isBare && { args: { items: [1, 2] } }),
    ...(index % 2 === 0 && { case: "csv" }),
  };
};

function eventOf(one: Tampering, index: number): TimedEvent {
  const { does, name, file, text, ms } = one;
  const path = `${EXECUTORS_FOLDER}/${name}/${file.replace("NAME", name)}`;
  const head = { id: `event-${index + 1}`, at: `${ms}ms`, ms, does, path };
  return does === "files.write" ? { ...head, text } : head;
}
type Tampering = typeof tampering extends fc.Arbitrary<infer T> ? T : never;

const LENGTHS = {
  "1h": hours(1),
  "3h": hours(3),
  "1d": days(1),
  "2d": days(2),
  "9d": days(9),
} as const;

// The pools of random worlds with synt: lines of executors, twins, a family, and what was seen of them. Ours.

const HOPS = "read filter sort group classify compress share"
  .split(" ")
  .map((verb) => `${verb}_files`);
const FAMILY = ["image", "audio", "doc"];

const described = (name: string): string =>
  `SCOPO: ${name.replaceAll("_", " ")}. PATTERN: ${name}(items). NON: nothing else. OUT: what it did.`;
const executor = (name: string, more: Said = {}): Said => ({
  ...{ name, description: described(name), ...more },
});

const pool = fc.record({
  hops: fc.nat(HOPS.length - 1),
  short: fc.option(fc.tuple(fc.nat(HOPS.length - 1), fc.nat(HOPS.length - 1))),
  // Where a heavy one leads back along a light line, a walk in circles would be the best.
  shortUses: fc.constantFrom(3, 40),
  lineUses: fc.constantFrom(9, 9, 2),
  works: fc.constantFrom(1_000, 1_000, 700, 0),
  pair: fc.constantFrom("none", "same", "differ"),
  family: fc.constantFrom("none", "same", "differ"),
  hot: fc.boolean(),
  links: fc.constantFrom(0, 10, 51),
});
type Pool = typeof pool extends fc.Arbitrary<infer T> ? T : never;

/** `read_files` and the pool's hops to `share_files`, where there are any. */
const lineOf = ({ hops }: Pool): readonly string[] => [
  ...HOPS.slice(0, Math.max(1, hops)),
  ...(hops > 0 ? HOPS.slice(-1) : []),
];

function executorsOf(given: Pool): readonly Said[] {
  const { works, pair, family, hot, links } = given;
  const line = lineOf(given).map((name, index) =>
    executor(name, {
      // Different kinds, else the night would merge them all.
      ...{ takes: [`files-${index}`], gives: [`files-${index + 1}`] },
      ...(index === 1 && { works }),
    }),
  );
  const reach = (where: string): Said => ({ "fs:write": [where] });
  const pdf = (name: string, where: string) =>
    executor(name, { takes: ["pdf"], gives: ["path"], profile: reach(where) });
  const kinds = FAMILY.map((kind) =>
    executor(`order_${kind}_file`, {
      ...{ takes: ["path"], gives: ["files"], shape: { by: "date", file_kind: kind } },
      profile: family === "differ" ? { [`net:${kind}`]: [kind], [`fs:${kind}`]: ["~/"] } : {},
    }),
  );
  const cases = { csv: 38, doc: 2 };
  return [
    ...line,
    ...(pair === "none"
      ? []
      : [pdf("archive_pdf", "~/a/"), pdf("store_pdf", pair === "same" ? "~/a/" : "~/b/")]),
    ...(family === "none" ? [] : kinds),
    ...(hot
      ? [
          executor("filter_messages", {
            takesMs: 9_000,
            seen: { runs: 40, ok: 40, meanMs: 9_000, cases },
          }),
        ]
      : []),
    ...(links > 0
      ? ["find_urls", "read_urls_html", "compress_texts"].map((name) => executor(name))
      : []),
  ];
}

function mnestsOf(given: Pool): readonly Said[] {
  const { short, shortUses, lineUses, pair, works } = given;
  const line = lineOf(given);
  const along = line.slice(0, -1).map((from, index) => ({
    ...{
      from,
      to: line[index + 1] ?? "",
      uses: lineUses,
      ...(index === 0 && works < 1_000 && { failed: 9 }),
    },
  }));
  const across = (short ?? []).map((index) => HOPS[index] ?? "");
  return [
    ...along,
    ...(across.length === 2 && across.every((name) => line.includes(name))
      ? [{ from: across[0] ?? "", to: across[1] ?? "", uses: shortUses }]
      : []),
    ...(pair === "none" ? [] : [{ from: "archive_pdf", to: "store_pdf", uses: 20, over: "2d" }]),
  ];
}

const memosOf = ({ links }: Pool): readonly Said[] =>
  links === 0
    ? []
    : [
        { query: "Which links are in here?", chain: ["find_urls", "read_urls_html"], uses: links },
        {
          query: "Say it in short.",
          chain: ["find_urls", "read_urls_html", "compress_texts"],
          uses: links,
        },
      ];

/** `fixed` wins over whatever is drawn. */
export function randomSyntWorld(leaves: Leaves, fixed: Overrides = {}): fc.Arbitrary<WorldSource> {
  const drawn = fc.record({
    seed: fc.nat(),
    runsFor: fc.constantFrom("1h", "1h", "1h", "3h", "3h", "1d", "1d", "2d", "9d"),
    startsAt: fc.constantFrom(...STARTS),
    pool,
    turns: fc.array(turn, { maxLength: 3 }),
    people: fc.oneof<fc.Arbitrary<readonly Person[]>[]>(
      fc.constant([WILLING]),
      fc.array(person, { maxLength: 4 }),
    ),
    tampering: fc.array(tampering, { maxLength: 2 }),
    askings: fc.array(asking, { maxLength: 2 }),
    isMissing: fc.boolean(),
    tiers: fc.oneof(fc.constant({}), fc.constantFrom(...TIERS)),
    answers: syntAnswers,
    switches: SWITCHES,
    policy: policyNeighbours(leaves, 2, Object.keys(fixed), "synt."),
  });
  return drawn.map(({ seed, runsFor, startsAt, pool: given, ...rest }) => ({
    ...{ startsAt, seed, runsFor },
    policy: {
      "synt.naming.exceptions": SYNT_NAMES,
      ...{ ...rest.policy, ...rest.switches, ...fixed },
    },
    events: [...rest.tampering.map(eventOf), ...rest.askings.map(askingOf)]
      .filter(({ ms }) => ms <= (ownValue(LENGTHS, runsFor) ?? 0))
      .map(({ ms: _, ...event }) => event),
    synt: {
      ...{ tiers: rest.tiers, executors: executorsOf(given) },
      ...{ mnests: mnestsOf(given), memos: memosOf(given) },
      missing: rest.isMissing
        ? [{ name: "order_video_file", intent: "Order my videos by date.", from: "read_files" }]
        : [],
      turns: rest.turns.filter(({ ms }) => ms <= (ownValue(LENGTHS, runsFor) ?? 0)).map(turnOf),
      answers: rest.answers,
      person: rest.people.map(personOf),
    },
    limits: { envelopes: 500, deliveriesPerInstant: 300 },
  }));
}

/** The seed's own examples, which are outside the vocabulary. */
export const SYNT_NAMES = [
  "archive_pdf",
  "store_pdf",
  "order_file",
  ...FAMILY.map((kind) => `order_${kind}_file`),
];

type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;

function personOf({ to, decision, after, target, times }: Person, index: number): Said {
  return {
    ...{ id: `person-${index + 1}`, decision, after, feedback: "Make it smaller." },
    ...(to !== null && { to }),
    ...(target !== null && { target }),
    ...(times !== null && { times }),
  };
}
