// Who answers synt in a scripted run: models, the person at the gate, executors of a scenario, a signer.
import { expect, it } from "vitest";
import {
  type PersonAnswer,
  type SyntAnswer,
  scriptedExecutors,
  scriptedPerson,
  scriptedSigner,
  syntModel,
} from "../../../src/actors/synt/scriptedSynt.ts";
import { namedRandom } from "../../../src/substrate/random.ts";

const random = namedRandom(1);
const answer = (id: string, given: Partial<SyntAnswer> = {}): SyntAnswer => ({
  ...{ id, to: "synt.naming", match: null, afterFault: null, weight: 1, answer: { name: id } },
  ...{ judges: null, fails: null, tokens: null, afterMs: null },
  ...given,
});
const person = (id: string, given: Partial<PersonAnswer> = {}): PersonAnswer => ({
  ...{ id, to: null, match: null, decision: "approve", feedback: null, target: null },
  ...{ afterMs: 5, times: null },
  ...given,
});
const setting = (given: object = {}, without: readonly string[] = []) => ({
  repertoire: { answers: [], person: [], crafts: [], ...given },
  random,
  without: new Set(without),
});

function asked(
  answers: readonly SyntAnswer[],
  { view = {}, without = [], nth = 1 }: { view?: object; without?: string[]; nth?: number } = {},
) {
  const model = syntModel({
    ...setting({ answers }, without),
    ...{ render: () => "", lengthOf: () => 9, latencyOf: () => 1_000, jitter: 100 },
  });
  const own = { purpose: "synt.naming", intent: "Sort my Files", ...view };
  const event = { type: "llm.asked", purpose: own.purpose, view: own };
  return model.answer({ from: "synt/r", purpose: own.purpose, nth, event } as never);
}

it("[SN83] a model says the first answers that fit purpose, words in any case, and are not left out", () => {
  const all = [answer("a", { match: "SORT" }), answer("b", { match: "read" })];

  expect(asked(all)).toMatchObject({ event: { text: '{"name":"a"}' }, choice: "synt:a" });
  expect(asked(all, { without: ["synt:a"] })).toMatchObject({
    event: { text: "{}" },
    choice: "synt:nothing",
  });
  expect(asked([answer("a", { to: "synt.code" })]).choice).toBe("synt:nothing");
  expect(asked([answer("a", { answer: "def invoke" })]).event).toMatchObject({
    text: "def invoke",
  });
  expect(() => asked([], { view: { purpose: "goal.choose" } })).toThrow("no purpose of synt");
});

it("[SN83] what mends a fault is said where that fault was shown, and goes before the rest", () => {
  const all = [
    answer("any"),
    answer("mends", { afterFault: "Too Long" }),
    answer("other", { afterFault: "x" }),
  ];

  expect(asked(all, { view: { faults: [] } }).choice).toBe("synt:any");
  expect(asked(all, { view: { faults: ["it is too long"] } }).choice).toBe("synt:mends");
  expect(asked(all, { view: { faults: ["too short"] } }).choice).toBe("synt:any");
  // What a fault says is no part of what is asked.
  expect(
    asked([answer("a", { match: "too long" })], { view: { faults: ["too long"] } }).choice,
  ).toBe("synt:nothing");
});

it("[SN83] it takes what it says it takes, or what is usual, within the jitter, and counts tokens by four letters", () => {
  const usual = Array.from({ length: 40 }, (_, nth) => asked([answer("a")], { nth }).latencyMs);
  const [least, most] = [Math.min(...usual), Math.max(...usual)];

  expect(least).toBeGreaterThanOrEqual(900);
  expect(most).toBeLessThanOrEqual(1_100);
  expect(most - least).toBeGreaterThan(100);
  expect(asked([answer("a", { afterMs: 0 })]).latencyMs).toBe(0);
  const ten = Array.from(
    { length: 40 },
    (_, nth) => asked([answer("a", { afterMs: 10 })], { nth }).latencyMs,
  );
  expect(new Set(ten)).toEqual(new Set([9, 10, 11]));
  // Nine characters are asked, twelve answered.
  expect(asked([answer("a")]).event).toMatchObject({ tokens: { asked: 3, answered: 3 } });
  const tokens = { asked: 7, answered: 8 };
  expect(asked([answer("a", { tokens })]).event).toMatchObject({ tokens });
  expect(asked([answer("a", { fails: "timed out" })]).event).toEqual({
    ...{ type: "llm.failed", error: "timed out" },
  });
});

it("[SN83] weights say how often each of several is said", () => {
  const all = [answer("often", { weight: 3 }), answer("never", { weight: 0 }), answer("seldom")];
  const said = Array.from({ length: 400 }, (_, nth) => asked(all, { nth }).choice);
  const share = (id: string) => said.filter((one) => one === `synt:${id}`).length / said.length;

  expect(share("never")).toBe(0);
  expect(share("often")).toBeGreaterThan(0.65);
  expect(share("often")).toBeLessThan(0.85);
});

const gate = (all: readonly PersonAnswer[], without: readonly string[] = []) => {
  const provider = scriptedPerson(setting({ person: all }, without));
  const ask = (purpose: string, dossier: object) =>
    provider.answer({ event: { type: "person.asked", purpose, request: "r", dossier } } as never);
  return { provider, ask };
};

it("[SN69] the person says the first word that fits the question and is not used up, else nothing", () => {
  const all = [
    person("chains", { to: "chain", match: "SORT", times: 1, decision: "amend", feedback: "More" }),
    person("any", { target: "merge", decision: "discard" }),
  ];
  const { ask } = gate(all);

  expect(ask("chain", { intent: "sort it" })).toEqual({
    event: { type: "person.decided", decision: "amend", feedback: "More" },
    ...{ latencyMs: 5, choice: "person:chains" },
  });
  expect(ask("chain", { intent: "sort it" })).toEqual({
    event: { type: "person.decided", decision: "discard", target: "merge" },
    ...{ latencyMs: 5, choice: "person:any" },
  });
  expect(gate(all).ask("executor", { intent: "sort it" }).choice).toBe("person:any");
  expect(gate(all).ask("chain", { intent: "read it" }).choice).toBe("person:any");
  expect(gate(all, ["person:any"]).ask("executor", {}).choice).toBe("person:nobody");
});

it("[SN69] of a dossier each proposal has its own word, and all come with the one that took longest", () => {
  const proposals = ["r-1", "r-2", "r-3"].map((request) => ({ request, dossier: { is: request } }));
  const { ask } = gate([
    person("one", { to: "proposal", match: "r-1", afterMs: 9 }),
    person("two", { match: "r-2", decision: "discard" }),
    person("chains", { to: "chain" }),
  ]);

  expect(ask("proposals", { proposals })).toEqual({
    event: {
      type: "person.decided",
      decisions: [
        { request: "r-1", decision: "approve" },
        { request: "r-2", decision: "discard" },
      ],
    },
    ...{ latencyMs: 9, choice: "person:one person:two" },
  });
  expect(ask("proposals", { proposals: proposals.slice(2) }).choice).toBe("person:nobody");
});

it("[SN69] what is used up stays so in a run that goes on from what was saved", () => {
  const once = [person("once", { times: 1 })];
  const { provider, ask } = gate(once);
  ask("chain", {});
  const other = gate(once);
  other.provider.restore?.(provider.persist?.() ?? null);

  expect(other.ask("chain", {}).choice).toBe("person:nobody");
  expect(gate([person("twice", { times: 2 })]).ask("chain", {}).choice).toBe("person:twice");
});

it("[SN102] an executor of a scenario works so often in a thousand, for so long and so much", () => {
  const crafts = [
    { name: "sort", works: 0, takesMs: 7, costs: 3 },
    { name: "half", works: 500, takesMs: 7, costs: 3 },
  ];
  const provider = scriptedExecutors(setting({ crafts }));
  const run = (name: string, nth = 1) =>
    provider.answer({ from: "gateway/t", nth, event: { type: "executor.run", name } } as never);
  const well = Array.from({ length: 200 }, (_, nth) => run("half", nth).event).filter(
    (event) => "ok" in event && event.ok,
  );

  expect(run("sort")).toEqual({
    event: { type: "executor.ended", ok: false, cents: 3, error: "sort did not manage" },
    latencyMs: 7,
  });
  expect(run("other")).toEqual({
    event: { type: "executor.ended", ok: true, cents: 0 },
    latencyMs: 40,
  });
  expect(well.length).toBeGreaterThan(70);
  expect(well.length).toBeLessThan(130);
});

it("[SN54] the signer knows its own signatures, of this text alone, under one key of the seed", () => {
  const signer = (seed: number) => {
    const provider = scriptedSigner(namedRandom(seed));
    return (purpose: string, event: object) => {
      const { event: said, latencyMs } = provider.answer({ purpose, event } as never);
      expect(latencyMs).toBe(2);
      return said as { readonly signature?: string; readonly key?: string; readonly ok?: boolean };
    };
  };
  const sign = signer(1);
  const { signature, key } = sign("sign", { text: "manifest" });
  const isGood = (given: object, by = sign) =>
    by("verify", { text: "manifest", signature, key, ...given }).ok;

  expect(key).toBe("ae26da453562df7f982f63f9b7d34f342a5cbd43e4ede9d672977cd12f8a704b");
  expect(signer(1)("sign", { text: "manifest" })).toMatchObject({ signature, key });
  expect(isGood({})).toBe(true);
  expect(isGood({}, signer(1))).toBe(true);
  expect(isGood({}, signer(2))).toBe(false);
  expect(isGood({ text: "manifesto" })).toBe(false);
  expect(isGood({ key: "00" })).toBe(false);
  expect(isGood({ signature: undefined })).toBe(false);
});
