// The desk of synt alone: the gate of the night and revise().

import { describe, expect, it } from "vitest";
import type { At, Letter, MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import {
  type Dossier,
  noMaterial,
  type ProposalState,
  type Stated,
  type Wanted,
} from "../../../../src/machines/synt/contract.ts";
import { deskKept } from "../../../../src/machines/synt/desk/deskState.ts";
import { syntDeskService } from "../../../../src/machines/synt/desk/syntDesk.ts";
import { ALL } from "../../../../src/machines/synt/score/exactShare.ts";
import { reward } from "../../../../src/machines/synt/score/reward.ts";
import type { TierConfig } from "../../../../src/machines/synt/stages/stageTiers.ts";
import { days, MILLION } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { carrying, mailIn, mailOf, strangeEvent } from "../../../mail.ts";
import { lettersTo } from "../../driven.ts";
import { served } from "../../served.ts";
import { serving } from "../serving.ts";

const service = syntDeskService(policyWith({}));

/** A desk that is sent one event after another. */
function desk(tiers: TierConfig = {}) {
  let seq = 1;
  const stamp = (more: Partial<At> = {}): At => ({ nowMs: 1_000 * seq, seq, from: "x", ...more });
  const input = { startsAtMs: 0, tiers };
  const alone = serving(service, input, stamp());
  const send = (event: MailEvent, at: Partial<At> = {}): readonly Letter[] => {
    seq += 1;
    return alone.send(event, stamp(at));
  };
  return {
    send,
    wants: (intent: string, more: Partial<Wanted> = {}) =>
      send({ type: "synth.requested", ...wanted(intent), ...more }),
    says: (request: string, now: ProposalState, more: Partial<Stated> = {}) =>
      send({ type: "synth.stated", ...stated(request), state: now, ...more }),
    /** The request asks for the gate, which answers to its address. */
    proposes: (request: string) =>
      send(
        { type: "gate.asked", request, dossier: dossierOf(request) },
        {
          from: `synt/${request}`,
          asked: true,
        },
      ),
  };
}

const wanted = (intent: string): Wanted => ({
  mode: "introspective",
  strategy: "merge",
  proto: null,
  need: { intent, name: "", from: null, hints: [] },
  material: noMaterial,
  budgetCents: null,
  revision: null,
});
const reactive = { mode: "reactive", strategy: null } as const;
const stated = (request: string): Omit<Stated, "state"> => ({
  ...{ request, mode: "introspective", proto: null, intent: request, strategy: "merge" },
  ...{ rationale: "so", error: null, artefact: null, revises: null, scored: null, weighed: [] },
});
const scored = {
  reward: reward(
    {
      ...{ strategy: "merge", det: ALL, judge: ALL, cost: ALL, cosine: 0, coverage: ALL },
    },
    policyWith({}).synt.reward,
  ),
  judgeReasoning: "",
};

const closed = (turn: string): MailOf<"turn.closed"> => ({
  ...{ type: "turn.closed", turn, ok: true, ms: 1, replayed: false },
});
const dossierOf = (request: string): Dossier => ({
  ...{ strategy: "merge", rationale: "so", cost: 0, intent: request, artefact: null },
  ...{ reward: null, judge: null },
});

const questions = (letters: readonly Letter[]) =>
  lettersTo(letters, "port/person.decide").map((one) => {
    const question = mailOf(one, "person.asked");
    if (question.purpose !== "proposals") throw new Error("no question about a night");
    return { ask: one.ask, shows: question.dossier.proposals.map(({ request }) => request) };
  });
const decisions = (letters: readonly Letter[]) =>
  carrying(letters, "person.decided").map(({ to, event }) => [to, event.decision]);

/** Two proposals of one night, ready and in the person's hands. */
function night() {
  const one = desk();
  one.wants("merge them");
  one.wants("promote it");
  const first = one.proposes("req-0001");
  const second = one.proposes("req-0002");
  return { ...one, first, second };
}

describe("the gate of the night", () => {
  it("[SN69] waits until nothing is being made any more, and asks once for all", () => {
    const { first, second } = night();

    expect(questions(first)).toEqual([]);
    expect(questions(second)).toEqual([{ ask: "dossier:1", shows: ["req-0001", "req-0002"] }]);
  });

  it("[SN69] asks about the rest when one has come to nothing", () => {
    const one = desk();
    one.wants("merge them");
    one.wants("promote it");
    one.proposes("req-0001");

    const letters = one.says("req-0002", "abandoned");
    expect(questions(letters)).toEqual([{ ask: "dossier:1", shows: ["req-0001"] }]);
  });

  it("[SN69] takes one word for each, and shows the next night what was left", () => {
    const { send } = night();
    const words = [{ request: "req-0001", decision: "approve" }];
    const letters = send({ type: "person.decided", decisions: words }, { key: "dossier:1" });

    expect(decisions(letters)).toEqual([["synt/req-0001", "approve"]]);
    expect(questions(letters)).toEqual([]);
    const again = send({ type: "night.came" });
    expect(questions(again)).toEqual([]);
  });

  it("[SN69] in one answer each is decided for itself", () => {
    const { send } = night();
    const amended = { request: "req-0001", decision: "amend", feedback: "shorter" };
    const words = [amended, { request: "req-0002", decision: "discard" }];
    const letters = send({ type: "person.decided", decisions: words }, { key: "dossier:1" });

    expect(letters.map(({ to, event }) => ({ to, ...event }))).toEqual([
      { to: "synt/req-0001", type: "person.decided", decision: "amend", feedback: "shorter" },
      { to: "synt/req-0002", type: "person.decided", decision: "discard" },
    ]);
  });

  it("[SN69] shows it again once the approved one is in the pool", () => {
    const { send, says } = night();
    const words = [{ request: "req-0001", decision: "approve" }];
    send({ type: "person.decided", decisions: words }, { key: "dossier:1" });
    expect(questions(says("req-0001", "fused"))).toEqual([]);

    expect(questions(send({ type: "night.came" }))).toEqual([
      { ask: "dossier:2", shows: ["req-0002"] },
    ]);
  });

  it.each([
    [null],
    ["approve"],
    [[null, 7, { request: "req-0001" }, { decision: "approve" }]],
    [[{ request: "req-0009", decision: "approve" }]],
  ])("[SN69] an answer that decides nothing changes nothing: %j", (words) => {
    const { send } = night();
    const letters = send(strangeEvent("person.decided", { decisions: words }), {
      key: "dossier:1",
    });

    expect(letters).toEqual([]);
  });

  it("[SN69] takes a dossier back when nobody waits for it any more", () => {
    const { says } = night();
    expect(says("req-0001", "suspended").map(({ event }) => event.type)).not.toContain(
      "ask.cancelled",
    );

    expect(says("req-0002", "suspended").map(({ event }) => event)).toContainEqual({
      type: "ask.cancelled",
      key: "dossier:1",
    });
  });
});

it("[SN64] who wants the same waits for it, but no user for a proposal of the night", () => {
  const { wants } = desk();
  const starts = (letters: readonly Letter[]) => lettersTo(letters, "kernel").length;

  expect(starts(wants("merge them"))).toBe(1);
  expect(starts(wants("merge them"))).toBe(0);
  expect(starts(wants("merge them", reactive))).toBe(1);
  expect(starts(wants("Merge them ", reactive))).toBe(0);
});

it("[SN64] what is locked is refused to each who asks at the same moment; none waits for another's refusal", () => {
  const { wants, says } = desk();
  wants("sort it", reactive);
  says("req-0001", "abandoned", { intent: "sort it" });
  const refusals = (letters: readonly Letter[]) =>
    mailIn(letters, "synth.stated").map(({ request, state, error }) => [request, state, error]);

  // Neither refusal has been read when the second is asked.
  const [first, second] = [wants("sort it", reactive), wants("sort it", reactive)];

  for (const [letters, id] of [[first, "req-0002"] as const, [second, "req-0003"] as const]) {
    expect(refusals(letters)).toEqual([
      [id, "composing", null],
      [id, "abandoned", "PolicyVeto"],
    ]);
  }
});

it("[SN64] the refusal renews no lock", () => {
  const { send } = desk();
  const asks = (nowMs: number) => {
    const event = { type: "synth.requested", ...wanted("sort it"), ...reactive } as const;
    return lettersTo(send(event, { nowMs }), "kernel").length;
  };
  const ends = (request: string, nowMs: number, more: { readonly locked?: true } = {}) => {
    const said = { ...stated(request), intent: "sort it", state: "abandoned", ...more } as const;
    return send({ type: "synth.stated", ...said }, { nowMs });
  };

  expect(asks(0)).toBe(1);
  ends("req-0001", 1_000);
  expect(asks(2_000)).toBe(0);
  ends("req-0002", 2_000, { locked: true });
  expect(asks(86_401_000)).toBe(1);
});

describe("revise()", () => {
  const revise = (request: string, target: string | null = null): MailOf<"synth.revised"> => ({
    type: "synth.revised",
    request,
    feedback: "shorter",
    target,
  });
  const starts = (letters: readonly Letter[]) =>
    lettersTo(letters, "kernel").map((one) => mailOf(one, "actor.start").input);

  it("[SN70] sends what waits at the gate back to its request", () => {
    const { send, says } = night();
    says("req-0001", "proposed", { scored });
    const letters = send(revise("req-0001"));

    expect(lettersTo(letters, "synt/req-0001")[0]?.event).toEqual({
      type: "synth.revised",
      feedback: "shorter",
      target: null,
    });
  });

  it("[SN70, SP5] begins again what came to nothing, whatever is locked, with the money that is left", () => {
    const { wants, says, send } = desk();
    wants("count it", { ...reactive, budgetCents: 30 });
    says("req-0001", "abandoned", { intent: "count it" });
    expect(starts(wants("count it", reactive))).toEqual([]);

    expect(starts(send(revise("req-0001")))).toEqual([
      expect.objectContaining({
        request: "req-0003",
        budgetCents: 30,
        revision: { request: "req-0001", feedback: "shorter", target: null },
      }),
    ]);
  });

  it("[SN70] with what is left of the cap once money was spent, in whole cents, never with all of it", () => {
    // A million tokens for a hundred cents, so that ten thousand are one cent.
    const price = { asked: 100, answered: 100 };
    const { wants, says, send } = desk({ wise: { provider: "anthropic", model: "m", price } });
    wants("count it", { ...reactive, budgetCents: 30 });
    const asked: MailOf<"money.asked"> = {
      ...{ type: "money.asked", request: "req-0001", call: "c1", served: "wise" },
      ...{ asked: 150_000, answered: 0 },
    };
    const [granted] = send(asked, { asked: true });
    expect(granted?.event).toMatchObject({ outcome: "reserved", amount: 15 * MILLION });
    send({ type: "money.settled", call: "c1", actual: 12.5 * MILLION });
    says("req-0001", "abandoned", { intent: "count it" });

    expect(starts(send(revise("req-0001")))).toEqual([
      expect.objectContaining({ request: "req-0002", budgetCents: 17 }),
    ]);
  });

  it("[SN70] opens no lock: neither its own for others, nor anybody else's", () => {
    const { wants, says, send } = desk();
    for (const [index, intent] of ["count it", "sort it"].entries()) {
      wants(intent, reactive);
      says(`req-000${index + 1}`, "abandoned", { intent });
    }

    expect(starts(send(revise("req-0001")))).toHaveLength(1);
    says("req-0003", "delivered", { intent: "count it" });

    for (const intent of ["sort it", "count it"]) {
      const refusal = mailIn(wants(intent, reactive), "synth.stated").at(-1);
      expect(refusal).toMatchObject({ intent, state: "abandoned", locked: true });
      expect(refusal?.rationale).toMatch(/^locked until .*: abandon/);
    }
  });

  it("[SN70] hands on the other strategy that the person asks for, or none, whatever end it had", () => {
    const ends = { abandoned: "compose", rejected: "generate", suspended: null } as const;
    for (const end of ["abandoned", "rejected", "suspended"] as const) {
      const target = ends[end];
      const { wants, says, send } = desk();
      wants("count it", reactive);
      says("req-0001", end, { intent: "count it" });

      expect(starts(send(revise("req-0001", target)))).toEqual([
        expect.objectContaining({ revision: { request: "req-0001", feedback: "shorter", target } }),
      ]);
    }
  });

  it("[SN63] [SN70] nothing introspective is taken up while any turn is open: the last of two closes first", () => {
    const { wants, says, send } = desk();
    wants("merge them");
    says("req-0001", "rejected");
    send({ type: "turn.opened", turn: "t1" });
    send({ type: "turn.opened", turn: "t2" });

    expect(starts(send(revise("req-0001")))).toEqual([]);
    expect(starts(send(closed("t1")))).toEqual([]);
    expect(starts(send(closed("t2")))).toEqual([
      expect.objectContaining({ revision: expect.objectContaining({ request: "req-0001" }) }),
    ]);
  });

  it.each([
    ["req-0009", "there is no request req-0009"],
    ["req-0001", "req-0001 is being made"],
    ["req-0003", "req-0003 was refused at once"],
    ["req-0004", "req-0004 is born"],
  ])("[SN70] says why %s cannot be taken up", (request, why) => {
    const { wants, says, send } = desk();
    wants("one", reactive);
    wants("two", reactive);
    says("req-0002", "abandoned", { intent: "two" });
    for (const { event } of lettersTo(wants("two", reactive), "synt")) send(event);
    wants("three", reactive);
    says("req-0004", "born");
    const [note] = lettersTo(send(revise(request)), "files");

    expect(mailOf(note, "files.append").text).toContain(why);
    expect(mailOf(note, "files.append").text).toContain('"event":"revision.refused"');
  });

  it("[SN63, SN70] nothing introspective is taken up while a turn is open", () => {
    const { wants, says, send } = desk();
    wants("merge them");
    says("req-0001", "rejected");
    send({ type: "turn.opened", turn: "t1" });
    expect(starts(send(revise("req-0001")))).toEqual([]);

    expect(starts(send(closed("t1")))).toHaveLength(1);
  });
});

it("[SN55, SN64] that something is being built is told each asker once, however often it is begun anew, and so is its end", () => {
  const { send, says } = desk();
  for (const from of ["gateway/one", "gateway/two"]) {
    send({ type: "synth.requested", ...wanted("sort it"), ...reactive }, { from, asked: true });
  }
  const news = (["composing", "generating", "generating", "composed"] as const).map(
    (state) => mailIn(says("req-0001", state, { mode: "reactive" }), "synth.progressed").length,
  );

  expect(news).toEqual([0, 2, 0, 0]);
  const ends = says("req-0001", "abandoned", { mode: "reactive" });
  expect(ends.flatMap(({ to, event }) => (event.type === "synth.ended" ? to : []))).toEqual([
    ...["gateway/one", "gateway/two"],
  ]);
});

it("[SN63] what profiles veto is taken up once, and again when the profiles are others", () => {
  const { wants, says } = desk();
  const vetoed = (reason: string) => ({ material: { ...noMaterial, vetoes: [reason] } });
  const begun = (reason: string) => lettersTo(wants("merge them", vetoed(reason)), "kernel").length;

  expect(begun("fs:read differs")).toBe(1);
  says("req-0001", "suspended", { intent: "merge them" });
  expect(begun("fs:read differs")).toBe(0);
  expect(begun("net:read differs")).toBe(1);
});

describe("one target", () => {
  it("[SN63, SN64] is begun once, however many nights have left it waiting", () => {
    const one = desk();
    one.send({ type: "turn.opened", turn: "t1" });
    one.wants("join a and b");
    one.wants("join a and b");
    one.wants("join c and d");

    const letters = one.send(closed("t1"));

    expect(lettersTo(letters, "kernel")).toHaveLength(2);
  });

  it("[SN64, SN70] is not taken up again while another request is at it", () => {
    const one = desk();
    one.wants("sort it", reactive);
    one.says("req-0001", "rejected", { intent: "elsewhere" });
    one.wants("sort it", reactive);

    const [note] = one.send({
      ...{ type: "synth.revised", request: "req-0001", feedback: null, target: null },
    });

    expect(mailOf(note, "files.append").text).toContain("req-0002 is at the same already");
  });

  it("[SN36] a refused pattern is passed over until its suspension ends", () => {
    const one = desk();
    const refused: MailOf<"pattern.filtered"> = {
      ...{ type: "pattern.filtered", pattern: "sort it", proto: "proto/sort_files" },
      reason: "too few uses",
    };
    const refuse = (nowMs: number) => one.send(refused, { nowMs });

    expect(refuse(0)).toHaveLength(1);
    expect(refuse(86_399_999)).toEqual([]);
    expect(refuse(86_400_000)).toHaveLength(1);
  });
});

it("[SP7] each state of a request is a line in the file of its day, however long the desk has run", () => {
  const one = desk();
  one.wants("Sort my files", reactive);
  const line = (nowMs: number) => {
    const said = one.send(
      { type: "synth.stated", ...stated("req-0001"), state: "composing" },
      { nowMs },
    );
    const { path, text } = mailOf(lettersTo(said, "files")[0], "files.append");
    return [path.slice(-"1970-01-01.jsonl".length), JSON.parse(text).ts];
  };

  expect([days(1) - 1, days(1)].map(line)).toEqual([
    ["1970-01-01.jsonl", "1970-01-01T23:59:59.999Z"],
    ["1970-01-02.jsonl", "1970-01-02T00:00:00.000Z"],
  ]);
});

it("[SO3] a faulty prompt repertoire is written into the audit of its day", () => {
  const path = "/agentOS/config/metnos/prompts.toml";
  const faulty = { type: "hints.faulty", path, fault: "hint 1: text is no text" } as const;
  const [letter, ...more] = desk().send(faulty, { nowMs: 86_400_000 });

  expect(more).toEqual([]);
  expect(letter).toMatchObject({
    to: "files",
    event: { type: "files.append", path: "/agentOS/workspace/.audit/synt/1970-01-02.jsonl" },
  });
  expect(JSON.parse(mailOf(letter, "files.append").text)).toEqual({
    ts: "1970-01-02T00:00:00.000Z",
    ...{ event: "hints.faulty", path, fault: "hint 1: text is no text" },
  });
});

it("[SN110] finds from a checkpoint what it found before", () => {
  const tiers = { middle: { provider: "anthropic", model: "m", price: { asked: 1, answered: 1 } } };
  const one = served(service, { startsAtMs: days(3), tiers });
  const wants = (intent: string, more: Partial<Wanted> = {}) =>
    one.send({ type: "synth.requested", ...wanted(intent), ...more });
  const says = (request: string, state: ProposalState) =>
    one.send({ type: "synth.stated", ...stated(request), state });
  wants("Sort my files", reactive);
  wants("merge them");
  wants("promote it");
  one.send({
    ...{ type: "money.asked", request: "req-0001", call: "c", served: "middle", asked: 1 },
    answered: 1,
  });
  one.send({ type: "money.ran", executor: "sort_files", turn: "t", cents: 1 });
  says("req-0001", "delivered");
  wants("sort my files", reactive);
  says("req-0004", "delivered");
  says("req-0002", "abandoned");
  const { index } = one.state;

  const again = deskKept.restored(JSON.parse(JSON.stringify(deskKept.plain(one.state)))).index;

  const parts = ({ open, served: last, spenders }: typeof index) => ({
    ...{ open, last: last.plain(), spenders: spenders.plain() },
  });
  expect(parts(index)).toEqual({
    open: { "req-0003": { mode: "introspective", intent: "promote it" } },
    last: { "sort my files": "req-0004" },
    spenders: { 3: ["day 3 req-0001", "day 3 turn t"] },
  });
  expect(parts(again)).toEqual(parts(index));
});

it("[SN62] a replay without the person's word is a line of the audit, with its turn, chain, clean runs and reason", () => {
  const chain = ["read_files", "move_files"];
  const replayed = { turn: "t1", intent: "sort it", chain, cleanRuns: 5 };
  const letters = desk().send({ type: "chain.replayed", ...replayed });

  const [{ path, text } = { path: "", text: "" }] = mailIn(
    lettersTo(letters, "files"),
    "files.append",
  );
  expect(path).toMatch(/\.audit\/synt\/.*\.jsonl$/);
  expect(JSON.parse(text)).toMatchObject({
    ...{ event: "chain.replayed", turn: "t1", target_intent: "sort it", chain, clean_runs: 5 },
    reason:
      "the person was not asked: autonomy full grants read_files → move_files after 5 clean runs",
  });
});
