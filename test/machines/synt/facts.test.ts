// What letters of synt rest on: in worlds, and of desk and pool alone.

import { expect, it } from "vitest";
import { Entries } from "../../../src/machines/entries.ts";
import type { At, MailEvent, MailOf } from "../../../src/machines/letter.ts";
import type { Service } from "../../../src/machines/service.ts";
import type { Wanted } from "../../../src/machines/synt/contract.ts";
import { syntDeskService } from "../../../src/machines/synt/desk/syntDesk.ts";
import {
  about,
  type Facts,
  factsOf,
  hopsOf,
  noted,
  withFact,
} from "../../../src/machines/synt/facts.ts";
import { poolService } from "../../../src/machines/synt/pool/pool.ts";
import { type PoolInput, unseen } from "../../../src/machines/synt/pool/poolState.ts";
import { days } from "../../../src/machines/units.ts";
import { policyWith } from "../../builtIn.ts";
import { mailOf } from "../../mail.ts";
import { eventsOf, played, syntScenario } from "../../syntWorld.ts";
import { serving } from "./serving.ts";

const policy = policyWith({ "synt.naming.exceptions": ["archive_pdf", "store_pdf"] });

/** A service that is sent one event after another, each under a number of its own. */
function driven<S extends object, I extends object>(service: Service<S, I>, input: I) {
  const { send } = serving(service, input, { nowMs: 0, seq: 3, from: "kernel" });
  return (seq: number, event: MailEvent, at: Partial<At> = {}) =>
    send(event, { nowMs: days(1), seq, from: "gateway/x", asked: true, ...at });
}

const executor = (name: string) => ({
  ...{ name, version: "1", description: name, takes: ["pdf"], gives: ["path"] },
  ...{ profile: {}, shape: {}, seen: unseen },
});
const pool = (input: Partial<PoolInput> = {}) => {
  const executors = [executor("archive_pdf"), executor("store_pdf")];
  const send = driven(poolService(policy), {
    ...{ executors, traces: [], missing: [], memos: [], ...input },
  });
  for (const [index, name] of ["archive_pdf", "store_pdf"].entries()) {
    const active = { state: "active", isLoaded: true, isVisible: true, into: null } as const;
    send(4 + index, { type: "executor.changed", name, version: "1", ...active });
  }
  return send;
};
const used: MailOf<"executor.ran"> = {
  ...{ type: "executor.ran", executor: "store_pdf", behind: "archive_pdf" },
  ...{ ok: true, ms: 1, cents: 0, case: null },
};

it("[VB24] keeps the last five of a kind, and of a state the last alone", () => {
  const none: Facts = Entries.of({});
  const facts = [1, 2, 3, 4, 5, 6].reduce((all, seq) => noted(all, "use", seq), none);

  expect(factsOf(facts, ["use", "none"])).toEqual([2, 3, 4, 5, 6]);
  expect(factsOf(withFact(facts, "use", 9), ["use"])).toEqual([9]);
  expect(hopsOf(["a", "b", "c"])).toEqual([about.use("a", "b"), about.use("b", "c")]);
  expect(factsOf({}, ["__proto__", "constructor"])).toEqual([]);
});

it("[VB24] a nightly merge rests on the uses that made its traces", () => {
  const send = pool();
  for (const seq of [11, 12, 13, 14, 15, 16]) send(seq, used);

  const asked = send(20, { type: "night.came", lookbackMs: days(30) }).filter(
    ({ to }) => to === "synt",
  );

  const merges = asked.map((one) => [mailOf(one, "synth.requested").strategy, one.because]);
  expect(merges).toEqual([["merge", [12, 13, 14, 15, 16]]]);
});

it("[VB24] traces that were there from the start rest on the start", () => {
  const traces = [{ from: "archive_pdf", to: "store_pdf", uses: 6, failed: 0, overMs: 9 }];

  const [asked] = pool({ traces })(20, { type: "night.came", lookbackMs: days(30) }).filter(
    ({ to }) => to === "synt",
  );

  expect(asked?.because).toEqual([3]);
});

it("[VB24] a replayed plan rests on the runs that made its memo", () => {
  const send = pool();
  const ran: MailOf<"chain.ran"> = {
    ...{ type: "chain.ran", chain: ["archive_pdf", "store_pdf"], query: "Keep it.", args: [] },
    ...{ composed: false, missed: [], ok: true },
  };
  for (const seq of [11, 12, 13]) send(seq, ran);

  const known = send(20, { type: "catalogue.asked", query: "keep it" });
  const unknown = send(21, { type: "catalogue.asked", query: "lose it" });

  expect(mailOf(known[0], "catalogue.answered").replay).toEqual(ran.chain);
  expect(known[0]?.because).toEqual([11, 12, 13]);
  expect(unknown[0]?.because).toEqual([]);
});

it("[VB24] that an executor cannot be called rests on the change of its state", () => {
  const send = pool();
  const gone = { state: "quarantined", isLoaded: false, isVisible: false, into: null } as const;
  send(11, { type: "executor.changed", name: "store_pdf", version: "1", ...gone });
  const sought = (name: string) => send(20, { type: "executor.sought", name, case: null })[0];

  expect(sought("store_pdf")?.because).toEqual([11]);
  expect(sought("archive_pdf")?.because).toEqual([]);
});

it("[VB24] a call refused beyond the soft cap rests on the person's no", () => {
  const tiers = { middle: { provider: "anthropic", model: "m", price: { asked: 1, answered: 1 } } };
  const tight = policyWith({ "synt.budget.softCents": 0 });
  const send = driven(syntDeskService(tight), { startsAtMs: 0, tiers });
  const need = { intent: "x", name: "x", from: null, hints: [] };
  const material = { members: [], chain: [], hot: null, vetoes: [], covers: [] };
  const wanted: Wanted = {
    ...{ mode: "reactive", strategy: null, proto: null, need, material },
    ...{ budgetCents: 500, revision: null },
  };
  send(10, { type: "synth.requested", ...wanted });
  const asked = (call: string): MailOf<"money.asked"> => ({
    ...{ type: "money.asked", request: "req-0001", call },
    ...{ served: "middle", asked: 9, answered: 9 },
  });

  const [question] = send(11, asked("a"));
  send(12, { type: "money.decided", request: "req-0001", goesOn: false });
  const [refusal] = send(13, asked("b"));

  expect(mailOf(question, "money.answered").outcome).toBe("ask");
  const { why } = mailOf(refusal, "money.answered");
  expect([why, refusal?.because]).toEqual(["declined beyond the soft cap", [12]]);
});

it("[VB24] a locked request rests on the abandonment that set the lock, night or day", () => {
  for (const name of ["synt-day-lock", "synt-month-lock"]) {
    const said = eventsOf(played(syntScenario(name)).log, "synth.stated");
    const refused = said.filter(({ event }) => event.locked && /locked/.test(event.rationale));
    const [because] = refused.map((one) => one.because);

    const setter = said.find(({ seq }) => seq === because?.[0]);
    expect(refused.length).toBeGreaterThan(1);
    expect(setter?.event.request).toBe("req-0001");
    expect(["abandoned", "rejected"]).toContain(setter?.event.state);
  }
});

it("[VB24] a call that the day has no money for rests on what others spent, last of all", () => {
  const { log } = played(syntScenario("synt-day-cap"));
  const denied = eventsOf(log, "money.answered").find(({ event }) => event.outcome === "denied");

  const last = log.find(({ seq }) => seq === denied?.because?.at(-1));

  expect(denied?.to).toMatch(/^synt\/req-0002/);
  expect(last?.from).toMatch(/^synt\/req-0001/);
});

it("[VB24] an executor is archived because another took its place, a chain composed because of uses", () => {
  const { log } = played(syntScenario("synt-generalise"));
  const archived = eventsOf(log, "executor.changed").filter(
    ({ event }) => event.state === "archived",
  );
  const types = archived.map(
    ({ because }) => log.find(({ seq }) => seq === because?.[0])?.event.type,
  );
  const composed = eventsOf(played(syntScenario("synt-audit-example")).log, "synth.stated").find(
    ({ event }) => event.state === "composed",
  );

  expect(types).toEqual(["executor.superseded", "executor.superseded", "executor.superseded"]);
  expect(composed?.because?.length).toBeGreaterThan(0);
});
