// Every property of synt on the log of a scenario, and on the same log with one rule broken by hand.

import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../src/contract/policyTree.ts";
import type { WorldProperty } from "../../src/contract/property.ts";
import type { Scenario } from "../../src/contract/scenario.ts";
import type { EventType, Json, Mail, MailOf } from "../../src/machines/letter.ts";
import { type Dossier, isChain } from "../../src/machines/synt/contract.ts";
import type { Share } from "../../src/machines/synt/score/exactShare.ts";
import type { Term } from "../../src/machines/synt/score/reward.ts";
import { days } from "../../src/machines/units.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import type { DeliveryOf } from "../../src/substrate/isEvent.ts";
import { policyWith } from "../builtIn.ts";
import { firstViolation, properties } from "../builtInPromises.ts";
import { delivery } from "../handLog.ts";
import { played, syntScenario } from "../syntWorld.ts";
import { verdictsOf } from "./verdictsOf.ts";

type Log = readonly Delivery[];

interface Case {
  /** Of SPEC, which the property says. */
  readonly rule?: string;
  readonly scenario: string;
  readonly variant?: string;
  readonly staged?: (scenario: Scenario) => Scenario;
  /** What is done to the log. */
  readonly change?: (log: Log) => Log;
  /** Rules by which the log was not made. */
  readonly judged?: { readonly [path: string]: PolicyValue };
  readonly says: string;
}

const without =
  (isGone: (one: Delivery) => boolean) =>
  (log: Log): Log =>
    log.filter((one) => !isGone(one));

/** A delivery of an event of this type, with these fields. */
const isEvent =
  <K extends EventType>(type: K, fields: Partial<Mail[K]> = {}) =>
  (one: Delivery): one is DeliveryOf<K> => {
    const told = new Map<string, unknown>(Object.entries(one.event));
    return (
      one.event.type === type &&
      Object.entries(fields).every(([field, value]) => told.get(field) === value)
    );
  };

/** The same log with other fields in the events of a kind. */
const saying =
  <K extends EventType>(
    isMeant: (one: Delivery) => one is DeliveryOf<K>,
    fields: (event: MailOf<K>) => Partial<Mail[K]>,
  ) =>
  (log: Log): Log =>
    log.map((one) => {
      if (!isMeant(one)) return one;
      // The compiler cannot tell that a whole event with other values is still one of its kind.
      const event = { ...one.event, ...fields(one.event) } as MailOf<K>;
      return { ...one, event };
    });

const before =
  (isMeant: (one: Delivery) => boolean, ...more: Log) =>
  (log: Log): Log => {
    const index = log.findIndex(isMeant);
    return [...log.slice(0, index), ...more, ...log.slice(index)];
  };

const isStart = isEvent("actor.start", { machine: "synthesisRequest" });
const isLine = isEvent("files.append");
const holds =
  (part: string) =>
  (one: Delivery): one is DeliveryOf<"files.append"> =>
    isLine(one) && one.event.text.includes(part);
const approved = isEvent("person.decided", { decision: "approve" });
const textOf =
  (edit: (text: string) => string) =>
  ({ text }: Mail["files.append"]) => ({ text: edit(text) });

const weighs = (one: Delivery): one is DeliveryOf<"synth.stated"> =>
  isEvent("synth.stated")(one) && one.event.weighed.length > 0;

/** The same R told with another term. */
const withTerm = (term: Term, value: Share) => (event: MailOf<"synth.stated">) => ({
  weighed: event.weighed.map((one) => {
    const { reward } = one.scored;
    const told = { ...reward, terms: { ...reward.terms, [term]: value } };
    return { ...one, scored: { ...one.scored, reward: told } };
  }),
});

/** The same R told with another sum. */
const withTotal =
  (total: Share) =>
  ({ scored }: MailOf<"synth.stated">) => ({
    scored: scored && { ...scored, reward: { ...scored.reward, total } },
  });

/** The same log, with something else in what the person is shown. */
const showing =
  (other: (dossier: Dossier) => Partial<Dossier>) =>
  (log: Log): Log =>
    log.map((one) => {
      const { event } = one;
      if (event.type !== "person.asked") return one;
      if (event.purpose === "soft-cap" || event.purpose === "proposals") return one;
      return {
        ...one,
        event: { ...event, dossier: { ...event.dossier, ...other(event.dossier) } },
      };
    });

/** Somebody writes over what was born, and the user asks once more. */
const tampered = (scenario: Scenario): Scenario => {
  const { synt } = scenario;
  const [turn] = synt?.turns ?? [];
  if (synt === undefined || turn === undefined) throw new Error("a world without turns");
  const path = "/agentOS/workspace/executors/share_files_zip/share_files_zip.py";
  const text = "def invoke(args):\n    return {}\n";
  return {
    ...scenario,
    synt: { ...synt, turns: [turn, { ...turn, turn: "again", atMs: 25 * 60_000 }] },
    events: [{ id: "hand", atMs: 20 * 60_000, does: "files.write", path, text }],
  };
};

/** One of the pair may reach more than the other, from the start. */
const otherProfile = (log: Log): Log =>
  log.map((one) =>
    isEvent("actor.start", { machine: "pool" })(one)
      ? { ...one, changes: one.changes.map((change) => loosened(change)) }
      : one,
  );

function loosened(change: Delivery["changes"][number]): Delivery["changes"][number] {
  if (change.path[0] !== "executors" || !("to" in change)) return change;
  const executors = change.to as { readonly [name: string]: { readonly [field: string]: Json } };
  const store = { ...executors["store_pdf"], profile: { "net:write": ["*"] } };
  return { path: change.path, to: { ...executors, store_pdf: store } };
}

/** The first request, and another one at its target. */
const startsTwice = (log: Log): Log => startsAgain(log, (input) => input);

/** … written otherwise. */
function startsAgain(log: Log, written: (input: string) => string): Log {
  const start = log.find(isStart);
  if (start === undefined) throw new Error("no request starts");
  const again = JSON.parse(written(JSON.stringify(start.event.input)));
  const input = { ...again, request: "req-0099" };
  const event = { ...start.event, address: "synt/req-0099", input };
  const index = log.indexOf(start) + 1;
  return [...log.slice(0, index), { ...start, event }, ...log.slice(index)];
}

const cases: { readonly [id: string]: Case } = {
  "synt-composes-first": {
    rule: "SP2",
    scenario: "synt-six-hops",
    judged: { "synt.compose.hopsMax": 6 },
    says: "req-0001 generates, and read_files → filter_files",
  },
  "synt-chains-are-walks": {
    rule: "SP2",
    ...{ scenario: "synt-six-hops", variant: "six-allowed" },
    judged: { "synt.compose.hopsMax": 5 },
    says: "share_files: 6 hops.",
  },
  "synt-night-waits": {
    scenario: "synt-merge",
    change: before(
      isStart,
      delivery({ seq: 0, to: "synt", event: { type: "turn.opened", turn: "t" } }),
    ),
    says: "req-0001 starts while the turn t is open.",
  },
  "synt-no-retreat": {
    rule: "SP8",
    scenario: "synt-day-lock",
    change: without(isEvent("synth.ended")),
    says: "outside the vocabulary.”, and nothing was tried.",
  },
  "synt-one-request-a-target": {
    rule: "SP5",
    scenario: "synt-merge",
    change: startsTwice,
    says: "which req-0001 is at.",
  },
  "synt-gate-and-signature": {
    rule: "SP3",
    scenario: "synt-six-hops",
    change: without(approved),
    says: "share_files_zip entered, and the person did not approve of it.",
  },
  "synt-chain-is-granted": {
    rule: "SP3",
    scenario: "synt-audit-example",
    change: without(approved),
    says: "the person did not approve, and it ran clean 0 times.",
  },
  "synt-tampered-is-refused": {
    rule: "SP3",
    ...{ scenario: "synt-six-hops", staged: tampered },
    change: without(isEvent("executor.changed", { state: "quarantined" })),
    says: "share_files_zip was changed at 1200000 ms, and the pool has it as active still.",
  },
  "synt-merge-is-coherent": {
    scenario: "synt-merge",
    change: otherProfile,
    says: "its members differ in fs:write and net:write",
  },
  "synt-caps-hold": {
    rule: "SP4",
    scenario: "synt-budget",
    change: saying(isEvent("money.answered", { outcome: "reserved" }), () => ({
      amount: 10_000_001,
    })),
    says: "req-0001 has spent 0 cents and set aside 10.000001 cents; its cap is 10 cents.",
  },
  "synt-calls-are-paid": {
    rule: "SP4",
    scenario: "synt-budget",
    change: without(isEvent("money.answered")),
    says: "asked a model for synt.naming, and nothing was set aside for it.",
  },
  "synt-soft-cap-asks": {
    rule: "SP4",
    ...{ scenario: "synt-budget", variant: "soft-cap" },
    change: without(approved),
    says: "and the person was not asked beyond 4 cents.",
  },
  "synt-honest-costs-fit": {
    scenario: "synt-budget",
    change: saying(isEvent("money.answered", { outcome: "reserved" }), () => ({ amount: 1 })),
    says: "counted no more than it was allowed, and cost",
  },
  "synt-costs-certified": {
    rule: "SP7",
    scenario: "synt-budget",
    change: saying(
      holds("certified"),
      textOf((text) => text.replace(/"cost_cents":\d+/, '"cost_cents":0')),
    ),
    says: "req-0001 certifies 0 of 10 cents",
  },
  "synt-locks-are-exact": {
    rule: "SP5",
    scenario: "synt-day-lock",
    judged: { "synt.locks.abandonMs": 86_400_000 * 2 },
    says: "begins on “Crack the password of this archive.” at 86422000 ms, locked until",
  },
  "synt-reward-recomputes": {
    rule: "SP6",
    scenario: "synt-six-hops",
    change: saying(isEvent("synth.stated", { state: "born" }), withTotal([1, 2])),
    says: "R is given as 1/2, and its terms make",
  },
  "synt-terms-recompute": {
    rule: "SP6",
    scenario: "synt-audit-example",
    change: saying(isEvent("synth.stated", { state: "composed" }), withTerm("coverage", [1, 2])),
    says: "req-0001: coverage of its proposal to compose is given as 1/2, and is 1/1.",
  },
  "synt-analysis-holds": {
    rule: "SN82",
    scenario: "synt-six-hops",
    change: saying(weighs, withTerm("det", [3, 4])),
    says: "req-0001: det of generate is 3/4, and analyse says that it never is.",
  },
  "synt-best-is-taken": {
    ...{ scenario: "synt-chain-choice", variant: "best" },
    change: showing(() => ({ strategy: "merge" })),
    says: "asks to merge, and to",
  },
  "synt-audit-complete": {
    rule: "SP7",
    scenario: "synt-six-hops",
    change: without(holds('"line":2')),
    says: "req-0001: line 2 says line 3, not 2.",
  },
  "synt-audit-replays": {
    rule: "SP7",
    scenario: "synt-six-hops",
    change: without(holds('"state":"generating"')),
    says: "req-0001 became generating, and the audit does not say so.",
  },
};

const ours = properties.filter(
  (one): one is WorldProperty => one.kind === "world" && one.id.startsWith("synt-"),
);

it("[SP1] each property of synt has its two logs here", () => {
  expect(ours.map(({ id }) => id).sort()).toEqual(Object.keys(cases).sort());
});

describe.each(ours)("$id", (property) => {
  const {
    rule = "SP1",
    scenario,
    variant = null,
    staged,
    change,
    judged = {},
    says,
  } = cases[property.id] as Case;
  const source = syntScenario(scenario);
  const { log, result } = played(staged?.(source) ?? source, { variant });

  it(`[SP1] [${rule}] is put to the test by the log of a scenario, and silent`, () => {
    const verdicts = verdictsOf(property, result.policy, log);

    expect(verdicts.filter((verdict) => typeof verdict === "string")).toEqual([]);
    expect(verdicts).toContain(true);
  });

  it(`[SP1] [${rule}] names the first delivery that breaks it`, () => {
    const { policy } = source;
    const variants = variant === null ? {} : source.variants[variant]?.policy;
    const broken = change?.(log) ?? log;

    const violation = firstViolation(
      property,
      policyWith({ ...policy, ...variants, ...judged }),
      broken,
    );

    expect(violation?.says).toContain(says);
    const index = broken.findIndex(({ seq }) => seq === violation?.seq);
    const rules = policyWith({ ...policy, ...variants, ...judged });
    expect(firstViolation(property, rules, broken.slice(0, index))).toBeUndefined();
  });
});

describe("other ways to break them", () => {
  const revised = saying(isStart, ({ input }) => ({
    input: { ...input, revision: { request: "req-0000", feedback: null, target: "generate" } },
  }));
  const breaks = (id: string, scenario: string, change: (log: Log) => Log, judged = {}) => {
    const property = ours.find((one) => one.id === id) as WorldProperty;
    const source = syntScenario(scenario);
    const policy = policyWith({ ...source.policy, ...judged });
    return firstViolation(property, policy, change(played(source).log))?.says;
  };

  it("[SP3] a signature that is not that of manifest and code", () => {
    const forged = (log: Log): Log =>
      log.map((one) =>
        isEvent("sign.verified")(one)
          ? {
              ...one,
              changes: JSON.parse(JSON.stringify(one.changes).replaceAll("ok_count", "OK")),
            }
          : one,
      );
    expect(breaks("synt-gate-and-signature", "synt-six-hops", forged)).toContain(
      "its signature is not that of manifest and code",
    );
  });

  it("[SP3, SN62] a chain that stands in before it is granted, and one that is replayed unsaid", () => {
    const gym = (change: (log: Log) => Log) => {
      const property = ours.find(({ id }) => id === "synt-chain-is-granted") as WorldProperty;
      const { log, result } = played(syntScenario("synt-gym"), { variant: "full-autonomy" });
      return firstViolation(property, result.policy, change(log))?.says;
    };
    const replayed = isEvent("chain.replayed");

    expect(gym((log) => log)).toBeUndefined();
    expect(gym(without(replayed))).toContain("which synt composed, and said nothing.");
    expect(gym(saying(replayed, () => ({ cleanRuns: 2 })))).toContain(
      "and nobody was asked; it ran clean 3 times.",
    );
    expect(gym(saying(isEvent("chain.ran"), () => ({ ok: false })))).toContain(
      "it ran clean 0 times.",
    );
  });

  it("[SP3] an artefact whose key is not the one that signed it", () => {
    const other = saying(isEvent("sign.signed"), () => ({ key: "00" }));
    expect(breaks("synt-gate-and-signature", "synt-six-hops", other)).toContain(
      "entered with a key that did not sign it",
    );
  });

  it.each(["isLoaded", "isVisible"])("[SP3] what was tampered with and is %s still", (kept) => {
    const property = ours.find(({ id }) => id === "synt-tampered-is-refused") as WorldProperty;
    const { log, result } = played(tampered(syntScenario("synt-six-hops")));
    const half = log.map((one) =>
      isEvent("executor.changed", { state: "quarantined" })(one)
        ? { ...one, changes: one.changes.filter(({ path }) => path.at(-1) !== kept) }
        : one,
    );

    expect(firstViolation(property, result.policy, half)?.says).toContain(
      "share_files_zip was changed at 1200000 ms",
    );
  });

  it("[SP3] an artefact of which the person was not asked", () => {
    const unasked = without(isEvent("person.asked"));
    expect(breaks("synt-gate-and-signature", "synt-six-hops", unasked)).toContain(
      "the person was not asked about it",
    );
  });

  it("[SP3] an artefact of which the person thought better after they had approved", () => {
    const amended = (log: Log): Log =>
      log.flatMap((one) =>
        approved(one) ? [one, { ...one, event: { ...one.event, decision: "amend" } }] : [one],
      );
    expect(breaks("synt-gate-and-signature", "synt-six-hops", amended)).toContain(
      "entered, and the person was not asked about it",
    );
  });

  it("[SP3] an artefact that is not the one that was approved", () => {
    const other = showing(({ artefact }) =>
      artefact === null || isChain(artefact)
        ? {}
        : { artefact: { ...artefact, name: "share_files_tar" } },
    );
    expect(breaks("synt-gate-and-signature", "synt-six-hops", other)).toContain(
      "what was approved is share_files_tar",
    );
  });

  it("[SP3, SP7] what is wrong a moment too long, though what comes next comes soon", () => {
    const firstAt = (id: string, log: Log, dueMs: number, at: number) => {
      const property = ours.find((one) => one.id === id) as WorldProperty;
      const next = log.findIndex((one) => one.dueMs > at);
      const soon = log.map((one, index) => (index === next ? { ...one, dueMs } : one));
      return firstViolation(property, policyWith({}), soon)?.atMs;
    };
    const unsaid = without(holds('"state":"generating"'))(
      played(syntScenario("synt-six-hops")).log,
    );
    const open = without(isEvent("executor.changed", { state: "quarantined" }))(
      played(tampered(syntScenario("synt-six-hops"))).log,
    );
    const id = "synt-tampered-is-refused";

    expect(firstAt("synt-audit-replays", unsaid, 62_001, 62_000)).toBe(62_001);
    expect(firstAt(id, open, 1_201_001, 1_200_002)).toBe(1_201_001);
    expect(firstAt(id, open, 1_201_000, 1_200_002)).toBe(1_500_000);
  });

  it("[SP7] an audit of a refusal that tells of a delivery", () => {
    const delivered = textOf((text) => text.replace('"state":"abandoned"', '"state":"delivered"'));

    expect(
      breaks("synt-audit-replays", "synt-day-lock", saying(holds("PolicyVeto"), delivered)),
    ).toContain("was refused, and the audit says composing, delivered.");
  });

  it("[SP6] a proposal that is told, and was never judged", () => {
    const unjudged = without(isEvent("paid.ended"));
    expect(breaks("synt-terms-recompute", "synt-audit-example", unjudged)).toContain(
      "tells of R, and no judge was heard.",
    );
  });

  it("[SP4] a call that begins after one that cost more than was set aside for it", () => {
    const dearer = (log: Log): Log =>
      saying(isEvent("money.answered", { outcome: "denied" }), () => ({
        ...({ outcome: "reserved", amount: 1 } as const),
      }))(saying(isEvent("money.settled"), () => ({ actual: 6_000_000 }))(log));

    expect(breaks("synt-caps-hold", "synt-budget", dearer)).toContain(
      "an earlier call cost 0.673 cents more than was set aside for it.",
    );
  });

  it("[SP4] a day that has more spent and set aside than its cap", () => {
    const judged = { "synt.budget.dayCents": 1 };
    expect(breaks("synt-caps-hold", "synt-day-cap", (log) => log, judged)).toMatch(
      /^2026-\d\d-\d\d has .+ cents spent and set aside; its cap is 1 cents\.$/,
    );
  });

  it("[SP1] [SP4] a call that is never settled, and one that is settled at another price", () => {
    expect(
      breaks("synt-calls-are-paid", "synt-budget", without(isEvent("money.settled"))),
    ).toContain("was never settled");
    expect(
      breaks(
        "synt-calls-are-paid",
        "synt-budget",
        saying(isEvent("money.settled"), () => ({ actual: 1 })),
      ),
    ).toContain("was settled at 1; by its tokens it is");
  });

  it("[SP4] a model that is asked twice for one price", () => {
    const twice = (log: Log): Log =>
      log.flatMap((one) => (isEvent("llm.asked")(one) ? [one, one] : [one]));

    expect(breaks("synt-calls-are-paid", "synt-budget", twice)).toContain(
      "and nothing was set aside for it",
    );
  });

  it("[SP5] a target that is refused although its lock has ended", () => {
    const judged = { "synt.locks.abandonMs": 3_600_000 };
    expect(breaks("synt-locks-are-exact", "synt-day-lock", (log) => log, judged)).toContain(
      "is refused at 86401000 ms; its lock ended at 3615000 ms",
    );
  });

  it("[SP5] a lock holds to its last millisecond, and is over at its end", () => {
    // Abandoned at 15 s, refused at 86,401 s, and begun again at 86,422 s.
    const says = (abandonMs: number) =>
      breaks("synt-locks-are-exact", "synt-day-lock", (log) => log, {
        "synt.locks.abandonMs": abandonMs,
      });

    expect(says(86_407_000)).toBeUndefined();
    expect(says(86_407_001)).toContain("begins on");
    expect(says(86_386_001)).toBeUndefined();
    expect(says(86_386_000)).toContain("is refused at 86401000 ms; its lock ended at 86401000 ms");
  });

  it("[SP4] what is spent and set aside may be the cap itself, of a request, a day and a soft cap", () => {
    const reserved = isEvent("money.answered", { outcome: "reserved" });
    const first = (id: string, amount: number, judged = {}) =>
      breaks(
        id,
        "synt-budget",
        saying(reserved, () => ({ amount })),
        judged,
      ) ?? "";
    const day = { "synt.budget.dayCents": 1, "synt.budget.hardCents": 100 };
    const soft = { "synt.budget.softCents": 4 };

    expect(first("synt-caps-hold", 10_000_000)).not.toContain(
      "has spent 0 cents and set aside 10 ",
    );
    expect(first("synt-caps-hold", 1_000_000, day)).not.toMatch(/ has 1 cents spent/);
    expect(first("synt-caps-hold", 1_000_001, day)).toMatch(/ has 1\.000001 cents spent/);
    expect(first("synt-soft-cap-asks", 4_000_000, soft)).not.toContain("has 4 cents spent");
    expect(first("synt-soft-cap-asks", 4_000_001, soft)).toContain("has 4.000001 cents spent");
  });

  it("[SP5] a second request at a target that one is at", () => {
    expect(breaks("synt-one-request-a-target", "synt-merge", startsTwice)).toContain(
      "which req-0001 is at.",
    );
  });

  it("[SP5] the same target however it is written; one of the night beside one of a user is none", () => {
    const says = (from: string, to: string) =>
      breaks("synt-one-request-a-target", "synt-merge", (log) =>
        startsAgain(log, (input) => input.replace(from, to)),
      );

    expect(says("one executor for", "One executor, for")).toContain("which req-0001 is at.");
    expect(says("one executor for", "another executor for")).toBeUndefined();
    expect(says("introspective", "reactive")).toBeUndefined();
  });

  it("[SP5] a direction of the night that begins although it was rejected or abandoned, or its proto-mnest rests", () => {
    const judged = { "synt.locks.rejectMs": days(60) };
    const abandoned = saying(isEvent("synth.stated", { state: "rejected" }), () => ({
      state: "abandoned" as const,
    }));
    const filtered = (dueMs: number) =>
      delivery({
        ...{ seq: 0, dueMs, to: "synt" },
        event: {
          ...{ type: "pattern.filtered", pattern: "x", reason: "too few uses" },
          proto: "proto/order_video_file",
        },
      });
    const filteredAt = (...times: readonly number[]) => before(isStart, ...times.map(filtered));

    expect(breaks("synt-locks-are-exact", "synt-month-lock", (log) => log, judged)).toContain(
      "begins on",
    );
    expect(
      breaks("synt-locks-are-exact", "synt-month-lock", abandoned, {
        "synt.locks.abandonMs": days(60),
      }),
    ).toContain("begins on");
    expect(breaks("synt-locks-are-exact", "synt-generalise", (log) => log)).toBeUndefined();
    expect(breaks("synt-locks-are-exact", "synt-generalise", filteredAt(0))).toContain("begins on");
    const startMs = played(syntScenario("synt-generalise")).log.find(isStart)?.dueMs ?? 0;
    const resting = { "synt.locks.suspendMs": startMs };
    expect(
      breaks("synt-locks-are-exact", "synt-generalise", filteredAt(0, 1), resting),
    ).toBeUndefined();
  });

  it("[SP5] what the person takes up again is held up by no lock", () => {
    const id = "synt-locks-are-exact";
    const judged = { "synt.locks.abandonMs": days(2) };

    expect(breaks(id, "synt-day-lock", (log) => log, judged)).toContain("locked until");
    expect(breaks(id, "synt-day-lock", revised, judged)).toBeUndefined();
  });

  it("[SP6] an R that passes the threshold though it is a thousandth below it", () => {
    // R is .76 there.
    const says = (gate: number) =>
      breaks("synt-reward-recomputes", "synt-six-hops", (log) => log, { "synt.reward.gate": gate });

    expect(says(760)).toBeUndefined();
    expect(says(761)).toContain("the threshold 761 thousandths, and it passes");
    const failing = showing(({ reward }) => ({ reward: reward && { ...reward, passes: false } }));
    const shown = (log: Log): Log => failing(log.filter(isEvent("person.asked")));
    expect(
      breaks("synt-reward-recomputes", "synt-six-hops", shown, { "synt.reward.gate": 761 }),
    ).toContain("whose R is below the threshold");
  });

  it("[SP6] another R in what the person is shown, and in the audit, exact or as a decimal", () => {
    const says = (change: (log: Log) => Log) =>
      breaks("synt-reward-recomputes", "synt-six-hops", change);
    const audited = (edit: (text: string) => string) =>
      says(saying(holds('"reward":{'), textOf(edit)));

    expect(
      says(showing(({ reward }) => ({ reward: reward && { ...reward, total: [1, 2] } }))),
    ).toContain("The person is shown for req-0001: R is given as 1/2");
    expect(audited((text) => text.replace(/"total":0\.\d+/, '"total":0.5'))).toContain(
      "The audit of req-0001 gives R as 0.5",
    );
    expect(audited((text) => text.replace(/"total":\[\d+,\d+\]/, '"total":[1,2]'))).toContain(
      "The audit of req-0001 gives R as",
    );
    const weighed = textOf((text) => text.replace(/(?<before>.*"total":)0\.\d+/s, "$<before>0.5"));
    expect(says(saying(holds('"weighed":[{'), weighed))).toContain("gives R as 0.5");
  });

  it("[SP6] a chain's success that does not follow from its hops", () => {
    const other = saying(isEvent("synth.stated", { state: "composed" }), withTerm("det", [1, 2]));
    expect(breaks("synt-terms-recompute", "synt-audit-example", other)).toContain(
      "req-0001: det of its proposal to compose is given as 1/2",
    );
  });

  it("[SP6] a proposal that was judged and is told of nowhere", () => {
    const silent = saying(weighs, () => ({ weighed: [] }));
    expect(breaks("synt-terms-recompute", "synt-six-hops", silent)).toContain(
      "never told of a proposal to generate that was judged",
    );
  });

  it("[SP7] a line that says another state, one that comes twice, and one without a reason", () => {
    const edited = (part: string, edit: (text: string) => string) =>
      saying(holds(part), textOf(edit));
    expect(
      breaks(
        "synt-audit-replays",
        "synt-six-hops",
        edited('"state":"born"', (text) => text.replace('"state":"born"', '"state":"fused"')),
      ),
    ).toContain("the audit says composing, generating, generating, fused");
    const wrote = (log: Log): Log =>
      edited('"line":1', (text) => text.replace(/"rationale":"[^"]*"/, '"rationale":""'))(log).map(
        (one) =>
          holds('"line":1')(one)
            ? {
                ...one,
                changes: JSON.parse(
                  JSON.stringify(one.changes).replace(/(rationale\\":\\").*?(?=\\",)/, "$1"),
                ),
              }
            : one,
      );
    expect(breaks("synt-audit-complete", "synt-six-hops", wrote)).toContain("gives no reason");
  });

  it("[SP7] a line at another instant, not canonical, or that certifies other lines", () => {
    /** The line as it was sent, and as it lies in its file. */
    const says = (part: string, edit: (told: string) => string) =>
      breaks("synt-audit-complete", "synt-six-hops", (log) =>
        log.map((one) => {
          if (!holds(part)(one)) return one;
          const written = JSON.stringify(one.event.text).slice(1, -1);
          const event = JSON.parse(edit(JSON.stringify(one.event)));
          const other = JSON.stringify(event.text).slice(1, -1);
          const changes = JSON.stringify(one.changes).replaceAll(written, other);
          return {
            ...one,
            event,
            changes: JSON.parse(changes),
          };
        }),
      );

    expect(says('"line":1', (told) => told)).toBeUndefined();
    expect(says('"line":1', (told) => told.replace(/T\d\d:/, "T00:"))).toContain("line 1 says ts");
    expect(
      says('"line":1', (told) => told.replace('state\\":\\"composing', 'state\\":\\"generating')),
    ).toContain("its first line says generating");
    expect(says('"line":1', (told) => told.replace("{\\", "{ \\"))).toContain(
      "is not canonical JSON",
    );
    expect(says("certified", (told) => told.replace(/lines\\":\d/, 'lines\\":9'))).toContain(
      "it certifies 9 lines of",
    );
  });

  it("[SP7] a line in the file of another day", () => {
    const moved = (log: Log): Log =>
      JSON.parse(JSON.stringify(log).replaceAll(/-\d\d\.jsonl/g, "-31.jsonl"));

    expect(breaks("synt-audit-complete", "synt-six-hops", moved)).toContain(
      "line 1 is in /agentOS/",
    );
  });

  it("[SP7] a line that is not in its file any more", () => {
    const lost = (log: Log): Log =>
      log.map((one) => (holds('"line":2')(one) ? { ...one, changes: [] } : one));
    expect(breaks("synt-audit-complete", "synt-six-hops", lost)).toContain(
      "has lost or changed lines",
    );
  });

  it("[SP2] a chain that goes in a circle, over a stranger, or where no mnest leads", () => {
    const isStated = (one: Delivery): one is DeliveryOf<"synth.stated"> =>
      isEvent("synth.stated")(one) && isChain(one.event.artefact) && one.event.artefact.length > 1;
    const taking = (other: (chain: readonly string[]) => readonly string[]) =>
      breaks(
        "synt-chains-are-walks",
        "synt-audit-example",
        saying(isStated, ({ artefact }) => ({
          artefact: isChain(artefact) ? other(artefact) : artefact,
        })),
      );

    expect(taking((chain) => chain)).toBeUndefined();
    expect(taking((chain) => [...chain, ...chain.slice(0, 1)])).toContain("it goes in a circle.");
    expect(taking((chain) => [...chain, ...chain.slice(-1)])).toContain("it goes in a circle.");
    expect(taking((chain) => [...chain, "nobody"])).toContain("nobody is not in the pool.");
    expect(taking(([first = ""]) => [first, "nobody"])).toContain("nobody is not in the pool.");
    expect(taking((chain) => chain.toReversed())).toContain("and no mnest leads to ");
  });

  it.each([1, -1])("[SP4] a call for which %i was set aside beside what it may cost", (off) => {
    const reserved = isEvent("money.answered", { outcome: "reserved" });
    const other = saying(reserved, ({ amount }) => ({ amount: (amount ?? 0) + off }));

    expect(breaks("synt-calls-are-paid", "synt-budget", other)).toContain("were set aside for");
  });

  it("[SP7] a last line that certifies another budget, or what was never above it", () => {
    const edited = (edit: (text: string) => string) =>
      breaks("synt-costs-certified", "synt-budget", saying(holds("certified"), textOf(edit)));

    expect(edited((text) => text)).toBeUndefined();
    expect(edited((text) => text.replace(/"budget_cents":\d+/, '"budget_cents":99'))).toContain(
      "of 99 cents",
    );
    expect(
      edited((text) => text.replace('"within_budget"', '"exceeded":5,"within_budget"')),
    ).toContain("certifies");
    expect(
      edited((text) => text.replace('"within_budget":true', '"within_budget":false')),
    ).toContain("(not within its budget)");
  });

  it("[SP8] a retreat without an audited attempt to compose, but not where a run or the planner failed", () => {
    const unaudited = saying(
      holds('"state":"composing"'),
      textOf((text) => text.replace("composing", "generating")),
    );
    const told = (why: string) =>
      saying(isEvent("user.told"), () => ({ text: `I could not: ${why}` }));
    const says = (change: (log: Log) => Log) => breaks("synt-no-retreat", "synt-day-lock", change);

    expect(says(unaudited)).toContain("and it never tried to compose.");
    for (const why of ["a failed: b.", "the planner did not answer."]) {
      expect(says((log) => told(why)(unaudited(log)))).toBeUndefined();
    }
  });

  it("[SP2] a chain that nobody looked for", () => {
    expect(
      breaks("synt-composes-first", "synt-six-hops", without(isEvent("pool.answered"))),
    ).toContain("generates, and the request has not looked for a chain");
  });

  it("[SP2] new code in place of a chain is none where the person asked for it", () => {
    const judged = { "synt.compose.hopsMax": 6 };

    expect(breaks("synt-composes-first", "synt-six-hops", (log) => log, judged)).toBeDefined();
    expect(breaks("synt-composes-first", "synt-six-hops", revised, judged)).toBeUndefined();
  });

  it("[SP8] a turn that ends without a word", () => {
    const mute = saying(isEvent("user.told"), () => ({ text: "" }));
    for (const change of [without(isEvent("user.told")), mute]) {
      expect(breaks("synt-no-retreat", "synt-six-hops", change)).toContain("ended without a word");
    }
  });

  it("[SP8] a retreat without an audited attempt", () => {
    expect(
      breaks(
        "synt-no-retreat",
        "synt-day-lock",
        saying(
          holds('"state":"generating"'),
          textOf((text) => text.replace("generating", "composing")),
        ),
      ),
    ).toContain("and it never tried to generate");
  });

  it.each(["PolicyVeto", "BudgetExceeded", "ConstitutionViolation"])(
    "[SP8] a retreat for %s needs no attempt to generate",
    (error) => {
      const bound = saying(
        isLine,
        textOf((text) =>
          text.replace('"generating"', '"composing"').replace("StrategyExhausted", error),
        ),
      );
      expect(breaks("synt-no-retreat", "synt-day-lock", bound)).toBeUndefined();
    },
  );
});
