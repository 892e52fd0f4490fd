// Each finding on logs of a few facts: where it is found, and one step before.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TraceFact } from "../../src/contract/trace.ts";
import { findIn } from "../../src/findings/findIn.ts";
import { isTested } from "../../src/findings/finding.ts";
import { findings } from "../../src/findings/findings.ts";
import { KeptMap } from "../../src/findings/keptMap.ts";
import { KEPT_MAX } from "../../src/findings/thresholds.ts";
import type { Json } from "../../src/machines/letter.ts";
import { askable } from "../../src/run/check/catalogue.ts";
import {
  called,
  exchange,
  judged,
  nested,
  offered,
  placesOf,
  returned,
  said,
  seqsOf,
} from "./facts.ts";

const PATHS = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" } },
  required: ["path", "content"],
  additionalProperties: false,
};
const QUERY = {
  type: "object",
  properties: { query: { type: "string" }, limit: { type: "integer" } },
  required: ["query"],
  additionalProperties: false,
};

describe("empty-success", () => {
  it("[FI6, FI3] is a result of nothing that is no error, with all that a place names", () => {
    const facts = exchange(1, "save", null, { call: { args: { path: "a" } }, end: { ok: true } });

    expect(placesOf("empty-success", facts)).toEqual([
      {
        ...{ finding: "empty-success", seq: 2, step: 2, atMs: 2_000, tool: "save", agent: "cedar" },
        says: 'save returned nothing to cedar for "{\\"path\\":\\"a\\"}", and said that it went well.',
        related: [1],
      },
    ]);
  });

  it("[FI6] is none where the call failed, something came, or the tool's description says so", () => {
    const honest = offered(1, "get", null, "Gets the value of key, or null when it is unset.");

    expect(seqsOf("empty-success", exchange(1, "save", null, { end: { error: "gone" } }))).toEqual(
      [],
    );
    expect(seqsOf("empty-success", exchange(1, "list", []))).toEqual([]);
    expect(seqsOf("empty-success", [honest, ...exchange(2, "get", null)])).toEqual([]);
    expect(seqsOf("empty-success", [honest, ...exchange(2, "put", null)])).toEqual([3]);
    // What it was offered with last is its description.
    const curt = offered(2, "get", null, "Gets the value of key.");
    expect(seqsOf("empty-success", [honest, curt, ...exchange(3, "get", null)])).toEqual([4]);
    expect(seqsOf("empty-success", [curt, honest, ...exchange(3, "get", null)])).toEqual([]);
    expect(seqsOf("empty-success", exchange(1, "think", ""))).toEqual([]);
    expect(seqsOf("empty-success", exchange(1, "rethink", ""))).toEqual([2]);
  });
});

it.each([
  ["Returns a null where there is none.", []],
  ["Gives an empty answer when it is done.", []],
  ["Answers nothing.", []],
  ["It returns none where there is none.", []],
  ["It may be undefined, or undefined.", []],
  ["It has no output.", []],
  ["It has no return value.", []],
  ["It writes.", [3]],
])("[FI6] of a tool that is described so: %s", (says, found) => {
  const facts = [offered(1, "put", null, says), ...exchange(2, "put", null)];

  expect(seqsOf("empty-success", facts)).toEqual(found);
});

it.each(["think", "my_thought", "agent.scratchpad", "sleep", "wait", "noop", "reflect"])(
  "[FI6] is none of %s, which only thinks or waits",
  (tool) => {
    expect(seqsOf("empty-success", exchange(1, tool, null))).toEqual([]);
  },
);

describe("takes-others-calls", () => {
  const tools = [offered(1, "save", PATHS), offered(2, "search", QUERY)];

  it("[FI7] by arguments that fit exactly one other tool", () => {
    const call = called(3, "save", { args: { query: "x", limit: 2 } });
    const both = offered(3, "find", QUERY);

    expect(placesOf("takes-others-calls", [...tools, call])[0]?.says).toContain(
      "whose arguments fit search and no other tool",
    );
    expect(seqsOf("takes-others-calls", [...tools, both, { ...call, seq: 4 }])).toEqual([]);
    for (const args of [{}, { query: 5 }]) {
      expect(seqsOf("takes-others-calls", [...tools, called(3, "save", { args })])).toEqual([]);
    }
    expect(
      seqsOf("takes-others-calls", [...tools, offered(3, "any"), { ...call, seq: 4 }]),
    ).toEqual([4]);
  });

  it("[FI7] one other, which has required arguments, takes all of them, by its latest schema", () => {
    const [save, search] = tools;
    const call = called(4, "save", { args: { query: "x", limit: 2 } });
    const free = { type: "object", properties: { query: {}, limit: {} } };
    const found = (...some: readonly TraceFact[]) => seqsOf("takes-others-calls", [...some, call]);
    if (save === undefined || search === undefined) throw new Error("two tools");

    expect(found(save, offered(2, "any", free))).toEqual([]);
    expect(found(save, search, offered(3, "any", free))).toEqual([4]);
    const open = { type: "object", properties: { query: {} }, required: ["query"] };
    expect(found(save, offered(2, "loose", open))).toEqual([]);
    const counts = { ...QUERY, properties: { query: { type: "number" }, limit: {} } };
    expect(found(save, offered(2, "count", counts))).toEqual([]);
    expect(found(offered(1, "save", QUERY), search)).toEqual([]);
    expect(found(offered(1, "save", QUERY), offered(2, "save", PATHS), search)).toEqual([4]);
  });

  it("[FI7] none where the call was refused before a tool served it", () => {
    const call = called(3, "save", { args: { query: "x" } });
    const end = returned(4, "", null, { tool: null, ok: false, error: "save is locked" });

    expect(seqsOf("takes-others-calls", [...tools, call])).toEqual([3]);
    expect(seqsOf("takes-others-calls", [...tools, call, end])).toEqual([]);
  });

  it("[FI7] none where the call failed: what refuses a call has not taken it", () => {
    const call = called(3, "save", { args: { query: "x", limit: 2 } });
    const ended = (result: string) => [...tools, call, returned(4, "save", result)];

    expect(seqsOf("takes-others-calls", ended("Error: path is missing"))).toEqual([]);
    expect(seqsOf("takes-others-calls", ended("saved"))).toEqual([3]);
  });

  it("[FI8] by an intent that names another tool", () => {
    const named = [offered(1, "fs_write"), offered(2, "safe_file_executor")];
    const intent = "call fs_write for the page";

    expect(
      seqsOf("takes-others-calls", [...named, called(3, "safe_file_executor", { intent })]),
    ).toEqual([3]);
    expect(seqsOf("takes-others-calls", [...named, called(3, "fs_write", { intent })])).toEqual([]);
  });

  it("[FI8] an intent names one tool alone, as it is spelt, and no word of a sentence", () => {
    const named = ["fs_write", "fs_read", "research", "retriever", "other"].map((tool, at) =>
      offered(at + 1, tool),
    );
    const found = (intent: string) =>
      seqsOf("takes-others-calls", [...named, called(6, "other", { intent })]);

    expect(found("use fs_write")).toEqual([6]);
    expect(found("fs_write")).toEqual([6]);
    expect(found("retriever for it")).toEqual([6]);
    expect(found("use fs_write or fs_read")).toEqual([]);
    expect(found("use FS_WRITE")).toEqual([]);
    expect(found("research for it")).toEqual([]);
  });

  it("[FI34] a call that no tool served was taken by none, repeated by none and returned nothing from none", () => {
    const named = [offered(1, "stock_level"), offered(2, "price_list")];
    const nobody = { tool: null };
    const refused = (seq: number) =>
      exchange(seq, "", null, {
        call: { ...nobody, intent: "stock_level" },
        end: { ...nobody, ok: false, error: "stock_level is locked" },
      });
    const served = exchange(9, "stock_level", null, { call: { intent: "stock_level" } });

    for (const { id } of findings) {
      expect([id, seqsOf(id, [...named, ...refused(3), ...refused(5), ...refused(7)])]).toEqual([
        id,
        [],
      ]);
    }
    expect(seqsOf("empty-success", [...named, ...refused(3), ...served])).toEqual([10]);
    const nameless = exchange(3, "", null, { call: nobody, end: { ...nobody, error: "no such" } });
    expect(findIn(findings, [...named, ...nameless]).occurrences).toEqual([]);
  });

  it("[FI34] what its agent says of a call that no tool served is looked at", () => {
    const nobody = { tool: null };
    const refused = exchange(1, "", null, {
      call: { ...nobody, intent: "stock_level" },
      end: { ...nobody, ok: false, error: "stock_level is locked" },
    });
    const places = placesOf("error-told-as-success", [
      ...refused,
      said(3, "I have successfully read the stock level."),
    ]);

    expect(places.map(({ tool, says }) => [tool, says])).toEqual([
      [null, expect.stringMatching(/^A call that no tool served ended with the error /)],
    ]);
  });

  const write = (seq: number, tool: string, result: Json, intent = "write the file") =>
    exchange(seq, tool, result, { call: { intent, args: { path: `p${seq}` } } });

  const good = { ok: true, bytes: 3 };
  const once = write(1, "fs_write", good);
  const twice = [...once, ...write(3, "fs_write", good, "write a file")];
  const taken = (before: typeof once, result: Json, intent?: string) =>
    seqsOf("takes-others-calls", [...before, ...write(5, "ghost", result, intent)]);

  it("[FI9] by the kind of call that another has served twice", () => {
    expect([taken(once, null), taken(twice, null)]).toEqual([[], [6]]);
    expect(taken(twice, null, "read it")).toEqual([]);
    // Of two tools each has served it once.
    const each = [...once, ...write(3, "fs_put", good)];
    expect(taken(each, null)).toEqual([]);
  });

  it("[FI9] arguments make the kind, too, and what failed took nothing", () => {
    const other = exchange(5, "ghost", null, {
      call: { intent: "write the file", args: { url: "p" } },
    });

    expect(seqsOf("takes-others-calls", [...twice, ...other])).toEqual([]);
    expect(taken(twice, "Error: no such file")).toEqual([]);
    const unread = exchange(5, "ghost", null, { call: { intent: "write the file", args: null } });
    expect(seqsOf("takes-others-calls", [...twice, ...unread])).toEqual([]);
  });

  it("[FI9] what answers with nothing serves no kind of call", () => {
    const empty = [...write(1, "fs_write", null), ...write(3, "fs_write", null)];

    expect(taken(empty, null)).toEqual([]);
  });

  const letters = (count: number) => Object.fromEntries([..."abcdefg"].slice(0, count).entries());
  it.each<readonly [Json, string]>([
    [null, "nothing"],
    [{ checked: 1 }, "checked instead"],
    ['{"checked": 1}', "checked instead"],
    ["{checked", "a text instead"],
    ["checked", "a text instead"],
    [[1], "a list instead"],
    [7, "a number instead"],
    [letters(6), "0, 1, 2, 3, 4, 5 instead"],
    [letters(7), "0, 1, 2, 3, 4, 5, … instead"],
  ])("[FI3, FI9] answered with %j, it says: %s", (result, what) => {
    expect(placesOf("takes-others-calls", [...twice, ...write(5, "ghost", result)])).toMatchObject([
      {
        says: `ghost took a call of the kind that fs_write served 2 times, "write the file": fs_write returned bytes, ok, and ghost ${what}.`,
        related: [5, 4],
      },
    ]);
  });

  it("[FI9] with nothing, or nothing of what the other's answers are made of", () => {
    expect([taken(twice, null), taken(twice, { checked: 1 })]).toEqual([[6], [6]]);
  });

  it("[FI9] one that answers likewise stands in", () => {
    expect(taken(twice, { bytes: 4 })).toEqual([]);
    expect(taken(twice, { bytes: 4, checked: 1 })).toEqual([]);
  });
});

describe("same-again", () => {
  const same = (seq: number) => exchange(seq, "look", "a", { call: { args: { at: 1 } } });
  const other = (seq: number) => exchange(seq, "look", "a", { call: { args: { at: seq } } });
  const others = (count: number) =>
    Array.from({ length: count }, (_, at) => other(3 + 2 * at)).flat();

  it("[FI10] is a call like one of the last five, result included", () => {
    expect(seqsOf("same-again", [...same(1), ...others(4), ...same(101)])).toEqual([102]);
    expect(seqsOf("same-again", [...same(1), ...others(5), ...same(101)])).toEqual([]);
    const often = Array.from({ length: 113 }, (_, at) => same(2 * at + 1)).flat();
    const says = placesOf("same-again", often).map((one) => one.says);
    expect([3, 11, 12, 13, 21, 22, 111, 113].map((time) => says[time - 2])).toEqual(
      ["3rd", "11th", "12th", "13th", "21st", "22nd", "111th", "113th"].map((time) =>
        expect.stringContaining(`for the ${time} time`),
      ),
    );
  });

  it("[FI10] is none of what is nested without end", () => {
    const both = (args: Json, result: Json) =>
      [1, 3].flatMap((seq) => exchange(seq, "look", result, { call: { args } }));

    expect(seqsOf("same-again", both(nested(201), "a"))).toEqual([]);
    expect(seqsOf("same-again", both({}, nested(201)))).toEqual([]);
  });

  it("[FI10] is none with another error", () => {
    const failing = (seq: number, error: string) => exchange(seq, "look", null, { end: { error } });

    expect(seqsOf("same-again", [...failing(1, "busy"), ...failing(3, "busy")])).toEqual([4]);
    expect(seqsOf("same-again", [...failing(1, "busy"), ...failing(3, "gone")])).toEqual([]);
  });

  it("[FI10] is none with another result, or of another agent", () => {
    const changed = exchange(3, "look", "b", { call: { args: { at: 1 } } });
    const vault = exchange(3, "look", "a", {
      call: { args: { at: 1 }, agent: "vault" },
      end: { agent: "vault" },
    });

    // Arguments that nobody could read are those that were written.
    const torn = (seq: number, raw: string) =>
      exchange(seq, "look", "a", { call: { args: null, raw } });

    expect(seqsOf("same-again", [...torn(1, "{1"), ...torn(3, "{1")])).toEqual([4]);
    expect(seqsOf("same-again", [...torn(1, "{1"), ...torn(3, "{2")])).toEqual([]);
    expect(seqsOf("same-again", [...same(1), ...changed])).toEqual([]);
    expect(seqsOf("same-again", [...same(1), ...vault])).toEqual([]);
  });
});

it("[FI10] is none of another tool, or with another intent", () => {
  const look = (seq: number, tool: string, intent: string) =>
    exchange(seq, tool, "a", { call: { args: { at: 1 }, intent } });
  const found = (tool: string, intent: string) =>
    seqsOf("same-again", [...look(1, "look", "x"), ...look(3, tool, intent)]);

  expect([found("look", "x"), found("peek", "x"), found("look", "y")]).toEqual([[4], [], []]);
});

describe("unused-result", () => {
  const five = "alpha bravo gamma delta sigma";
  const look = (text: string) => exchange(1, "look", text, { call: { args: { for: "omega" } } });

  it("[FI11] is a result of five new words that nothing takes up", () => {
    expect(seqsOf("unused-result", [...look(five), said(3, "Well then.")])).toEqual([2]);
    expect(
      seqsOf("unused-result", [...look("alpha bravo gamma delta omega"), said(3, "Well.")]),
    ).toEqual([]);
    expect(seqsOf("unused-result", [...look(five), said(3, "It is Delta.")])).toEqual([]);
    expect(
      seqsOf("unused-result", [...look(five), called(3, "go", { args: { to: "delta" } })]),
    ).toEqual([]);
  });

  it("[FI11] words have four letters, and any of them is a use, wherever arguments hold it", () => {
    const found = (text: string, then: TraceFact) => seqsOf("unused-result", [...look(text), then]);
    const many = Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ");

    expect(found("alfa brav gamm delt sigm", said(3, "Well."))).toEqual([2]);
    expect(found("alf bra gam del sig", said(3, "Well."))).toEqual([]);
    expect(found("alpha bravo gamma delta with", said(3, "Well."))).toEqual([]);
    expect(found("12 34 56 78 90", said(3, "Well."))).toEqual([2]);
    expect(found("1 2 3 4 5 6", said(3, "Well."))).toEqual([]);
    expect(found(many, said(3, "Well."))).toEqual([2]);
    expect(found(many, said(3, "It is word59."))).toEqual([]);
    expect(found(five, called(3, "go", { args: null, raw: '{"to": "delta"' }))).toEqual([]);
  });

  it("[FI11] what the call asked for in words is not new, and a word of two results uses both", () => {
    const asked = exchange(1, "look", five, { call: { intent: "delta, please" } });

    expect(seqsOf("unused-result", [...asked, said(3, "Well.")])).toEqual([]);
    expect(
      seqsOf("unused-result", [...look(five), ...exchange(3, "look", five), said(5, "Delta.")]),
    ).toEqual([]);
  });

  it("[FI11] is none at the end of what its agent did, or where the call failed", () => {
    const other = said(3, "Well then.", { speaker: "vault" });

    expect(seqsOf("unused-result", look(five))).toEqual([]);
    expect(seqsOf("unused-result", [...look(five), other])).toEqual([]);
    const uses = said(3, "It is delta.", { speaker: "vault" });
    expect(seqsOf("unused-result", [...look(five), uses, said(4, "Well then.")])).toEqual([]);
    expect(seqsOf("unused-result", [...look(five), other, said(4, "Well then.")])).toEqual([2]);
    expect(seqsOf("unused-result", [...look(`Error: ${five}`), said(3, "Well then.")])).toEqual([]);
  });
});

describe("error-told-as-success", () => {
  const failed = exchange(1, "book_flight", "Error: no seat", {
    call: { args: { flight: "HAT1" } },
  });
  const told = (seq: number) => said(seq, "Your flight HAT1 has been booked.");

  it("[FI12] is told within three messages, before the tool went well", () => {
    const mended = exchange(3, "book_flight", { seat: 4 });
    const words = [3, 4].map((seq) => said(seq, "One moment."));

    expect(seqsOf("error-told-as-success", [...failed, told(3)])).toEqual([3]);
    expect(seqsOf("error-told-as-success", [...failed, ...words, told(5)])).toEqual([5]);
    expect(seqsOf("error-told-as-success", [...failed, ...words, said(5, "Hm."), told(6)])).toEqual(
      [],
    );
    expect(seqsOf("error-told-as-success", [...failed, ...mended, told(5)])).toEqual([]);
    // What another agent's call came to, and what it says, leaves it open.
    const vault = { call: { agent: "vault" }, end: { agent: "vault" } };
    const others = [
      ...exchange(3, "book_flight", { seat: 4 }, vault),
      ...[5, 6, 7].map((seq) => said(seq, "One moment.", { speaker: "vault" })),
    ];
    expect(seqsOf("error-told-as-success", [...failed, ...others, told(8)])).toEqual([8]);
    const beside = exchange(3, "find_flight", { seat: 4 });
    expect(seqsOf("error-told-as-success", [...failed, ...beside, told(5)])).toEqual([5]);
  });

  it("[FI12] is told once, by an agent, and by the one whose call it was", () => {
    const by = (given: Parameters<typeof said>[2]) =>
      seqsOf("error-told-as-success", [...failed, { ...told(3), ...given }]);

    expect(seqsOf("error-told-as-success", [...failed, told(3), told(4)])).toEqual([3]);
    expect(by({ role: "user" })).toEqual([]);
    expect(by({ speaker: "vault" })).toEqual([]);
  });

  it("[FI12] is about it by a word of the tool's name or of its arguments, and what claims nothing leaves it open", () => {
    const found = (...texts: readonly string[]) =>
      seqsOf("error-told-as-success", [...failed, ...texts.map((text, at) => said(at + 3, text))]);

    expect(found("A flight has been booked.")).toEqual([3]);
    expect(found("HAT1 has been booked.")).toEqual([3]);
    expect(found("One moment for HAT1.", "HAT1 has been booked.")).toEqual([4]);
    expect(found("All tests pass now.")).toEqual([]);
    expect(found("A flight has been booked. Shall I look for a hotel?")).toEqual([3]);
  });

  it("[FI12, FI17] of one agent's errors the last 20 are kept", () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, at) => exchange(2 * at + 3, `tool${at}`, "Error: no"));
    const found = (count: number) =>
      seqsOf("error-told-as-success", [...failed, ...others(count).flat(), told(99)]);

    expect([found(19), found(20)]).toEqual([[99], []]);
  });

  it("[FI12] right after tests that failed, is told by words about tests", () => {
    const call = { args: { command: "pytest -q" } };
    const [run, ended] = [true, false].map((ok) =>
      exchange(1, "bash", "5 ran", { call, end: { ok } }),
    ) as [readonly TraceFact[], readonly TraceFact[]];

    expect(seqsOf("error-told-as-success", [...ended, said(3, "All tests pass now.")])).toEqual([
      3,
    ]);
    expect(seqsOf("error-told-as-success", [...run, said(3, "All tests pass now.")])).toEqual([]);
    expect(
      seqsOf("error-told-as-success", [...ended, said(3, "Hm."), said(4, "All tests pass now.")]),
    ).toEqual([]);
    expect(seqsOf("error-told-as-success", [...ended, said(3, "All done.")])).toEqual([]);
  });

  it.each([
    "Your flight HAT1 could not be booked.",
    "I am sorry, the flight has been sold out.",
    "The other request has been granted.",
    "Shall I look for another flight?",
    "If the flight HAT1 has been booked, I will tell you.",
  ])("[FI12] is none with: %s", (text) => {
    expect(seqsOf("error-told-as-success", [...failed, said(3, text)])).toEqual([]);
  });

  it("[FI12, FI16] of code that a speaker runs, whoever speaks next tells it", () => {
    const ran = (text: string) => said(2, text, { speaker: "Computer_terminal" });
    const claim = said(3, "The code has executed successfully.", { speaker: "Checker" });
    const bad = ran("exitcode: 1 (execution failed)\nCode output: KeyError: 'x'");
    const good = ran("exitcode: 0 (execution succeeded)\nCode output: 4");
    const asked = said(1, "```python\nprint(4)\n```");

    expect(placesOf("error-told-as-success", [asked, bad, claim])).toMatchObject([
      { seq: 3, agent: "Checker", tool: "Computer_terminal", related: [2] },
    ]);
    expect(seqsOf("error-told-as-success", [asked, good, claim])).toEqual([]);
    const person = { ...asked, seq: 3, speaker: "user", role: "user" } as const;
    const mended = [asked, bad, person, { ...good, seq: 4 }, { ...claim, seq: 5 }];
    expect(seqsOf("error-told-as-success", mended)).toEqual([]);
    const next = said(3, "One moment.", { speaker: "Checker" });
    expect(seqsOf("error-told-as-success", [asked, bad, next, { ...claim, seq: 4 }])).toEqual([]);
  });
});

describe("speaks-for-tool", () => {
  it.each([
    "Observation: there are 12 flights",
    "Let me see.\n**Tool result:** 12",
    "<tool_response>12</tool_response>",
    "<tool_result>12</tool_result>",
    "<function_results>12</function_results>",
    "Function output: 12",
    "exitcode: 0 (execution succeeded)",
    '{"tool_call_id": "a"}',
    '{"role": "tool", "content": "12"}',
    "```tool_output\n12\n```",
  ])("[FI13] is a message with a result in it: %s", (text) => {
    expect(seqsOf("speaks-for-tool", [said(1, text)])).toEqual([1]);
    expect(seqsOf("speaks-for-tool", [said(1, text, { role: "user" })])).toEqual([]);
  });

  it.each([
    "My observation is that it works.",
    "The tool gave a result.",
    "The function returns 4.",
  ])("[FI13] is none: %s", (text) => {
    expect(seqsOf("speaks-for-tool", [said(1, text)])).toEqual([]);
  });

  it("[FI13] is none that quotes what stood in the log before, or what a program printed", () => {
    const line = "Observation: 4 rows";
    const task = said(1, `The log says:\n${line}`, { speaker: "Ann", role: "user" });

    expect(seqsOf("speaks-for-tool", [said(2, line)])).toEqual([2]);
    expect(seqsOf("speaks-for-tool", [task, said(2, line)])).toEqual([]);
    expect(
      seqsOf("speaks-for-tool", [said(2, "It said:\nexitcode: 1 (execution failed)\nWhy?")]),
    ).toEqual([]);
  });

  it("[FI13] is a call told of that never was", () => {
    const tool = offered(1, "get_user");
    const claim = (seq: number) => said(seq, "I called get_user, and all is well.");

    expect(placesOf("speaks-for-tool", [tool, claim(2)])).toMatchObject([
      { seq: 2, tool: "get_user" },
    ]);
    expect(seqsOf("speaks-for-tool", [tool, ...exchange(2, "get_user", 1), claim(4)])).toEqual([]);
    const other = exchange(2, "get_user", 1, {
      call: { agent: "vault" },
      end: { agent: "vault" },
    });
    expect(seqsOf("speaks-for-tool", [tool, ...other, claim(4)])).toEqual([4]);
    for (const told of ["We ran", "I have executed", "I've invoked", "I queried", "Run"]) {
      expect(seqsOf("speaks-for-tool", [tool, said(2, `${told} the tool get_user.`)])).toEqual([2]);
    }
    expect(seqsOf("speaks-for-tool", [claim(2)])).toEqual([]);
    expect(seqsOf("speaks-for-tool", [tool, said(2, "The tool is called get_user.")])).toEqual([]);
  });

  it("[FI16] is none of a speaker that does nothing but run code, and is one of any other", () => {
    const output = "exitcode: 0 (execution succeeded)\nCode output: 4";
    const terminal = said(2, output, { speaker: "Computer_terminal" });

    const none = said(3, "There is no code from the last 1 message for me to execute.", {
      speaker: "Computer_terminal",
    });

    expect(seqsOf("speaks-for-tool", [said(1, "print(4)"), terminal])).toEqual([]);
    expect(
      seqsOf("speaks-for-tool", [
        said(1, "x"),
        { ...none, seq: 2 },
        said(3, "y"),
        { ...terminal, seq: 4 },
      ]),
    ).toEqual([]);
    expect(seqsOf("speaks-for-tool", [said(1, "print(4)"), said(2, output)])).toEqual([2]);
  });
});

it("[FI16] a speaker that says something else, too, runs no code, and whoever spoke before makes the call", () => {
  const output = "exitcode: 0 (execution succeeded)\nCode output: 4";
  const terminal = (seq: number, text: string) => said(seq, text, { speaker: "Computer_terminal" });

  expect(
    seqsOf("speaks-for-tool", [terminal(1, "Hello."), said(2, "print(4)"), terminal(3, output)]),
  ).toEqual([3]);
  const twice = [1, 3].flatMap((seq) => [said(seq, "print(4)"), terminal(seq + 1, output)]);
  expect(placesOf("same-again", twice)).toMatchObject([
    { seq: 4, agent: "cedar", tool: "Computer_terminal", related: [2, 3] },
  ]);
  expect(placesOf("catalogue-broken", [offered(1, "save"), ...twice.slice(2)])).toMatchObject([
    { seq: 3, agent: "cedar", tool: "Computer_terminal" },
  ]);
  const idle = terminal(2, "There is no code from the last 1 message for me to execute.");
  expect(findIn([], [said(1, "Well."), idle, terminal(3, output)]).facts).toMatchObject({
    ...{ said: 3, called: 0 },
  });
});

describe("catalogue-broken", () => {
  const tool = offered(1, "save", PATHS);

  it("[FI14] is a tool that nobody offered, where tools were, and the agent chose it by name", () => {
    expect(seqsOf("catalogue-broken", [tool, called(2, "sav")])).toEqual([2]);
    expect(seqsOf("catalogue-broken", [called(2, "sav")])).toEqual([]);
    expect(seqsOf("catalogue-broken", [tool, called(2, "sav", { intent: "save it" })])).toEqual([]);
  });

  it("[FI14] is arguments that its schema forbids, or that are no JSON", () => {
    const good = { path: "a", content: "b" };
    const says = (given: Parameters<typeof called>[2]) =>
      placesOf("catalogue-broken", [tool, called(2, "save", given)])[0]?.says;

    expect(says({ args: good })).toBeUndefined();
    expect(says({ args: { path: "a" } })).toMatch(
      /required property "content"\..* \(given: "path"\)$/,
    );
    expect(says({ args: { ...good, path: 4 } })).toMatch(/: path: Instance type [^(]+$/);
    expect(says({ args: { ...good, more: 1 } })).toContain("not among those that it takes");
    expect(says({ args: null, raw: '{"path": ' })).toContain("no JSON");
    expect(says({ args: good, raw: "written" })).toBeUndefined();
  });

  it("[FI14] is a call without arguments, where its schema needs some", () => {
    const free = offered(1, "save", { type: "object", properties: { path: {} } });
    const bare = called(2, "save", { args: null, raw: null });

    expect(seqsOf("catalogue-broken", [tool, bare])).toEqual([2]);
    expect(seqsOf("catalogue-broken", [free, bare])).toEqual([]);
  });

  it("[FI14] is not what is no JSON, where its tool takes whatever comes", () => {
    const untold = offered(1, "save");

    expect(
      seqsOf("catalogue-broken", [untold, called(2, "save", { args: null, raw: "{" })]),
    ).toEqual([]);
  });
});

it.each([
  [undefined, false],
  [{ hits: 14, right: 14 }, false],
  [{ hits: 15, right: 11 }, true],
  [{ hits: 15, right: 10 }, false],
  [{ hits: 20, right: 13 }, false],
  [{ hits: 20, right: 14 }, true],
  [{ hits: 100, right: 69 }, false],
])("[FI45] judged %j, a finding is tested: %j", (judged, is) => {
  expect(isTested(judged === undefined ? {} : { judged })).toBe(is);
});

it("[FI19] each finding is a property that a check can be asked for, and is noted", () => {
  const asked = askable({ promises: [] } as never).filter(({ id }) =>
    findings.some((one) => one.id === id),
  );

  expect(asked.map(({ id }) => id)).toEqual(findings.map(({ id }) => id));
  expect(new Set(asked.map((one) => "expected" in one && one.expected))).toEqual(
    new Set(["noted"]),
  );
});

it("[FI17] a full map forgets what was set first, and says so", () => {
  const map = new KeptMap<string, number>(2);

  expect([map.set("a", 1), map.set("b", 2), map.set("c", 3)]).toEqual([
    ...[undefined, undefined, ["a", 1]],
  ]);
  expect([map.size, map.has("a"), map.get("b")]).toEqual([2, false, 2]);
});

describe("a place", () => {
  const tool = offered(1, "save", PATHS);
  const user = offered(1, "get_user");
  const torn = { call: { args: null, raw: "{1" }, end: { error: "gone" } };
  const ran = (code: number, text: string) => [
    said(1, "print(4)"),
    said(2, `exitcode: ${code} (execution failed)\nCode output: ${text}`, { speaker: "terminal" }),
    said(3, "The code has executed successfully.", { speaker: "Checker" }),
  ];

  it.each<readonly [string, readonly TraceFact[], string, readonly number[]]>([
    [
      "empty-success",
      exchange(1, "save", null),
      'save returned nothing to cedar for "{}", and no error.',
      [1],
    ],
    [
      "empty-success",
      exchange(1, "save", null, { call: { intent: "save it" } }),
      'save returned nothing to cedar for "save it", and no error.',
      [1],
    ],
    [
      "empty-success",
      exchange(1, "save", null, { call: { args: null, raw: "{a" } }),
      'save returned nothing to cedar for "{a", and no error.',
      [1],
    ],
    [
      "empty-success",
      exchange(1, "save", null, { call: { args: nested(201) } }),
      'save returned nothing to cedar for "arguments without end", and no error.',
      [1],
    ],
    [
      "error-told-as-success",
      [...exchange(1, "book", "Error: no seat"), said(3, "The book has been shipped.")],
      'book ended with the error "Error: no seat", and cedar told of success: "The book has been shipped.".',
      [2],
    ],
    [
      "error-told-as-success",
      ran(1, "Traceback\nKeyError: 'x'"),
      `terminal ended with the error "KeyError: 'x'", and Checker told of success: "The code has executed successfully.".`,
      [2],
    ],
    [
      "error-told-as-success",
      ran(3, ""),
      'terminal ended with the error "exit code 3", and Checker told of success: "The code has executed successfully.".',
      [2],
    ],
    [
      "same-again",
      [1, 3].flatMap((seq) => exchange(seq, "look", "a")),
      'cedar called look a second time with the same arguments, "{}", and got the same result, "a".',
      [2, 3],
    ],
    [
      "same-again",
      [1, 3].flatMap((seq) => exchange(seq, "look", null, torn)),
      'cedar called look a second time with the same arguments, "{1", and got the same error, "gone".',
      [2, 3],
    ],
    [
      "unused-result",
      [...exchange(1, "look", "alpha bravo gamma delta sigma"), said(3, "Well.")],
      'Of what look returned to cedar, "alpha bravo gamma delta sigma", no message and no argument holds a word in the rest of the log.',
      [1],
    ],
    [
      "unused-result",
      [returned(2, "look", "alpha bravo gamma delta sigma"), said(3, "Well.")],
      'Of what look returned to cedar, "alpha bravo gamma delta sigma", no message and no argument holds a word in the rest of the log.',
      [],
    ],
    [
      "speaks-for-tool",
      [said(1, "Observation: 4 rows")],
      'cedar wrote in a plain message what looks like the result of a tool: "Observation: 4 rows".',
      [],
    ],
    [
      "speaks-for-tool",
      [user, said(2, "We called get_user.")],
      'cedar told of a call of get_user that it had not made: "We called get_user.".',
      [],
    ],
    [
      "speaks-for-tool",
      [user, said(2, `${"x".repeat(40)} I called get_user.`)],
      `cedar told of a call of get_user that it had not made: "${"x".repeat(30)} I called get_user.".`,
      [],
    ],
    [
      "catalogue-broken",
      [tool, called(2, "sav")],
      "cedar called sav, which is none of the 1 tools that were offered.",
      [],
    ],
    [
      "catalogue-broken",
      [tool, offered(2, "save", PATHS), called(3, "save", { args: null, raw: "{" })],
      'cedar called save with arguments that are no JSON: "{".',
      [1],
    ],
  ])("[FI3] of %s has a sentence, and what it rests on", (id, facts, says, related) => {
    expect(placesOf(id, facts)).toMatchObject([{ says, related }]);
  });
});

describe("any log", () => {
  it("[FI25, FI32] facts are counted by their kind, and the last judgement is the log's", () => {
    const facts = [
      ...[offered(1, "look"), ...exchange(2, "look", "a"), said(4, "Well.")],
      ...[judged({ reward: 0 }), judged({ reward: 1 }), said(5, "So.")],
    ];
    const found = findIn([], facts);

    expect(found.facts).toEqual({ offered: 1, called: 1, returned: 1, said: 2, judged: 2 });
    expect(found.judged).toMatchObject({ reward: 1 });
    expect(findIn([], []).judged).toBeNull();
  });

  it("[FI3] places stand in the order of the log, so many of each kind as were asked for", () => {
    const five = "alpha bravo gamma delta sigma";
    const facts = [
      ...exchange(1, "look", five),
      ...[...exchange(3, "save", null), ...exchange(5, "save", null)],
    ];
    const found = (ofEach?: number) => {
      const { occurrences, tallies } = findIn(findings, facts, ofEach);
      return [
        occurrences.map(({ finding, seq }) => [finding, seq]),
        tallies.map(({ finding, count }) => [finding, count]),
      ];
    };
    const tallies = [
      ["empty-success", 2],
      ["same-again", 1],
      ["unused-result", 1],
    ];

    expect(found(1)).toEqual([
      [
        ["unused-result", 2],
        ["empty-success", 4],
        ["same-again", 6],
      ],
      tallies,
    ]);
    expect(found()[0]).toHaveLength(4);
  });

  it("[FI17] of many calls and results, it forgets the oldest and finds the latest", () => {
    const many = Array.from({ length: KEPT_MAX + 10 }, (_, at) =>
      exchange(2 * at + 1, `tool${at}`, `alpha${at} bravo${at} gamma${at} delta${at} sigma${at}`),
    ).flat();

    // It was the last that its agent did.
    const alone = exchange(-1, "look", "first second third fourth fifth", {
      ...{ call: { agent: "vault" }, end: { agent: "vault" } },
    });

    const { occurrences } = findIn(findings, [...alone, ...many, said(1_000_000, "Well.")]);

    expect(occurrences.filter(({ finding }) => finding === "unused-result").length).toBe(
      KEPT_MAX + 10,
    );
    expect(occurrences[0]?.says).toContain(`in the ${KEPT_MAX} results that followed`);
  });

  it("[FI17] of many calls without a result none is lost", () => {
    const many = Array.from({ length: KEPT_MAX + 10 }, (_, at) =>
      called(at + 3, "look_up", { intent: "fs_write" }),
    );

    expect(
      seqsOf("takes-others-calls", [offered(1, "fs_write"), offered(2, "look_up"), ...many]),
    ).toHaveLength(KEPT_MAX + 10);
  });

  it("[FI17] a result whose call is not known any more is read all the same", () => {
    const facts = [returned(2, "save", null)];

    expect(findIn(findings, facts).occurrences).toMatchObject([{ seq: 2, related: [] }]);
  });

  it("[FI3] the same facts give the same places, in order, whatever else is looked for", () => {
    const text = fc.constantFrom("Error: no", "done", "Observation: 1", "alpha bravo gamma", "");
    const tool = fc.constantFrom("save", "search", "get_user");
    const fact = fc.oneof(
      text.map((one) => (seq: number) => [said(seq, one)]),
      tool.map((one) => (seq: number) => [offered(seq, one, PATHS)]),
      fc.tuple(tool, fc.jsonValue()).map(
        ([one, result]) =>
          (seq: number) =>
            exchange(seq, one, result as Json, { call: { args: result as Json } }),
      ),
    );
    const law = fc.property(fc.array(fact, { maxLength: 30 }), (made) => {
      const facts = made.flatMap((one, at) => one(2 * at + 1));
      const { occurrences, tallies } = findIn(findings, facts);
      const apart = findings.flatMap(({ id }) => placesOf(id, facts));
      expect(occurrences.map(({ seq }) => seq)).toEqual(
        occurrences.map(({ seq }) => seq).toSorted((a, b) => a - b),
      );
      expect(new Set(apart.map((one) => JSON.stringify(one)))).toEqual(
        new Set(occurrences.map((one) => JSON.stringify(one))),
      );
      expect(tallies.reduce((sum, { count }) => sum + count, 0)).toBe(occurrences.length);
    });

    fc.assert(law);
  });
});
