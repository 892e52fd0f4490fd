// What the desk of synt says by itself: costs above a reservation, the night's locks, what rests.

import { describe, expect, it } from "vitest";
import type { At, EventType, Letter, Mail } from "../../../../src/machines/letter.ts";
import {
  noMaterial,
  type ProposalState,
  type Wanted,
} from "../../../../src/machines/synt/contract.ts";
import { syntDeskService } from "../../../../src/machines/synt/desk/syntDesk.ts";
import { days, MILLION, minutes } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { mailIn, mailOf } from "../../../mail.ts";
import { auditOf, eventsOf, played, syntScenario } from "../../../syntWorld.ts";
import { lettersTo } from "../../driven.ts";
import { eventOf, serving } from "../serving.ts";

/** A desk that is sent one event after another; its middle tier costs a cent a token. */
function desk(startsAtMs = 0) {
  const service = syntDeskService(policyWith({ "synt.budget.softCents": 1_000 }));
  let seq = 1;
  const price = { asked: MILLION, answered: MILLION };
  const middle = { provider: "anthropic", model: "m", price };
  const at = (nowMs: number): At => ({ nowMs, seq, from: "x", asked: true });
  const { send } = serving(service, { startsAtMs, tiers: { middle } }, at(0));
  return <K extends EventType>(type: K, fields: Mail[K], nowMs = 0): readonly Letter[] => {
    seq += 1;
    return send(eventOf(type, fields), at(nowMs));
  };
}

const wanted = (intent: string, more: Partial<Wanted> = {}): Wanted => ({
  ...{ mode: "reactive", strategy: null, proto: null, budgetCents: null, revision: null },
  ...{ need: { intent, name: "sort_files", from: null, hints: [] }, material: noMaterial },
  ...more,
});
const ofNight = { mode: "introspective", strategy: "generate" } as const;
const stated = (
  request: string,
  state: ProposalState,
  more: Partial<Mail["synth.stated"]> = {},
): Mail["synth.stated"] => ({
  ...{ request, mode: "reactive", proto: null, intent: "sort it", strategy: null, state },
  ...{ rationale: "so", error: null, artefact: null, revises: null, scored: null, weighed: [] },
  ...more,
});
const begins = (letters: readonly Letter[]) =>
  letters.some(({ event }) => event.type === "actor.start");
const linesIn = (letters: readonly Letter[]) =>
  mailIn(lettersTo(letters, "files"), "files.append").map(({ text }) => JSON.parse(text));
const saidIn = (letters: readonly Letter[], type: string) =>
  lettersTo(letters, "synt").find(({ event }) => event.type === type)?.event;

it("[SN34] a UTC day is the calendar's, not the run's", () => {
  const send = desk(days(1) - minutes(1));
  for (const intent of ["one", "two", "three"])
    send("synth.requested", { ...wanted(intent), budgetCents: 1_000 });
  const outcomeAt = (call: number, nowMs: number) => {
    const request = `req-000${call}`;
    const wants = { request, call: request, served: 1, asked: 900, answered: 0 };
    return mailOf(send("money.asked", wants, nowMs)[0], "money.answered").outcome;
  };

  expect([outcomeAt(1, 0), outcomeAt(2, 0)]).toEqual(["reserved", "reserved"]);
  expect(outcomeAt(3, minutes(1) - 1)).toBe("denied");
  expect(outcomeAt(3, minutes(1))).toBe("reserved");
});

describe("what a call really cost", () => {
  const asked = (call: string) => ({
    ...{ request: "req-0001", call, served: 1, asked: 4, answered: 2 },
  });

  it("[SN101] stands in the audit and in the certificate, above its reservation too, and is a finding", () => {
    const send = desk();
    send("synth.requested", { ...wanted("sort it"), budgetCents: 8 });
    send("money.asked", asked("c1"));
    const found = send("money.settled", { call: "c1", actual: 9 * MILLION });

    expect(saidIn(found, "money.exceeded")).toMatchObject({
      ...{ request: "req-0001", call: "c1", setAside: 6 * MILLION, cost: 9 * MILLION },
    });
    expect(linesIn(found)).toEqual([
      {
        ...{ ts: "1970-01-01T00:00:00.000Z", event: "money.exceeded", about: "req-0001" },
        ...{ call: "c1", set_aside_cents: 6, cost_cents: 9, exceeded: 3 },
        reason: expect.stringContaining("it cost 9.00 ct, and 6.00 ct were set aside"),
      },
    ]);
    const [next] = send("money.asked", asked("c2"));
    expect(next?.event).toMatchObject({ outcome: "denied" });
    expect(mailOf(next, "money.answered").why).toContain("cost more than was set aside");
    expect(linesIn(send("synth.stated", stated("req-0001", "generating")))[0]).toMatchObject({
      ...{ cost_cents: 9, exceeded: 3 },
    });
    expect(linesIn(send("synth.stated", stated("req-0001", "abandoned")))[0]).toMatchObject({
      ...{ cost_cents: 9, exceeded: 3 },
      certified: { budget_cents: 8, exceeded: 3, lines: 2, within_budget: false },
    });
  });

  it("[SN101] is no finding where it was set aside, and is one from the next millionth of a cent", () => {
    const send = desk();
    send("synth.requested", { ...wanted("sort it"), budgetCents: 12 });
    send("money.asked", asked("c1"));

    expect(send("money.settled", { call: "c1", actual: 6 * MILLION })).toEqual([]);
    const [last] = linesIn(send("synth.stated", stated("req-0001", "abandoned")));
    expect(last).not.toHaveProperty("exceeded");
    expect(last.certified).toEqual({ budget_cents: 12, lines: 1, within_budget: true });
    send("money.asked", asked("c2"));
    const more = send("money.settled", { call: "c2", actual: 6 * MILLION + 1 });
    expect(saidIn(more, "money.exceeded")).toMatchObject({ setAside: 6 * MILLION });
  });

  it("[SN101, SN102] ends the day when it takes it over its cap, which is said once", () => {
    const send = desk();
    send("synth.requested", { ...wanted("sort it"), budgetCents: 8 });
    send("money.asked", asked("c1"));
    const found = send("money.settled", { call: "c1", actual: 2_001 * MILLION });
    send("synth.requested", wanted("count it"));
    const [other] = send("money.asked", { ...asked("c2"), request: "req-0002" });

    expect(saidIn(found, "money.dayPassed")).toMatchObject({
      ...{ day: "1970-01-01", spent: 2_001 * MILLION, cap: 2_000 * MILLION },
    });
    expect(linesIn(found).map(({ event }) => event)).toEqual(["money.exceeded", "money.dayPassed"]);
    expect(other?.event).toMatchObject({ outcome: "denied" });
    const again = send("money.ran", { turn: "t", executor: "sort_files", cents: 2_000 }, days(1));
    expect(saidIn(again, "money.dayPassed")).toBeUndefined();
    const over = send("money.ran", { turn: "t", executor: "sort_files", cents: 0.01 }, days(1));
    expect(saidIn(over, "money.dayPassed")).toMatchObject({ day: "1970-01-02" });
    const more = send("money.ran", { turn: "t", executor: "sort_files", cents: 1 });
    expect(saidIn(more, "money.dayPassed")).toBeUndefined();
  });

  it("[SN102] runs of executors are the day's money: they are audited, and may end it", () => {
    const send = desk();
    const ran = send("money.ran", { turn: "t", executor: "sort_files", cents: 2_000 });
    send("synth.requested", wanted("sort it"));

    expect(linesIn(ran)).toEqual([
      {
        ...{ ts: "1970-01-01T00:00:00.000Z", event: "executor.ran", about: "sort_files" },
        ...{ cost_cents: 2_000, reason: "turn t ran sort_files, which costs 2000 ct a run" },
      },
    ]);
    expect(send("money.asked", asked("c1"))[0]?.event).toMatchObject({
      ...{ outcome: "denied", why: "the call could cost more than the day has left" },
    });
    expect(send("money.asked", asked("c2"), days(1))[0]?.event).toMatchObject({
      outcome: "reserved",
    });
  });

  it("[SN102] a run may take a day over its cap, and none is denied after that", () => {
    const send = desk();
    const ran = (cents: number) => send("money.ran", { turn: "t", executor: "sort_files", cents });

    expect(saidIn(ran(2_000), "money.dayPassed")).toBeUndefined();
    expect(saidIn(ran(500), "money.dayPassed")).toMatchObject({
      ...{ spent: 2_500 * MILLION, cap: 2_000 * MILLION },
    });
    expect(linesIn(ran(7))).toMatchObject([{ event: "executor.ran", cost_cents: 7 }]);
  });

  it("[SN102] in a world, a turn tells the desk what its runs cost, and nothing of those that cost nothing", () => {
    const scenario = syntScenario("synt-audit-example");
    const { synt } = scenario;
    if (synt === undefined) throw new Error("a world without synt");
    const crafts = synt.repertoire.crafts.map((one, index) => ({
      ...one,
      costs: index === 0 ? 3 : 0,
    }));
    const repertoire = { ...synt.repertoire, crafts };
    const { log } = played({ ...scenario, synt: { ...synt, repertoire } });
    const told = eventsOf(log, "money.ran").map(({ event }) => [event.executor, event.cents]);

    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual(told.map(() => [crafts[0]?.name, 3]));
    expect(eventsOf(played(scenario).log, "money.ran")).toEqual([]);
  });

  it("[SN101] in a world, a model that counts more than it was allowed is said and paid", () => {
    const scenario = syntScenario("synt-day-cap");
    const { synt } = scenario;
    if (synt === undefined) throw new Error("a world without synt");
    const answers = synt.repertoire.answers.map((one) =>
      one.id === "naming-count" ? { ...one, tokens: { asked: 900, answered: 9_000 } } : one,
    );
    const { log } = played({
      ...scenario,
      synt: { ...synt, repertoire: { ...synt.repertoire, answers } },
    });
    const last = [...auditOf(log).values()][0]?.at(-1);

    expect(eventsOf(log, "money.exceeded")).toHaveLength(1);
    expect(last).toMatchObject({ state: "abandoned", error: "BudgetExceeded", cost_cents: 23 });
    expect(
      eventsOf(log, "llm.asked").filter(({ from }) => from.startsWith("synt/req-0001")),
    ).toHaveLength(1);
  });
});

describe("a lock that a failure of the night has made", () => {
  it("[SN103] is said when it meets what a person had a chain for, and again when they are refused", () => {
    const send = desk();
    send("synth.requested", wanted("sort it"));
    send("synth.stated", stated("req-0001", "delivered"));
    send("synth.requested", wanted("Sort it!", ofNight));
    const failed = send("synth.stated", stated("req-0002", "abandoned", ofNight), 1_000);
    const refused = send("synth.requested", wanted("sort it"), 2_000);

    expect(saidIn(failed, "night.locked")).toMatchObject({
      ...{ by: "req-0002", hits: "req-0001", how: "served before" },
      until: "1970-01-02T00:00:01.000Z",
    });
    expect(linesIn(failed).at(-1)).toMatchObject({
      ...{ event: "night.locked", about: "sort it" },
      reason: expect.stringContaining("req-0002 of the night failed, and locks until"),
    });
    expect(saidIn(refused, "night.locked")).toMatchObject({ hits: "req-0003", how: "refused now" });
    const ends = mailIn(lettersTo(refused, "synt"), "synth.stated").map(
      ({ rationale }) => rationale,
    );
    expect(ends).toContainEqual(
      expect.stringMatching(/sort it, since req-0002 of the night failed$/),
    );
  });

  it("[SN103] is nobody's news where no person is concerned, and a person's own lock is theirs", () => {
    const send = desk();
    send("synth.requested", wanted("sort it", ofNight));
    const failed = send("synth.stated", stated("req-0001", "abandoned", ofNight));
    const again = send("synth.requested", wanted("sort it", ofNight), 1_000);
    send("synth.requested", wanted("count it"));
    send("synth.stated", stated("req-0003", "abandoned", { intent: "count it" }));
    const own = send("synth.requested", wanted("count it"), 1_000);

    for (const letters of [failed, again, own]) {
      expect(saidIn(letters, "night.locked")).toBeUndefined();
    }
    expect([begins(again), begins(own)]).toEqual([false, false]);
  });
});

it("[SN103] what served nobody before is no working chain that a night could lock", () => {
  const send = desk();
  send("synth.requested", wanted("sort it"));
  send("synth.stated", stated("req-0001", "abandoned"));
  send("synth.requested", wanted("sort it", ofNight), days(1));
  const failed = send("synth.stated", stated("req-0002", "abandoned", ofNight), days(1));

  expect(saidIn(failed, "night.locked")).toBeUndefined();
});

it("[SN103] what a person's own request came to nothing for, after one that served, is no news of the night", () => {
  const send = desk();
  send("synth.requested", wanted("sort it"));
  send("synth.stated", stated("req-0001", "delivered"));
  send("synth.requested", wanted("sort it"));
  const failed = send("synth.stated", stated("req-0002", "abandoned"));

  expect(saidIn(failed, "night.locked")).toBeUndefined();
});

it("[SN37] what is asked for without words is locked by its proto-mnest, and another is free", () => {
  const send = desk();
  send("synth.requested", wanted("?!", { proto: "proto/a" }));
  send("synth.stated", stated("req-0001", "abandoned", { intent: "?!", proto: "proto/a" }));

  expect(begins(send("synth.requested", wanted("?!", { proto: "proto/a" })))).toBe(false);
  expect(begins(send("synth.requested", wanted("?!", { proto: "proto/b" })))).toBe(true);
});

describe("a proto-mnest that the night's filters turned down", () => {
  const proto = "proto/sort_files";
  const refused = { pattern: "sort_files for a → b", proto, reason: "too few uses" };

  it("[SN104] rests for 24 hours to the millisecond: at night nothing is proposed for it", () => {
    const send = desk();
    send("pattern.filtered", refused, 5_000);
    const asks = (nowMs: number, more: Partial<Wanted> = {}) =>
      send("synth.requested", wanted(`sort it ${nowMs}`, { ...ofNight, proto, ...more }), nowMs);

    expect(begins(asks(days(1) + 4_999))).toBe(false);
    expect(begins(asks(6_000, { proto: "proto/move_files" }))).toBe(true);
    expect(begins(asks(days(1) + 5_000))).toBe(true);
  });

  it("[SN104] what a night wants for it is refused with its first and its terminal line", () => {
    const send = desk();
    send("pattern.filtered", refused, 5_000);
    const early = send("synth.requested", wanted("sort it", { ...ofNight, proto }), 6_000);

    const states = lettersTo(early, "synt").map((one) => mailOf(one, "synth.stated").state);
    expect(states).toEqual(["proposed", "suspended"]);
    expect(lettersTo(early, "synt").at(-1)?.event).toMatchObject({
      ...{ locked: true, error: "PolicyVeto" },
      rationale: "locked until 1970-01-02T00:00:05.000Z: suspend:proto sort files",
    });
  });

  it("[SN104] rests from the first time it was refused, and keeps no person waiting", () => {
    const send = desk();
    send("pattern.filtered", refused, 0);
    send("pattern.filtered", { ...refused, pattern: "sort_files for c → d" }, 60_000);
    const user = send("synth.requested", wanted("sort it", { proto }), 61_000);
    const free = send(
      "synth.requested",
      wanted("sort it at night", { ...ofNight, proto }),
      days(1),
    );

    expect([begins(user), begins(free)]).toEqual([true, true]);
  });

  it("[SN104, SN45] is written down once a pattern and a day, with its reason", () => {
    const send = desk();
    const [first] = linesIn(send("pattern.filtered", refused, 0));
    const other = { ...refused, pattern: "sort_files for c → d" };

    expect(first).toMatchObject({ event: "pattern.filtered", reason: "too few uses" });
    expect(linesIn(send("pattern.filtered", refused, 60_000))).toEqual([]);
    const elsewhere = { ...refused, proto: "proto/move_files" };
    expect(linesIn(send("pattern.filtered", elsewhere, 60_000))).toEqual([]);
    expect(linesIn(send("pattern.filtered", other, 60_000))).toHaveLength(1);
    expect(linesIn(send("pattern.filtered", refused, days(1)))).toHaveLength(1);
  });
});
