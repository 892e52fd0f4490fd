// What a read returns rests on who wrote it: worlds in which what one agent did reaches another by way of a file.
import { describe, expect, it } from "vitest";
import { callPasts, isWrong } from "../../../src/actors/agents/callPast.ts";
import type { Carried } from "../../../src/machines/letter.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { why } from "../../builtIn.ts";
import { recordRun } from "../../builtInRuns.ts";
import { loadScenario, parseScenario } from "../../builtInScenarios.ts";
import { clerksScenario } from "../../clerks.ts";
import { newFolder } from "../../folders.ts";
import { delivery, finished, routed } from "../../handLog.ts";
import { carrying } from "../../mail.ts";

async function played(text: string, variant: string | null = null) {
  const scenario = parseScenario(text, "clerks.yaml");
  const { seed } = scenario;
  const folder = newFolder();
  const rest = { seed, set: {}, untilMs: null, withLog: true };
  return recordRun({ scenario, text, variant, ...rest, folder });
}

const failed = (log: Iterable<Delivery>) =>
  carrying([...log], "call.finished").filter(({ event }) => !event.ok);

describe("three clerks", () => {
  const asTheyAre = played(clerksScenario);

  it("[VB57] a failure goes on through the files to the call that returned nothing and to the outside", async () => {
    const { deliveries, inputs } = await asTheyAre;

    const told = why(deliveries, inputs);

    expect(told?.chain.map(({ says }) => says).slice(2)).toEqual([
      "replier's call of send_reply failed: ValueError: there is no price to quote.",
      "keeper's call of copy_price wrote nothing into /desk/price.txt.",
      "finder's call of look_up, which returned nothing, wrote nothing into /desk/found.txt.",
      "The outside wrote /desk/catalogue.csv.",
    ]);
    expect(told?.origins).toMatchObject([{ kind: "outside", id: "new-catalogue" }]);
  });

  it("[VB57] a call that went well and returned nothing rests on what it was given, too", async () => {
    const { deliveries, inputs } = await played(clerksScenario);
    const hollow = carrying([...deliveries], "call.finished").find(
      ({ event }) => event.ok && event.nothing,
    );

    const told = why(deliveries, inputs, `${hollow?.seq}`);

    expect(told?.chain.map(({ says }) => says)).toEqual([
      expect.stringContaining("finder's call of look_up"),
      "The outside wrote /desk/catalogue.csv.",
    ]);
    expect(told?.origins).toMatchObject([{ kind: "outside", id: "new-catalogue" }]);
  });

  it("[VB13, VB57] without the outside input at its end nobody fails", async () => {
    const { deliveries } = await played(clerksScenario, "same-catalogue");

    expect(failed(deliveries)).toEqual([]);
  });

  it("[VB56] the headline is the lookup, not the stressor that came of it, and most failures go back to it", async () => {
    const { deliveries, inputs } = await asTheyAre;

    const told = why(deliveries, inputs);

    expect(told?.question).toMatch(/^goal:replier/);
    expect(told?.first?.says).toContain("finder's call of look_up, which returned nothing");
    expect(told?.failures).toMatchObject({
      alike: told?.failures?.all,
      origin: { id: "new-catalogue" },
    });
  });

  it("[VB57] where the file was there from the start, the failure ends at the plan, as nobody wrote it", async () => {
    const empty = clerksScenario
      .replace('/desk/price.txt: "4"', '/desk/price.txt: ""')
      .replace("agents: [finder, keeper, replier]", "agents: [replier]");
    const { deliveries, inputs } = await played(onlyReplies(empty));

    const [first] = failed(deliveries);
    const told = why(deliveries, inputs, `${first?.seq}`);

    expect(told?.origins.map(({ id }) => id)).toEqual(["plan:reply/reply", "goal:reply"]);
  });
});

/** The world without those who look up and copy. */
function onlyReplies(text: string): string {
  const from = text.indexOf("    - slug: look");
  return text.slice(0, from) + text.slice(text.indexOf("    - slug: reply")).replace("*page", PAGE);
}

const PAGE =
  '{ path: "{artifact}", content: "# {goal}: it says what was found and what follows from it, at some length, ' +
  'since a page of fewer than two hundred characters does not pass, nor one without the words of its goal in it." }';

it("[VB57] a skill that worked and fails since its feed was changed goes back to the change, else to its making", async () => {
  const { scenario, text } = loadScenario("skill-degrades");
  const { seed } = scenario;
  const folder = newFolder();
  const rest = { variant: null, seed, set: {}, untilMs: null, withLog: true };
  const { deliveries, inputs } = await recordRun({ scenario, text, ...rest, folder });

  const told = why(deliveries, inputs, "skill:price_sum");

  expect(told?.origins).toMatchObject([{ kind: "outside", id: "new-format" }]);
  expect(told?.chain.at(-1)?.says).toBe("The outside wrote /agentOS/workspace/shared/prices.txt.");
  expect(why(deliveries, inputs)?.first?.says).toContain("price_sum failed: IndexError");
});

/** What the last of these deliveries rests on, as only the whole log says it. */
const restIn = (...log: Delivery[]) => callPasts(log).rests.get(log.at(-1)?.seq ?? -1);

const wrote = (seq: number, text: string, from = "engine"): Delivery =>
  delivery({
    ...{ seq, from, to: "files", cause: from === "engine" ? seq - 1 : null },
    event: { type: "files.write", path: "/agentOS/a", text },
  });

const sent = (seq: number, event: Carried, given: Partial<Delivery> = {}): Delivery =>
  delivery({ seq, to: "engine", event, ...given });

const failedOn = (seq: number, fact: number, given: Parameters<typeof finished>[2] = {}) => ({
  ...finished(seq, false, given),
  because: [0, fact],
});

describe("a call of which nothing came", () => {
  const [outside, own, hollow, last] = [
    wrote(10, "x", "outside/feed"),
    wrote(20, "y"),
    wrote(30, ""),
    wrote(40, "z"),
  ];

  it.each([
    ["nothing first", [outside, hollow, own, last], 30],
    ["else the outside", [own, outside, last], 10],
    ["else the last", [own, last], 40],
    ["nobody", [], undefined],
  ])("[VB57] rests on who wrote the files that it was given: %s", (_, writers, rest) => {
    const because = writers.map(({ seq }) => seq);
    const reply = sent(50, { type: "files.replied", ok: false }, { because });

    expect(restIn(...writers, reply, failedOn(51, 50))).toBe(rest);
  });

  it("[VB57] goes on from a tool that wrote to the files that it had read, without any to its call", () => {
    const ran = (writers: readonly Delivery[]) =>
      callPasts([
        ...writers,
        routed(48, "tool"),
        sent(50, { type: "files.replied", ok: true }, { because: writers.map(({ seq }) => seq) }),
        sent(51, { type: "actor.stopped", address: "a", output: null }, { to: "port/sandbox.run" }),
        sent(52, { type: "sandbox.replied", ok: true }),
        { ...finished(53, true), because: [48, 52] },
      ]).rests.get(52);

    expect(ran([outside, own])).toBe(10);
    expect(ran([])).toBe(48);
  });

  it.each([
    ["with which nothing went well", [], undefined],
    ["with which a call went well before it was written", [19], undefined],
    ["with which a call went well as soon as it was written", [20], 52],
    ["with which a call goes well only now", [52], undefined],
  ])("[VB57] comes of code %s: what it read, or the code itself", (_, good, rest) => {
    const run = sent(51, { type: "actor.stopped", address: "a", output: null }, { because: [20] });
    const reply = sent(52, { type: "sandbox.replied", ok: false });
    const calls = good.map((seq) => ({ ...finished(seq + 100, true), dueMs: seq * 1_000 }));

    expect(restIn(...calls, own, run, reply, failedOn(53, 52))).toBe(rest);
  });

  it("[VB57] refused by a lock it rests on the stressor, after an answer from outside on that", () => {
    const felt = sent(4, { type: "tools.asked" });
    const answered = sent(5, { type: "tool.replied", ok: false });
    const unheard = sent(6, { type: "llm.failed", error: "busy" });

    expect(restIn(felt, failedOn(7, 4, { locked: true }))).toBe(4);
    expect(restIn(felt, failedOn(7, 4))).toBeUndefined();
    expect(restIn(answered, failedOn(7, 5))).toBe(5);
    expect(restIn(unheard, failedOn(7, 6))).toBe(6);
  });

  it.each([
    ["by words", 'no capability matches the intent "x", but tool, which is broken or blacklisted'],
    ["by name", "the tool tool is broken or blacklisted"],
  ])(
    "[VB57] passed over as broken, asked for %s, it rests on the last failed call before",
    (how, error) => {
      const asked = sent(40, {
        ...{ type: "call.requested", agent: "cedar", cycle: 1, intent: "x", params: {} },
        ...(how === "by name" && { tool: "tool" }),
      });
      const end = { ...finished(60, false, { capability: null, error }), re: 40 };
      const calls = [finished(10, false), finished(20, false), finished(30, true)];

      expect(restIn(...calls, asked, finished(50, false), end)).toBe(20);
      expect(restIn(asked, finished(50, false), end)).toBeUndefined();
    },
  );
});

const gateJudged = (passed: boolean): Delivery =>
  sent(1, {
    ...{ type: "goalGate.judged", agent: "cedar", n: 1, part: "output", passed },
    ...{ verdict: passed ? "yes" : "no", reason: null },
  });

it.each<[boolean | undefined, Delivery]>([
  [true, finished(1, false)],
  [true, finished(1, true, { nothing: true })],
  [true, finished(1, true, { unwritten: ["/agentOS/a"] })],
  [false, finished(1, true)],
  [true, wrote(1, "")],
  [undefined, wrote(1, "x")],
  [true, gateJudged(false)],
  [false, gateJudged(true)],
  [true, sent(1, { type: "permission.answered", granted: false, reason: "no" })],
  [false, sent(1, { type: "permission.answered", granted: true, reason: null })],
  [true, sent(1, { type: "sandbox.replied", ok: false })],
  [true, sent(1, { type: "tool.replied", ok: false })],
  [false, sent(1, { type: "tool.replied", ok: true })],
  [true, sent(1, { type: "folder.changed", path: "/agentOS/tools/dynamic/a.json", text: "{}" })],
  [false, sent(1, { type: "folder.changed", path: "/agentOS/tools/dynamic/a.json", text: null })],
])("[VB56] that something is a fault is %s of %j", (wrong, one) => {
  expect(isWrong(one)).toBe(wrong);
});
