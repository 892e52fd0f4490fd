import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KEPT, worldBounds } from "../../../src/actors/imported/worldBounds.ts";
import { itemsOf } from "../../../src/actors/imported/worldItems.ts";
import { WorldNames } from "../../../src/actors/imported/worldNames.ts";
import { Cutter } from "../../../src/actors/imported/worldValues.ts";
import { anyText } from "../../../src/contract/anyText.ts";
import { parseYaml } from "../../../src/edges/scenario/yamlText.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { simulate } from "../../builtIn.ts";
import { answered, called, found, made, played, said } from "./worlds.ts";

const booking = [
  said("Book a table for two"),
  ...called("find_tables", { day: "mon", n: 2 }, "[]"),
  answered("No table. Another day?"),
  said("yes"),
  ...called("find_tables", { day: "tue", n: 2 }, "Error: no such day"),
  ...called("find_tables", { day: "tue", n: 2 }, '[{"table":7}]'),
  said("yes"),
  ...called("Book-Table", { table: 7 }, "ok"),
];

const stepsOf = async (values: readonly unknown[]) => {
  const { scenario } = await made(values);
  return scenario.model.goals.map(({ slug, plans }) => [slug, plans[0]?.steps.length]);
};

describe("the scenario of a log", () => {
  it("[IM81] is valid, and a dry run finds nothing in it", async () => {
    const { scenario } = await made(booking);

    expect(found(scenario)).toEqual([]);
    expect(scenario.agents).toEqual(["assistant"]);
  });

  it("[IM81] says what stands where and what was assumed", async () => {
    const { text } = await made(booking);

    expect(text).toContain("# What people said. A word to nobody by name is for the agent");
    expect(text).toContain("that acts next (assumed).");
    expect(text).toContain("#   book_table: in the log Book-Table");
    expect(text).toContain("# The log has no times");
    expect(text).toContain("# Not played: 1 message of agents to people");
  });

  it("[IM83] a tool answers the same arguments in turn, with errors as errors", async () => {
    const { scenario } = await made(booking);
    const [find] = scenario.tools;

    expect(find?.table?.rows.map(({ outcomes }) => outcomes.map((one) => ({ ...one })))).toEqual([
      [{ ok: true, result: "[]" }],
      [
        { ok: false, error: "Error: no such day" },
        { ok: true, result: '[{"table":7}]' },
      ],
    ]);
  });

  it("[IM85] a goal that waits for a word that came before says which one it is", async () => {
    const again = [
      said("yes"),
      ...called("look", {}, "x"),
      said("yes"),
      ...called("look", {}, "x"),
    ];
    const { scenario } = await made(again);

    expect(scenario.model.goals.map(({ heard, nth }) => [heard, nth])).toEqual([
      ["yes", undefined],
      ["yes", 2],
    ]);
  });

  it("[IM83] the same arguments in another order are no other row", async () => {
    const { scenario } = await made([
      said("Look"),
      ...called("look", { day: "mon", n: 2 }, "one"),
      ...called("look", { n: 2, day: "mon" }, "two"),
    ]);

    expect(scenario.tools[0]?.table?.rows).toHaveLength(1);
  });

  describe("the arguments of a tool", () => {
    const parametersOf = async (parameters: unknown) => {
      const tools = [{ type: "function", function: { name: "look", parameters } }];
      const messages = [said("Look"), ...called("look", { day: "mon", n: 2 }, "ok")];
      const { scenario } = await made([{ tools, messages }]);
      return scenario.tools[0]?.parameters;
    };

    it("[IM83] are those of its schema and those that it was called with", async () => {
      const properties = { day: {}, n: {} };

      expect(await parametersOf({ properties: { day: {} }, required: ["day", "gone", 1] })).toEqual(
        {
          ...{ type: "object", properties, required: ["day"] },
        },
      );
      expect(await parametersOf({ required: "day" })).toEqual({
        ...{ type: "object", properties, required: [] },
      });
      for (const none of [{ type: "array" }, { properties: ["day"] }, ["day"]]) {
        expect(await parametersOf(none)).toBeUndefined();
      }
    });

    it("[IM89] are none where the schema is too long or has names that none may have", async () => {
      const long = (chars: number) => {
        const schema = { type: "object", properties: { day: { description: "" } } };
        schema.properties.day.description = "d".repeat(chars - JSON.stringify(schema).length);
        return schema;
      };
      const isKept = async (schema: unknown) => (await parametersOf(schema)) !== undefined;

      expect(await isKept(long(worldBounds.schemaChars))).toBe(true);
      expect(await isKept(long(worldBounds.schemaChars + 1))).toBe(false);
      expect(await isKept({ ["n".repeat(100)]: 1 })).toBe(true);
      expect(await isKept({ ["n".repeat(101)]: 1 })).toBe(false);
      expect(await isKept({ properties: { ["n".repeat(101)]: {} } })).toBe(true);
    });
  });

  const readFiles = () => {
    const read = (path: string, text: string) => called("read_file", { path }, text);
    return made([
      said("Compare the notes"),
      ...read("/data/one.txt", "first"),
      ...read("/data/one.txt", "read again"),
      ...called("write_file", { path: "/data/two.txt", text: "second" }, "ok"),
      ...read("/data/two.txt", "second"),
      ...read("/data/one.txt/within", "below a file"),
      ...read("/agentOS/workspace/shared/plan.md", "the plan"),
      ...read("/agentOS/tools/dynamic/read_file.json", "{}"),
      ...read("notes.txt", "of a relative path"),
      ...read("/usr/share/words.txt", "of the sandbox"),
      ...read("/data/gone.txt", "Error: no such file"),
    ]);
  };

  it("[IM97] what calls read before any call wrote it is there from the start", async () => {
    const { scenario } = await readFiles();

    expect(scenario.files).toEqual({
      "/data/one.txt": "first",
      "/agentOS/workspace/shared/plan.md": "the plan",
    });
    expect(scenario.policy["folders.writable"]).toEqual(["/data"]);
  });

  it("[IM97] files that no world can have are counted in a comment", async () => {
    const { scenario, text } = await readFiles();

    expect(text).toContain("# Not made: 4 files where no file of a world can lie.");
    const one = await made([said("Read"), ...called("read_file", { path: "notes.txt" }, "a note")]);
    expect(one.text).toContain("# Not made: 1 file where no file of a world can lie.");
    expect(found(scenario)).toEqual([]);
  });

  it("[IM84] people say what they said, under ids, each after what was said before is done", async () => {
    const { scenario } = await made(booking);
    const times = scenario.events.map(({ atMs }) => atMs);

    expect(scenario.events.map(({ id }) => id)).toEqual(["turn-1", "turn-2", "turn-3"]);
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    expect(new Set(times).size).toBe(3);
  });

  it("[IM85] a turn is a goal whose plan is its calls", async () => {
    expect(await stepsOf(booking)).toEqual([
      ["turn-1", 1],
      ["turn-2", 2],
      ["turn-3", 1],
    ]);
    expect(await stepsOf(called("look", {}, "x"))).toEqual([["opening-1", 1]]);
  });

  it("[IM85] what is more than a plan holds is the next goal", async () => {
    const many = Array.from({ length: 45 }, (_, n) => called("look", { n }, "x")).flat();
    expect(await stepsOf([said("go"), ...many])).toEqual([
      ["turn-1", 20],
      ["more-1", 20],
      ["more-2", 5],
    ]);
  });

  it("[IM84] a word to nobody by name is for the agent that acts next", async () => {
    const acts = (name: string) =>
      called("look", {}, "x").map((one) =>
        (one as { readonly role: string }).role === "assistant" ? { ...one, name } : one,
      );
    const { scenario } = await made([said("one"), ...acts("ann"), said("two"), ...acts("bob")]);

    expect(scenario.events).toMatchObject([{ agent: "ann" }, { agent: "bob" }]);
  });

  it("[IM98] says at the top, and of each variant, that its plan is played blindly", async () => {
    const { text, scenario } = await made(booking);

    expect(text).toMatch(/^# A world[^\n]*\n# Played[^\n]*\n# The plan is played blindly/);
    expect(text).toContain("# A live model goes on from there: ghostlight fork");
    expect(scenario.why).toContain("is unknown");
    expect(Object.values(scenario.variants)).not.toHaveLength(0);
    for (const { why } of Object.values(scenario.variants)) expect(why).toContain("is unknown");
  });

  it("[IM92] has a variant for what failed or was empty, and none where nothing was", async () => {
    const { scenario } = await made(booking);
    const quiet = await made([said("go"), ...called("look", {}, "x")]);

    expect(Object.keys(scenario.variants)).toEqual([
      "empty-is-failure",
      "empty-stops",
      "errors-stop",
    ]);
    expect(quiet.scenario.variants).toEqual({});
  });

  it("[IM84] [IM83] with times, people speak at theirs and tools take theirs, pauses of long logs cut", async () => {
    const at = (seconds: number, messages: readonly object[]) =>
      messages.map((one, n) => ({ ...one, timestamp: 1_700_000_000 + seconds + 2 * n }));
    const talk = (last: number) => [
      ...at(0, [said("go"), ...called("look", {}, "x")]),
      ...at(3_600, [said("again"), ...called("look", {}, "y")]),
      ...at(last, [said("more")]),
    ];
    const { scenario, text } = await made(talk(3_700));
    const long = await made(talk(100_000));

    expect(scenario.startsAt).toBe("2023-11-14T22:13:20.000Z");
    expect(scenario.events.map(({ atMs }) => atMs / 1_000)).toEqual([0, 3_600, 3_700]);
    expect(scenario.tools[0]?.table?.rows[0]?.outcomes[0]?.latencyMs).toEqual([2_000, 2_000]);
    expect(text).toContain("# Times are the log's");
    expect(long.scenario.events.map(({ atMs }) => atMs / 1_000)).toEqual([0, 60, 120]);
    expect(long.text).toContain("# Shortened to 60 s: 2 longer pauses.");
  });

  it("[IM88] what would add something that the log had not is off, each with its reason", async () => {
    const { scenario, text } = await made(booking);
    const lines = text.split("\n");
    const asked = new Set<string>();
    const types = new Set<string>();
    simulate(scenario, {
      onDelivery: ({ event }) => {
        types.add(event.type);
        if (event.type === "llm.asked") asked.add(event.view.purpose);
      },
    });

    for (const path of Object.keys(scenario.policy)) {
      expect(lines.find((line) => line.startsWith(`  ${path}: `))).toMatch(/ # [a-z0-9].{6,}$/);
    }
    expect([...asked]).toEqual(["goal.choose", "plan"]);
    expect([...types].filter((type) => /^(?:stressor|lesson|suffering)/.test(type))).toEqual([]);
  });

  it("[IM80] a log in which nobody acts has none", async () => {
    await expect(made([said("hello"), answered("hello")])).rejects.toThrow(
      "no agent calls a tool or speaks to another agent",
    );
  });
});

describe("played, it agrees with its log", () => {
  it("[IM90] call by call and result by result", async () => {
    const { agreement, holds, outcome } = await played(booking);

    expect(agreement).toEqual({
      calls: { inLog: 4, same: 4, share: 1, results: 4, sameResults: 4 },
      messages: { inLog: 0, same: 0, share: 1 },
      first: null,
    });
    expect([holds, outcome]).toEqual([true, "ended"]);
  });

  it("[IM86] braces in recorded arguments are no places", async () => {
    const args = { who: "{agent}", path: "{artifact}", list: ["{n}", { deep: "{goal}" }] };
    const { agreement, scenario } = await played([
      said("for {agent} {n}"),
      ...called("look", args, "{agent}"),
    ]);

    expect(agreement).toMatchObject({ calls: { same: 1, sameResults: 1 }, first: null });
    expect(found(scenario)).toEqual([]);
  });

  it("[IM87] messages between agents bring the next one to act, in the log's order", async () => {
    const talk = ["ann", "bob", "ann", "cy", "bob", "ann"].map((name, n) => ({
      ...{ role: "assistant", name, content: n % 2 === 0 ? "go on" : `say ${n}` },
    }));
    const { agreement, scenario } = await played([said("begin"), ...talk]);

    expect(scenario.agents).toEqual(["ann", "bob", "cy"]);
    expect(agreement.messages).toEqual({ inLog: 5, same: 5, share: 1 });
    expect(agreement.first).toBeNull();
  });

  it.each([
    ["the next agent acts", [], "bob"],
    ["the speaker calls first", called("look", {}, "x"), undefined],
    ["people speak first", [said("wait")], undefined],
  ])("[IM87] a word to nobody by name, where %s", async (_, between, to) => {
    const turn = (name: string, content: string) => ({ role: "assistant", name, content });
    const first = between.map((one) =>
      (one as { readonly role: string }).role === "assistant" ? { ...one, name: "ann" } : one,
    );
    const { scenario } = await made([
      said("begin"),
      ...[turn("bob", "ready"), turn("ann", "over to you"), ...first, turn("bob", "fine")],
      turn("ann", "good"),
    ]);

    expect(JSON.stringify(scenario).includes("over to you")).toBe(to !== undefined);
  });

  it("[IM87] what an agent says to people, or alone to itself, is not played", async () => {
    const { agreement, text } = await played([
      said("begin"),
      answered("To a person."),
      said("go on"),
      ...called("look", {}, "x"),
      answered("To itself."),
      ...called("look", {}, "y"),
    ]).then(async (one) => ({ ...one, text: JSON.stringify(one.scenario) }));

    expect(agreement).toMatchObject({ calls: { inLog: 2, same: 2 }, messages: { inLog: 0 } });
    expect(text).toContain("go on");
    for (const words of ["To a person.", "To itself."]) expect(text).not.toContain(words);
  });

  it("[IM85] the same words again mean the turn that they meant in the log", async () => {
    const { agreement } = await played([
      said("yes"),
      answered("What?"),
      said("book it"),
      ...called("book", { n: 1 }, "x"),
      said("yes"),
      ...called("book", { n: 2 }, "x"),
      said("yes"),
      answered("Sure?"),
      said("yes"),
      ...called("book", { n: 3 }, "x"),
    ]);

    expect(agreement).toMatchObject({ calls: { inLog: 3, same: 3 }, first: null });
  });

  it("[IM83] a call without a result is made and returns nothing", async () => {
    const { agreement } = await played([said("go"), ...called("look", {})]);

    expect(agreement.calls).toEqual({ inLog: 1, same: 1, share: 1, results: 0, sameResults: 0 });
  });

  it("[IM81, IM90] what was cut is the first that differs, with its place", async () => {
    const long = Array.from({ length: 40 }, (_, n) =>
      called("look", { n }, "x".repeat(30_000)),
    ).flat();
    const { agreement, text, world } = await played([said("go"), ...long]);

    expect(text.length).toBeLessThan(worldBounds.fileChars * 1.5);
    expect(world.notes.cuts).toBeGreaterThan(0);
    expect(text).toMatch(/^# Cut: \d+ texts longer than \d+ characters/m);
    expect(agreement.calls).toMatchObject({ same: 40, results: 40, sameResults: 0 });
    expect(agreement.first).toMatchObject({
      ...{ what: "result", agent: "assistant", reason: "another result than in the log" },
      log: { line: 2 },
    });
    expect(agreement.first?.seq).toBeGreaterThan(0);
    const saidOf = async (chars: number) => {
      const { text: own } = await made([said("go"), ...called("look", {}, "x".repeat(chars))]);
      return /^# Cut: .*/m.exec(own)?.[0];
    };
    const { chars = 0 } = KEPT[0] ?? {};
    expect(await saidOf(chars)).toBeUndefined();
    expect(await saidOf(chars + 1)).toBe(
      `# Cut: 1 text longer than ${chars} characters; each says so at its end.`,
    );
  });
});

describe("hostile logs", () => {
  const traps = [
    ..."yes no null ~ 1e3 0x1 .inf - # ! & * | > % @ ` ' \" : ? , [] {} <<".split(" "),
    "a: b",
    "- x\n- y",
    "x #y",
    "\ttab",
    "\n\n\nlines\n\n\n",
    " blank ",
    "---\nx\n...",
    "\u0000\u0007\u001b[31m\u009b\u2028\u2029\ufeff\u202e",
    "2001-01-01",
    "x".repeat(3_000),
    "=",
    "{agent}",
    `${"x".repeat(199)}\u{1f600} and more`,
    `${"x".repeat(190)}{claim}{agent}`,
  ];

  it.each(traps)(
    "[IM81, IM89] the text %j reads back, and is played as it stands",
    async (trap) => {
      const { agreement, text, world } = await played([
        said(trap),
        ...called("look", { trap }, trap),
      ]);

      expect(parseYaml(text, "world.yaml")).toMatchObject({ value: world.source });
      expect(agreement).toMatchObject({
        calls: { same: 1, results: 1, sameResults: 1 },
        first: null,
      });
    },
  );

  it("[IM81] a name of several lines stays in its comment", async () => {
    const { text, world } = await made([said("go"), ...called("a\nb: [", { x: 1 }, "x")]);

    expect(text).toMatch(/^# {3}a_b_: in the log a.{1,6}b: \[$/m);
    expect(parseYaml(text, "world.yaml")).toMatchObject({ value: world.source });
  });

  it.each([
    "__proto__",
    "constructor",
    "toString",
    "fs_read",
    "message_send",
    "Ünï çode",
    "9",
    "a/b",
  ])("[IM82] a tool called %j is called by a name that a scenario may have", async (name) => {
    const { agreement, scenario } = await played([said("go"), ...called(name, { [name]: 1 }, "x")]);

    expect(agreement).toMatchObject({ calls: { same: 1 }, first: null });
    expect(scenario.tools[0]?.name).toMatch(/^[a-z0-9_]{1,60}$/);
  });

  it("[IM82] a name that a builtin has becomes another, and one that no scenario may have", () => {
    const tools = WorldNames.ofTools(["fs_read"]);

    expect(["fs_read", "FS read", "fs_write", "constructor"].map((one) => tools.of(one))).toEqual([
      "fs_read_2",
      "fs_read_3",
      "fs_write",
      "constructor_2",
    ]);
  });

  it("[IM82] names are valid and no two become the same", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyText()), (all) => {
        const agents = WorldNames.ofAgents();
        const tools = WorldNames.ofTools(["fs_read", "message_send"]);
        const named = all.map((one) => agents.of(one));

        expect(new Set(named).size).toBe(all.length);
        expect(named.every((one) => /^[a-z][a-z0-9-]{0,30}$/.test(one))).toBe(true);
        expect(new Set(all.map((one) => tools.of(one))).size).toBe(all.length);
        expect(all.every((one) => /^[a-z0-9_]{1,60}$/.test(tools.of(one)))).toBe(true);
      }),
    );
  });

  it.each([
    ["no JSON", "{", { raw: "{" }],
    ["a list", [1, 2], { value: [1, 2] }],
    ["a number", 7, { value: 7 }],
    ["a forbidden name", JSON.parse('{"__proto__":1}'), { json: '{"__proto__":1}' }],
    ["a name of two lines", { "a\nb": 1 }, { json: '{"a\\nb":1}' }],
  ])("[IM83] arguments that are %s stand under one name", (_, args, expected) => {
    const raw = typeof args === "string" ? args : null;
    expect(new Cutter(100).arguments(raw === null ? args : null, raw)).toEqual(expected);
  });

  it("[IM90] arguments that are no map, or named as none may be, are the same call", async () => {
    const { agreement } = await played([
      said("go"),
      ...called("look", "{ torn", "x"),
      ...called("look", "[1]", "x"),
      ...called("look", '{"__proto__":{"a":1}}', "x"),
    ]);

    expect(agreement).toMatchObject({ calls: { inLog: 3, same: 3 }, first: null });
  });

  it("[IM89] of 10,000 tools and calls so many are taken as fit, and it is said where the scenario ends", async () => {
    const calls = Array.from({ length: 10_000 }, (_, n) => called(`tool ${n}`, { n }, "x")).flat();
    const { agreement, text, scenario, world } = await played([said("go"), ...calls]);

    expect(world.notes.turns.stopped).not.toBeNull();
    expect(scenario.tools.length).toBeLessThanOrEqual(worldBounds.tools);
    expect(text).toContain("# It ends before talk.jsonl:");
    expect(agreement.calls).toMatchObject({ inLog: 10_000, same: scenario.tools.length });
    expect(agreement.first?.reason).toMatch(/^the scenario ends before it: it holds/);
    // The task, then each call with its result: the first that is not in the scenario.
    expect(agreement.first?.log?.line).toBe(2 + 2 * scenario.tools.length);
  });

  it("[IM89] of a log of 30,000 records the first 20,000 are looked at, and all calls counted", async () => {
    const { items, beyond } = itemsOf(
      Array.from({ length: 30_000 }, (_, seq) => {
        const event = { ...{ type: "log.called", agent: "a", tool: "t", args: null, raw: null } };
        return { seq, dueMs: seq, event: { ...event, file: null, line: seq, step: null } };
      }) as unknown as Delivery[],
      false,
    );

    expect(items.length).toBe(20_000);
    expect(beyond).toEqual({
      first: { seq: 20_000, file: null, line: 20_000, step: null, atMs: 20_000 },
      calls: 10_000,
    });
  });

  it("[IM89] of 60 agents the first 50 are played", async () => {
    const talk = Array.from({ length: 60 }, (_, n) => ({
      ...{ role: "assistant", name: `agent${n}`, content: `word ${n}` },
    }));
    const { world } = await made([said("go"), ...talk]);

    expect(world.agents.count).toBe(50);
    expect(world.notes.turns.stopped?.why).toBe("50 agents");
  });

  it("[IM89] whatever is kept, a smaller share comes after a larger one", () => {
    const sizes = KEPT.map(({ chars, calls }) => chars * calls);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  });

  it("[IM89] any arguments and results are played as they stand, or said to be cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 }),
        anyText(),
        async (args, result) => {
          const { agreement } = await played([said("go"), ...called("look", args, result)]);
          expect(agreement).toMatchObject({ calls: { same: 1 }, first: null });
        },
      ),
      { numRuns: 40 },
    );
  });
});
