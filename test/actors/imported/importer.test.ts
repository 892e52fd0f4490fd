// What each record of a foreign log rests on, and when it happens.
import fc from "fast-check";
import { expect, it } from "vitest";
import { bounds } from "../../../src/actors/imported/bounds.ts";
import { Importer } from "../../../src/actors/imported/importer.ts";
import { link, ordered } from "../../../src/actors/imported/links.ts";
import { imported } from "../../../src/actors/imported/part.ts";
import type { LogRecord } from "../../../src/actors/imported/record.ts";
import type { LogLink } from "../../../src/machines/imported/mail.ts";
import { narrate } from "../../../src/run/narrate.ts";
import { why } from "../../../src/run/why.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { called, judged, noted, offered, returned, said } from "./pieces.ts";

const head = { name: "talk", format: "openai", file: "log.jsonl" } as const;

function log(...records: readonly LogRecord[]): readonly Delivery[] {
  const importer = new Importer(head);
  return [...records.flatMap((record) => importer.add(record)), ...importer.end()];
}

/** Of the record with this number, from 1. */
const linksOf = (all: readonly Delivery[], seq: number): readonly LogLink[] => {
  const { event } = all[seq] as Delivery;
  return "links" in event ? event.links : [];
};
const brief = (all: readonly Delivery[], seq: number) =>
  linksOf(all, seq).map(({ rule, seq: to }) => `${rule} #${to}`);

it("[IM40] a log begins with what it is and ends with how many records it has", () => {
  const all = log(said("user", "Hello"));

  expect(all.map(({ event }) => event.type)).toEqual(["log.opened", "log.said", "log.closed"]);
  expect(all.at(-1)?.event).toEqual(expect.objectContaining({ records: 1, forgotten: {} }));
});

it("[IM40] who speaks, calls and answers is sender and receiver, by an address that holds any name", () => {
  const all = log(
    said("user", "Hello"),
    said("A/b #2", "Yes", { to: "user" }),
    called("look", {}, { agent: "A/b #2" }),
    returned("seen", { tool: "look" }),
    called("find", {}, { call: "c" }),
    returned("found", { call: "c" }),
  );

  expect(all.slice(1, -1).map(({ from, to }) => [from, to])).toEqual([
    ["outside/user", "everyone"],
    ["agent/A_b_2", "outside/user"],
    ["agent/A_b_2", "tool/look"],
    ["tool/look", "agent/A_b_2"],
    ["agent/assistant", "tool/find"],
    ["tool/find", "agent/assistant"],
  ]);
});

it("[IM40] what an address cannot hold of a name, the event has whole", () => {
  const [, one] = log(said("A/b #2", "Yes", { to: "c/d" }));

  expect(one).toMatchObject({ from: "agent/A_b_2", event: { speaker: "A/b #2", to: "c/d" } });
});

it("[IM41] times count from the first one; without any, each record counts a second", () => {
  const timed = log(
    said("user", "a"),
    said("x", "b", { atMs: 5_000 }),
    said("x", "c", { atMs: 5_250 }),
  );
  const untimed = log(said("user", "a"), said("x", "b"), said("x", "c"));

  expect(timed.map(({ dueMs }) => dueMs)).toEqual([0, 0, 0, 250, 250]);
  expect(untimed.map(({ dueMs }) => dueMs)).toEqual([0, 0, 1_000, 2_000, 2_000]);
  expect(untimed[0]?.event).toMatchObject({ clock: "steps" });
});

it("[IM41] a time that goes back stays where the log stands, and is counted", () => {
  const all = log(said("x", "a", { atMs: 900 }), said("x", "b", { atMs: 100 }));

  expect(all.map(({ dueMs }) => dueMs)).toEqual([0, 0, 0, 0]);
  expect(all.at(-1)?.event).toMatchObject({ forgotten: { "times that went back": 1 } });
});

it("[IM41] what has no time happens with the record before it, and has not gone back", () => {
  const all = log(said("x", "a", { atMs: 500 }), said("x", "b", { atMs: 900 }), said("y", "c"));

  expect(all.map(({ dueMs }) => dueMs)).toEqual([0, 0, 400, 400, 400]);
  expect(all.at(-1)?.event).toHaveProperty("forgotten", {});
});

it("[IM41] a number that is no date is no time", () => {
  const all = log(said("x", "a", { atMs: Number.NaN }), said("x", "b", { atMs: 1e17 }));

  expect(all[0]?.event).toMatchObject({ clock: "steps" });
});

it("[IM41] a time among the first 200 records is the log's; of one behind them nothing is known", () => {
  const clockOf = (untimed: number) => {
    const all = log(
      ...Array.from({ length: untimed }, () => said("x", "a")),
      said("x", "b", { atMs: 5_000 }),
    );
    return [all[0]?.event, all.at(-1)?.dueMs];
  };

  expect(clockOf(199)).toEqual([expect.objectContaining({ clock: "log" }), 0]);
  expect(clockOf(200)).toEqual([expect.objectContaining({ clock: "steps" }), 200_000]);
});

it("[IM7, IM42] a result is of the call that it names, although a later one of its tool is open, or the id comes again", () => {
  const all = log(
    called("one", {}, { call: "c" }),
    returned(1, { call: "c" }),
    called("two", {}, { call: "c" }),
    returned(2, { call: "c" }),
  );

  expect(brief(all, 2)).toEqual(["result-of #1"]);
  expect(brief(all, 4)).toEqual(["result-of #3"]);
  expect(all[4]).toMatchObject({ cause: 3, event: { tool: "two", of: 3, caller: "assistant" } });
  const both = log(
    ...["c", "d"].map((call) => called("one", {}, { call })),
    ...["c", "d"].map((call) => returned(1, { call, tool: "one" })),
  );
  expect([3, 4].map((seq) => brief(both, seq))).toEqual([["result-of #1"], ["result-of #2"]]);
});

it("[IM42] a result that names no call is of the last open call of its tool, which is inferred", () => {
  const all = log(
    called("one", { n: 1 }),
    called("one", { n: 2 }),
    called("two", {}),
    returned("b", { tool: "one" }),
    returned("a", { tool: "one" }),
    returned("none is left", { tool: "one" }),
  );

  expect([4, 5, 6].map((seq) => brief(all, seq))).toEqual([["open-call #2"], ["open-call #1"], []]);
  expect(all[4]?.cause).toBeNull();
});

it("[IM42] one that names no tool, too, is of the last open call without an id; of its tool, one with an id will do", () => {
  const open = [
    called("find", {}, { call: "a" }),
    called("walk", {}),
    called("look", {}, { call: "b" }),
  ] as const;

  expect(brief(log(...open, returned("x")), 4)).toEqual(["open-call #2"]);
  expect(brief(log(...open, returned("x", { tool: "look" })), 4)).toEqual(["open-call #3"]);
  expect(brief(log(...open, returned("x"), returned("y")), 5)).toEqual([]);
  // One that was answered under its id waits no longer.
  const answered = [called("look", {}, { call: "b" }), returned("seen", { call: "b" })] as const;
  expect(brief(log(...answered, returned("x", { tool: "look" })), 3)).toEqual([]);
});

it("[IM42] a result that names a call that is not there is of none", () => {
  const all = log(called("one", {}, { call: "c" }), returned(1, { tool: "one", call: "other" }));

  expect(brief(all, 2)).toEqual([]);
  expect(all[2]?.event).toMatchObject({ of: null, caller: null, tool: "one" });
});

it("[IM43] the calls in a message are made by it, which is stated; by the next record it is inferred", () => {
  const same = log(
    said("assistant", "I look.", { step: 3 }),
    called("look", {}, { step: 3 }),
    called("see", {}, { step: 3 }),
  );
  const next = log(said("assistant", "I look.", { step: 3 }), called("look", {}, { step: 4 }));

  expect([brief(same, 2), brief(same, 3)]).toEqual([["made-by #1"], ["made-by #1"]]);
  expect(brief(next, 2)).toEqual(["next-call #1"]);
  expect(linksOf(next, 2)[0]?.inferred).toBe(true);
});

it("[IM43] a call that names a message of its agent's as its parent is made by that, whatever was heard since", () => {
  const all = log(
    said("assistant", "I look.", { id: "m1", step: 1 }),
    said("user", "Go on.", { step: 2 }),
    called("look", {}, { parent: "m1", step: 3 }),
  );

  expect(linksOf(all, 3)[0]).toMatchObject({ rule: "made-by", seq: 1, inferred: false });
});

it("[IM43] a message of another agent, or in another file, makes no call of the same step", () => {
  const message = said("a", "I look.", { step: 3 });
  const elsewhere = { file: "other.jsonl", line: 1 };
  const rule = (given: object) =>
    brief(log(message, called("look", {}, { step: 3, agent: "a", ...given })), 2);

  expect(rule({})).toEqual(["made-by #1"]);
  expect(rule({ agent: "b" })).toEqual(["last-heard #1"]);
  expect(rule({ place: elsewhere })).toEqual(["next-call #1"]);
});

it("[IM43] a call after something was heard is not the next of the agent's words", () => {
  const all = log(said("assistant", "Which?"), said("user", "That."), called("look", {}));

  expect(brief(all, 3)).toEqual(["last-heard #2"]);
});

it("[IM44] what the log says to belong to a record rests on it; a note explains last", () => {
  const all = log(
    noted("assistant", "invoke_agent", { id: "span1" }),
    said("user", "Go", {}),
    said("assistant", "I go.", { parent: "span1", id: "m1" }),
    called("walk", {}, { parent: "m1" }),
  );

  expect(brief(all, 3)).toEqual(["last-heard #2", "parent #1"]);
  expect(all[3]?.cause).toBe(1);
  expect(brief(all, 4)).toEqual(["made-by #3"]);
});

it("[IM44] whatever names a message, a call or a result as its parent is made by that, which is stated", () => {
  const all = log(
    said("user", "Go", { id: "m" }),
    called("look", {}, { id: "c", call: "1" }),
    returned("seen", { id: "r", call: "1", parent: "c" }),
    ...["m", "c", "r"].map((parent) => said("system", "Mind.", { parent })),
    noted("assistant", "usage", { parent: "r" }),
    said("system", "Mind.", { parent: "gone" }),
  );

  expect([4, 5, 6, 7, 8].map((seq) => brief(all, seq))).toEqual([
    ...[["made-by #1"], ["made-by #2"], ["made-by #3"], ["made-by #3"], []],
  ]);
  // Of one record the most telling rule alone is told.
  expect(brief(all, 3)).toEqual(["result-of #2"]);
});

it("[IM45] an answer rests on what its speaker heard last, of all and of those who spoke to it alone", () => {
  const all = log(
    said("lead", "You look.", { to: "web" }),
    said("web", "Seen."),
    said("lead", "Go on.", { to: "code" }),
    said("web", "More.", {}),
    said("code", "Done."),
  );

  expect([2, 3, 4, 5].map((seq) => brief(all, seq))).toEqual([
    ["last-heard #1"],
    ["last-heard #2"],
    ["last-heard #1"],
    ["last-heard #4"],
  ]);
});

it("[IM45] what came back to an agent is what it heard last, and nobody hears itself", () => {
  const all = log(
    said("user", "Go"),
    called("find", {}, { agent: "a", call: "c" }),
    returned("found", { call: "c" }),
    said("a", "Done."),
    said("b", "Well."),
    said("b", "Very well."),
    said("b", "So be it."),
  );

  expect([4, 5, 6, 7].map((seq) => brief(all, seq))).toEqual([
    ["last-heard #3"],
    ["last-heard #4"],
    ["last-heard #4"],
    ["last-heard #4"],
  ]);
});

it("[IM45] of words to one agent alone it rests on the last", () => {
  const all = log(
    said("lead", "Look.", { to: "web" }),
    said("lead", "Look now.", { to: "web" }),
    said("web", "Seen."),
  );

  expect(brief(all, 3)).toEqual(["last-heard #2"]);
});

it("[IM45] people and instructions come from outside and rest on nothing", () => {
  const all = log(said("assistant", "Which?"), said("user", "That."), said("system", "Be kind."));

  expect([2, 3].map((seq) => linksOf(all, seq))).toEqual([[], []]);
});

it("[IM46] an argument or a message that holds a telling value of a result rests on it", () => {
  const all = log(
    called("find", {}, { call: "a" }),
    returned('{"flight": "HAT136", "order_number": 7447112}', { call: "a" }),
    called("book", { flight: "HAT136" }),
    said("assistant", "The order is 7447112."),
  );

  expect(linksOf(all, 3)[0]).toEqual({ seq: 2, rule: "quotes", inferred: true, value: "HAT136" });
  expect(linksOf(all, 4)[0]).toEqual({ seq: 2, rule: "quotes", inferred: true, value: "7447112" });
});

it("[IM46] of several values of one result the longest tells; the numbers are these", () => {
  const all = log(
    returned("HAT136 and mia_li_3668", { tool: "find" }),
    called("book", { flight: "HAT136", who: "mia_li_3668" }),
  );

  expect(linksOf(all, 2)[0]).toMatchObject({ rule: "quotes", value: "mia_li_3668" });
  expect([bounds.quotedResults, bounds.quotesOfRecord]).toEqual([4, 4]);
});

it("[IM46] what stands in arguments that are no JSON is quoted, too, and so is an error", () => {
  const all = log(
    returned(null, { tool: "find", error: "no HAT136" }),
    called("book", null, { raw: "{flight: HAT136" }),
  );

  expect(linksOf(all, 2)[0]).toMatchObject({ rule: "quotes", seq: 1, value: "HAT136" });
});

it("[IM46] what stood there before the result is not quoted from it, nor is a field's name", () => {
  const all = log(
    offered("book", "books a flight such as HAT136"),
    { ...offered("pay", "pays"), schema: { enum: ["CARD-77"] } },
    said("system", "Ask for CODE-88."),
    said("assistant", "I ask for ORD5561."),
    called("find", { order: "ORD5561" }, { call: "a" }),
    returned(
      '{"flight": "HAT136", "order": "ORD5561", "payment_methods": [], "CARD-77 CODE-88"]}',
      { call: "a" },
    ),
    called("book", {
      flight: "HAT136",
      order: "ORD5561",
      by: "payment_methods",
      of: "CARD-77 CODE-88",
    }),
  );

  expect(brief(all, 7)).toEqual(["last-heard #6"]);
});

it("[IM46] a person's words that hold a value of a result quote nothing", () => {
  const all = log(returned("HAT136", { tool: "find" }), said("user", "Take HAT136."));

  expect(linksOf(all, 2)).toEqual([]);
});

it("[IM46] an argument that a person named rests on the person's words; a message does not", () => {
  const all = log(
    said("user", "I am mia_li_3668."),
    said("assistant", "Hello mia_li_3668."),
    said("user", "Go on."),
    called("find", { user: "mia_li_3668" }),
  );

  expect(brief(all, 2)).toEqual(["last-heard #1"]);
  expect(brief(all, 4)).toEqual(["quotes #1", "last-heard #3"]);
});

it("[IM46] at most four links, results before what people said, and of these the last one first", () => {
  const codes = ["HAT136", "HAT137", "HAT138", "HAT139", "HAT140"];
  const quoting = (those: readonly string[]) =>
    brief(
      log(
        said("user", "I am mia_li_3668."),
        ...codes.map((one) => returned(one, { tool: "find" })),
        called("book", { of: ["mia_li_3668", ...those] }),
      ),
      7,
    ).filter((one) => one.startsWith("quotes"));

  expect(quoting(codes.slice(0, 2))).toEqual(["quotes #3", "quotes #2", "quotes #1"]);
  expect(quoting(codes.slice(0, 3))).toEqual(["quotes #4", "quotes #3", "quotes #2", "quotes #1"]);
  expect(quoting(codes)).toEqual(["quotes #6", "quotes #5", "quotes #4", "quotes #3"]);
  // What a person said later comes behind them all the same.
  const later = log(
    ...codes.slice(0, 2).map((one) => returned(one, { tool: "find" })),
    said("user", "I am mia_li_3668."),
    called("book", { of: ["mia_li_3668", "HAT136", "HAT137"] }),
  );
  expect(brief(later, 4).slice(0, 3)).toEqual(["quotes #2", "quotes #1", "quotes #3"]);
});

it("[IM46] a value that many results hold tells no longer which one is quoted", () => {
  const quoting = (results: number): readonly string[] => {
    const many = Array.from({ length: results }, () => returned("HAT136 again", { tool: "find" }));
    const all = log(...many, called("book", { flight: "HAT136" }));
    return brief(all, results + 1);
  };

  expect(quoting(bounds.quotedResults)).toContain("quotes #1");
  expect(quoting(bounds.quotedResults + 1)).not.toContain("quotes #1");
});

it("[IM47] a call that reads a path rests on the last call that wrote it", () => {
  const all = log(
    called("write_file", { path: "/tmp/a.txt", text: "one" }),
    called("save_file", { path: "/tmp//a.txt" }),
    called("read_file", { path: "/tmp/a.txt" }),
    called("readFile", { path: "/tmp/b.txt" }),
  );

  expect(linksOf(all, 3)).toEqual([
    { seq: 2, rule: "wrote-then-read", inferred: true, value: "/tmp/a.txt" },
  ]);
  expect(linksOf(all, 4)).toEqual([]);
});

it("[IM47] a tool whose name says both or neither reads nothing, and writes nothing", () => {
  const at = { path: "/tmp/a.txt" };
  const wrote = (name: string) => linksOf(log(called(name, at), called("read_file", at)), 2);
  const read = (name: string) => linksOf(log(called("write_file", at), called(name, at)), 2);

  expect([wrote("write_file"), read("read_file")].map(({ length }) => length)).toEqual([1, 1]);
  const elsewhere = { place: "/tmp/a.txt" };
  expect(linksOf(log(called("write_file", elsewhere), called("read_file", elsewhere)), 2)).toEqual(
    [],
  );
  for (const name of ["list_dir", "read_or_write"]) {
    expect([wrote(name), read(name)].flat().map(({ rule }) => rule)).not.toContain(
      "wrote-then-read",
    );
  }
});

it("[IM47] where the last write has a result, the call rests on that: it may say that nothing was written", () => {
  const write = called("write_file", { path: "/tmp/a.txt" });
  const both = [write, returned("", { tool: "write_file" })];
  const read = called("read_file", { path: "/tmp/a.txt" });
  const rest = (...records: readonly LogRecord[]) =>
    linksOf(log(...records, read), records.length + 1)
      .filter(({ rule }) => rule === "wrote-then-read")
      .map(({ seq }) => seq);

  expect(rest(...both)).toEqual([2]);
  expect(rest(...both, write)).toEqual([3]);
  expect(rest(...both, write, returned("ok", { tool: "write_file" }))).toEqual([4]);
  const [first, last] = ["c1", "c2"].map((call) => ({ ...write, call }) as LogRecord);
  const late = returned("ok", { tool: "write_file", call: "c1" });
  expect(rest(first as LogRecord, last as LogRecord, late)).toEqual([2]);
});

it("[IM48] of several rules the most telling is told: in this order, and of one record once", () => {
  const order = [
    ...["faulted", "result-of", "wrote-then-read", "made-by", "open-call", "quotes"],
    ...["next-call", "last-heard", "parent"],
  ] as const;
  const links = order.map((rule, seq) => link(rule, seq + 1));

  expect(ordered(links.toReversed()).map(({ rule }) => rule)).toEqual(order);
  expect(ordered([link("parent", 1), link("quotes", 1), link("last-heard", 2)])).toMatchObject([
    { rule: "quotes", seq: 1 },
    { rule: "last-heard", seq: 2 },
  ]);
  expect(links.filter(({ inferred }) => !inferred).map(({ rule }) => rule)).toEqual([
    ...["faulted", "result-of", "made-by", "parent"],
  ]);
});

it("[IM48] the cause is the link that the log states, and all that a record rests on stands in order", () => {
  const all = log(
    noted("assistant", "run", { id: "span1" }),
    returned("HAT136", { tool: "find" }),
    said("user", "Go"),
    called("book", { flight: "HAT136" }, { parent: "span1" }),
  );

  expect(brief(all, 4)).toEqual(["quotes #2", "last-heard #3", "parent #1"]);
  expect(all[4]).toMatchObject({ cause: 1, because: [1, 2, 3] });
});

it("[IM48] words say of an inferred link that it is one, by which rule, and what shows it", () => {
  const all = log(returned("HAT136", { tool: "find" }), called("book", { flight: "HAT136" }));
  const words = narrate([imported], all[2] as Delivery);

  expect(words).toBe(
    'assistant called book with {"flight":"HAT136"} — inferred by quotes, not stated in the log: ' +
      'its "HAT136" stands first in #1.',
  );
});

it("[IM48] `why` follows the most telling link and ends at what came from outside", () => {
  const all = log(
    said("user", "I am mia_li_3668."),
    called("find", { user: "mia_li_3668" }, { call: "a" }),
    returned("Error: no such user", { call: "a" }),
  );
  const explanation = why([imported], all, []);

  expect(explanation?.chain.map(({ seq }) => seq)).toEqual([3, 2, 1]);
  expect(explanation?.origins).toEqual([{ kind: "outside", id: "user", seq: 1 }]);
});

it("[IM48] `why` goes on from a call that read a file to whose result wrote it, whoever asked for the call", () => {
  const all = log(
    said("user", "Go"),
    called("write_file", { path: "/desk/price.txt", content: "" }, { agent: "finder", call: "a" }),
    returned("nothing was found", { call: "a" }),
    said("replier", "I answer now."),
    called("read_file", { path: "/desk/price.txt" }, { agent: "replier", call: "b" }),
    returned("Error: there is no price", { call: "b" }),
  );

  expect(
    why([imported], all, [])
      ?.chain.map(({ seq }) => seq)
      .slice(0, 4),
  ).toEqual([6, 5, 3, 2]);
});

it("[IM49] trouble is the first error, else the marked mistake, else an agent's last words in a failed log", () => {
  const talk = [said("user", "Go", { step: 0 }), said("a", "One", { step: 1 })] as const;
  const end = [said("b", "Two", { step: 2 }), said("user", "Bye", { step: 3 })] as const;
  const mistake = { agent: "a", step: 1, reason: null };
  const troubleOf = (...records: readonly LogRecord[]) => why([imported], log(...records), []);

  expect(troubleOf(...talk, returned("Error: x", { tool: "t" }), ...end)?.chain[0]?.seq).toBe(3);
  expect(troubleOf(...talk, ...end, judged({ mistake, success: false }))?.chain[0]?.seq).toBe(2);
  expect(troubleOf(...talk, ...end, judged({ reward: 0 }))?.chain[0]?.seq).toBe(3);
  expect(troubleOf(...talk, ...end, judged({ reward: 1 }))).toBeUndefined();
  expect(troubleOf(...talk, ...end)).toBeUndefined();
});

it("[IM49] the marked step is that of the marked agent where it has several records, else its first", () => {
  const records = [said("a", "One", { step: 1 }), said("b", "Two", { step: 1 })] as const;
  const marked = (agent: string | null, step: number | null) =>
    why([imported], log(...records, judged({ mistake: { agent, step, reason: null } })), [])
      ?.chain[0]?.seq;

  expect([marked("b", 1), marked("a", 1), marked(null, 1), marked("c", 1)]).toEqual([2, 1, 1, 1]);
  expect([marked("b", 2), marked("b", null)]).toEqual([undefined, undefined]);
  // A mark at a step that is not there does not hide another judge's, nor that the log failed.
  const at = (step: number) => judged({ mistake: { agent: "a", step, reason: null } });
  const seqOf = (...more: readonly LogRecord[]) =>
    why([imported], log(...records, ...more), [])?.chain[0]?.seq;
  expect([seqOf(at(2), at(1)), seqOf(at(2), judged({ success: false }))]).toEqual([1, 2]);
});

it("[IM49] a log that its judges call a failure has failed, whatever its reward, and the other way round", () => {
  const failed = (verdict: Parameters<typeof judged>[0]) =>
    why([imported], log(said("a", "One"), judged(verdict)), []) !== undefined;

  expect([failed({ success: false, reward: 1 }), failed({ success: true, reward: 0 })]).toEqual([
    true,
    false,
  ]);
  expect([failed({ reward: -1 }), failed({ reward: 0.1 })]).toEqual([true, false]);
});

it("[IM49] a call, a message and a step can be asked for", () => {
  const all = log(
    said("a", "Go", { step: 7 }),
    called("find", {}, { call: "c", step: 7 }),
    returned("found", { call: "c", step: 8 }),
  );
  const asked = (question: string) => why([imported], all, [], question)?.chain[0]?.seq;

  expect([asked("message:1"), asked("call:2"), asked("call:3"), asked("step:8")]).toEqual([
    1, 3, 3, 3,
  ]);
  expect(imported.questions.all(all)).toEqual(["message:1", "step:7", "call:2", "step:8"]);
  expect(() => asked("message:2")).toThrow("nothing in this run answers");
});

const anyName = fc.constantFrom("a", "b", "user", "", "x/y #1", "\ud800");
const anyText = fc.constantFrom("", "HAT136", "mia_li_3668 and 51.25", "Error: HAT136", "\ud800é");
const anyId = fc.constantFrom(null, "1", "2", "__proto__");
const anyRecord: fc.Arbitrary<LogRecord> = fc
  .record({
    kind: fc.constantFrom("said", "called", "returned", "noted", "offered", "judged"),
    name: anyName,
    text: anyText,
    value: fc.jsonValue(),
    atMs: fc.option(fc.oneof(fc.integer(), fc.double()), { nil: null }),
    step: fc.option(fc.nat(3), { nil: null }),
    id: anyId,
    parent: anyId,
    call: anyId,
  })
  .map(({ kind, name, text, value, call, ...rest }): LogRecord => {
    const args = JSON.parse(JSON.stringify(value)) as typeof value as never;
    if (kind === "said") return said(name, text, rest);
    if (kind === "called") return called(name, args, { ...rest, call });
    if (kind === "returned") return returned(args, { ...rest, call, tool: name });
    if (kind === "noted") return noted(name, text, rest);
    return kind === "offered" ? { ...offered(name, text), ...rest } : { ...judged({}), ...rest };
  });

it("[IM50] whatever the records are, causes point backward, numbers grow by one and time never goes back", () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 40 }), (records) => {
      const all = log(...records);

      expect(all.map(({ seq }) => seq)).toEqual(all.map((_, place) => place));
      for (const [place, { seq, cause, because = [], dueMs, event }] of all.entries()) {
        expect(dueMs).toBeGreaterThanOrEqual(all[place - 1]?.dueMs ?? 0);
        const rests = [...because, ...(cause === null ? [] : [cause])];
        expect(rests.every((one) => one < seq && one > 0)).toBe(true);
        if ("links" in event) expect(because.length).toBe(event.links.length);
        expect(narrate([imported], all[place] as Delivery)).not.toContain("forged");
      }
    }),
  );
});

it("[IM50] each record is told in the terms that every log shares, one fact a record", () => {
  const all = log(
    offered("find", "finds"),
    said("user", "Go"),
    called("find", { n: 1 }, { call: "a" }),
    returned([], { call: "a" }),
    judged({ reward: 0 }),
    // A result without a call, be it named or not, is no fact.
    returned([], { call: "b" }),
    returned([], { tool: "find" }),
  );
  const trace = imported.trace();

  expect(all.flatMap(trace).map(({ is, seq }) => [is, seq])).toEqual([
    ["offered", 1],
    ["said", 2],
    ["called", 3],
    ["returned", 4],
    ["judged", 5],
  ]);
});
