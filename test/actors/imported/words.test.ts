// The sentences that are told of what stands in a log, and how much of its texts they quote.
import { expect, it } from "vitest";
import { words } from "../../../src/actors/imported/words.ts";
import type { LinkRule, LogLink } from "../../../src/machines/imported/mail.ts";
import { expectTold, type Told, unheld } from "../../sentences.ts";

const opened = { log: "talk", format: "openai", file: "a.json" };
const said = { speaker: "ann", to: null, text: "Go on.", links: [] };
const called = { agent: "ann", tool: "find", args: { a: 1 }, raw: null, links: [] };
const returned = { caller: null, tool: "find", result: "x", ok: null, error: null, links: [] };
const judged = { reward: null, success: null, mistake: null };

const records: readonly Told[] = [
  ["log.opened", { ...opened, clock: "log" }, "The log talk begins (openai, a.json)."],
  [
    "log.opened",
    { ...opened, log: "", clock: "steps" },
    'The log "" begins (openai, a.json); it has no times, so each record counts one second.',
  ],
  ["log.said", said, 'ann said: "Go on.".'],
  ["log.said", { ...said, to: "bob" }, 'ann said to bob: "Go on.".'],
  ["log.said", { ...said, to: "bob", text: " \n" }, "ann said nothing in words to bob."],
  ["log.called", called, 'ann called find with {"a":1}.'],
  ["log.called", { ...called, args: "x" }, 'ann called find with "x".'],
  ["log.called", { ...called, args: null, raw: "{" }, "ann called find with {, which is no JSON."],
  ["log.returned", returned, 'find returned "x".'],
  ["log.returned", { ...returned, caller: "ann", result: 7 }, "find returned to ann 7."],
  [
    "log.returned",
    { ...returned, caller: "ann", result: [] },
    "find returned an empty list to ann.",
  ],
  ["log.returned", { ...returned, result: "none" }, "find returned nothing."],
  [
    "log.returned",
    { ...returned, caller: "ann", result: "Error: no" },
    'find returned what reads as an error to ann: "Error: no".',
  ],
  [
    "log.returned",
    { ...returned, caller: "ann", error: "no such day" },
    'find failed for ann: "no such day".',
  ],
  ["log.returned", { ...returned, error: " " }, "find failed: without a reason."],
  ["log.returned", { ...returned, ok: false }, 'find failed: "x".'],
  ["log.offered", { tool: "find", description: null }, "The tool find was offered."],
  ["log.offered", { tool: "find", description: "finds" }, 'The tool find was offered: "finds".'],
  ["log.noted", { who: null, what: "span", data: null }, "The log notes span."],
  ["log.noted", { who: "ann", what: "span", data: [1] }, "Of ann the log notes span, [1]."],
  ["log.closed", { records: 7, forgotten: {} }, "The log ends after 7 records."],
  ["log.closed", { records: 1, forgotten: {} }, "The log ends after 1 record."],
  [
    "log.closed",
    { records: 7, forgotten: { ids: 2, paths: 1 } },
    "The log ends after 7 records. Beyond the bounds of the import, ids: 2, paths: 1.",
  ],
  ["log.judged", judged, "The log was judged."],
  ["log.judged", { ...judged, success: true }, "Judges of the log say that it succeeded."],
  [
    "log.judged",
    { ...judged, success: false, reward: 0 },
    "Judges of the log say that it failed and the reward 0.",
  ],
  [
    "log.judged",
    { ...judged, mistake: { agent: null, step: null, reason: null } },
    "People marked an unnamed step as the mistake.",
  ],
  [
    "log.judged",
    { ...judged, reward: 0, mistake: { agent: "ann", step: 0, reason: "wrong" } },
    'Judges of the log say the reward 0. People marked step 0 of ann as the mistake: "wrong".',
  ],
];

it("[IM40, IM41, IM51] every record of a log is told in these words, and nothing else", () => {
  expectTold(records);
  expect(unheld(words, records)).toEqual([]);
});

it("[IM40] a text is told on one line, up to its 200th character, JSON without quotes; a value up to its 160th, a name up to its 60th", () => {
  const text = (given: string, told: string): Told => [
    "log.said",
    { ...said, text: given },
    `ann said: ${told}.`,
  ];
  const value = (given: unknown, told: string): Told => [
    "log.returned",
    { ...returned, result: given },
    `find returned ${told}.`,
  ];
  const speaker = (given: string, told: string): Told => [
    "log.said",
    { ...said, speaker: given },
    `${told} said: "Go on.".`,
  ];
  const x = (count: number): string => "x".repeat(count);

  expectTold([
    text(" two\n\tlines ", '"two lines"'),
    text('[{"a":1}', '[{"a":1}'),
    text(x(200), `"${x(200)}"`),
    text(x(201), `"${x(200)}…"`),
    value([x(156)], `["${x(156)}"]`),
    value([x(157)], `["${x(157)}"…`),
    speaker(x(60), x(60)),
    speaker(x(61), `${x(60)}…`),
    speaker(" a\n b ", "a b"),
  ]);
});

it("[IM48] the rule by which a record rests on another is told where the log does not state it", () => {
  const by = (
    rule: LinkRule,
    inferred: boolean,
    told: string,
    value: string | null = null,
  ): Told => {
    const links: readonly LogLink[] = [
      { seq: 3, rule, inferred, value },
      { seq: 2, rule: "parent", inferred: true, value: null },
    ];
    const why = told === "" ? "" : ` — inferred by ${rule}, not stated in the log: ${told}`;
    return ["log.said", { ...said, links }, `ann said: "Go on."${why}.`];
  };

  expectTold([
    by("result-of", false, ""),
    by("faulted", true, "#3 put it there"),
    by("parent", false, ""),
    by("result-of", true, "it is the result of #3"),
    by("wrote-then-read", true, 'the last write of "a.txt" is #3', "a.txt"),
    by("made-by", true, "#3 made it"),
    by("open-call", true, "#3 is the last call of that tool without a result"),
    by("quotes", true, 'its "HAT136" stands first in #3', "HAT136"),
    by("quotes", true, 'its "" stands first in #3'),
    by("next-call", true, "it comes right after #3 of the same agent"),
    by("last-heard", true, "#3 is what was heard last"),
    by("parent", true, "it belongs to #3"),
  ]);
});
