// What stands in for the tools of a scenario. SPEC, "Tools by name (TB)".
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scriptedSandbox } from "../../../src/actors/agents/scriptedTools.ts";
import { codeOf, type Tool } from "../../../src/actors/agents/tool.ts";
import { rowFor, type ToolTable } from "../../../src/actors/agents/toolTable.ts";
import type { Json } from "../../../src/machines/letter.ts";
import type { PortReply, PortRequest, Provider } from "../../../src/substrate/port.ts";
import { namedRandom } from "../../../src/substrate/random.ts";

const table: ToolTable = {
  rows: [
    {
      fits: { kind: "when", args: { city: ["Rome", "New *"] } },
      outcomes: [{ ok: true, result: "sunny" }],
    },
    {
      fits: { kind: "args", args: { city: "*" } },
      outcomes: [
        { ok: true, result: 1 },
        { ok: false, error: "off" },
      ],
    },
    {
      fits: { kind: "when", args: { day: 3, where: { lat: 1 } } },
      outcomes: [{ ok: true, result: 3 }],
    },
  ],
  otherwise: null,
};
const weather: Tool = { name: "weather", description: "The weather.", table, latencyMs: [5, 5] };

const escaped = (text: string): string => text.replaceAll(/[^\w\s]/g, "\\$&");

const asking = (
  tool: Tool,
  params: { readonly [name: string]: Json },
  nth = 1,
): PortRequest<"sandbox.run"> => ({
  ...{ port: "port/sandbox.run", from: "engine", purpose: "call", nth, seq: nth, nowMs: 0 },
  event: {
    ...{ type: "sandbox.run", purpose: "call", name: tool.name, code: codeOf(tool) },
    ...{ params, limitMs: 1_000 },
  },
  request: null,
});

function sandbox(tools: readonly Tool[], without: readonly string[] = [], seed = 1) {
  const reached: PortRequest<"sandbox.run">[] = [];
  const python: Provider<"sandbox.run"> = {
    answer: (request) => {
      reached.push(request);
      return { event: { type: "sandbox.replied", ok: true, result: "real" }, latencyMs: 1 };
    },
  };
  const provider = scriptedSandbox(tools, namedRandom(seed), new Set(without), python);
  const call = (tool: Tool, params: { readonly [name: string]: Json } = {}, nth = 1) =>
    provider.answer(asking(tool, params, nth)) as PortReply;
  return { provider, reached, call };
}

const whatever = { fits: { kind: "when", args: { a: "*" } }, outcomes: [] } as const;

describe("a table", () => {
  it.each<[object, number | undefined]>([
    [{ city: "Rome", day: 1 }, 0],
    [{ city: "New York" }, 0],
    [{ city: "Newark" }, undefined],
    [{ city: "*" }, 1],
    [{ city: "*", day: 1 }, undefined],
    [{ day: 3, where: { lat: 1 } }, 2],
    [{ city: "Rome", day: 3, where: { lat: 1 } }, 0],
    [{ day: "3", where: { lat: 1 } }, undefined],
    [{ day: 3 }, undefined],
    [{ day: 3, where: { lat: 1 }, wind: null }, 2],
    [{}, undefined],
  ])("[TB20] the first row that fits %j answers", (params, row) => {
    expect(rowFor(table, params as { readonly [name: string]: Json })).toBe(row);
  });

  it("[TB20] a text without * is itself alone, and * is any characters", () => {
    const like = (wanted: string, text: string) =>
      rowFor(
        { rows: [{ fits: { kind: "when", args: { a: wanted } }, outcomes: [] }], otherwise: null },
        { a: text },
      ) === 0;
    // Two pieces share no character, and the last stands at the end.
    expect(["abba", "aba", "abbac", "abab"].map((text) => like("ab*ba", text))).toEqual([
      ...[true, false, false, false],
    ]);
    expect(["acbdc", "abc", "abdcdc"].map((text) => like("a*b*dc", text))).toEqual([
      ...[true, false, true],
    ]);
    // The first stands at the start, and one in the middle behind the one before it.
    expect([like("b*", "ab"), like("*a*a*", "ba"), like("*a*a*", "aba")]).toEqual([
      ...[false, false, true],
    ]);
    expect(rowFor({ ...table, rows: [whatever] }, {})).toBeUndefined();
    expect(rowFor({ ...table, rows: [whatever] }, { a: "" })).toBe(0);
    const word = fc.string({ maxLength: 6 }).map((text) => text.replaceAll("*", ""));

    fc.assert(
      fc.property(word, word, word, (one, two, three) => {
        expect(like(one, two)).toBe(one === two);
        expect(like(`${one}*${three}`, `${one}${two}${three}`)).toBe(true);
        expect(like(`*${two}*`, `${one}${two}${three}`)).toBe(true);
        // What stands before and behind the star shares no letter.
        expect(like(`${one}${two}*${two}${three}`, `${one}${two}${three}`)).toBe(two === "");
        expect(like(`${one}*${three}`, `${one}${three}`.slice(1))).toBe(
          new RegExp(`^${escaped(one)}[^]*${escaped(three)}$`).test(`${one}${three}`.slice(1)),
        );
      }),
    );
  });

  it("[TB21] calls with the same arguments get the outcomes of their row in turn, then the last", () => {
    const { call } = sandbox([weather]);
    const results = [1, 2, 3].map(() => call(weather, { city: "*" }).event);

    expect(results).toEqual([
      { type: "sandbox.replied", ok: true, result: 1, isNone: false },
      { type: "sandbox.replied", ok: false, error: "off" },
      { type: "sandbox.replied", ok: false, error: "off" },
    ]);
  });

  it("[TB21] other arguments and other tools have turns of their own, whatever the order of the arguments", () => {
    const outcomes = [1, 2].map((result) => ({ ok: true, result }) as const);
    const counting = (name: string): Tool => ({
      ...{ name, description: "Counts." },
      table: { rows: [{ fits: { kind: "when", args: {} }, outcomes }], otherwise: null },
    });
    const [one, other] = [counting("one"), counting("other")];
    const { call } = sandbox([one, other]);
    const calls = [
      call(one, { a: 1, b: 2 }),
      call(one, { a: 1, b: 3 }),
      call(other, { a: 1, b: 2 }),
      call(one, { b: 2, a: 1 }),
    ];

    expect(calls.map(({ event }) => event)).toMatchObject(
      [1, 1, 1, 2].map((result) => ({ result })),
    );
  });

  it("[TB21] a recording that answers in its place counts as a call", () => {
    const { provider, call } = sandbox([weather]);
    provider.passedOver?.(asking(weather, { city: "*" }));

    expect(call(weather, { city: "*" }).event).toMatchObject({ ok: false, error: "off" });
  });

  it("[TB21] what was counted outlives a checkpoint, and a restart of the daemon", () => {
    const before = sandbox([weather]);
    before.call(weather, { city: "*" });
    const after = sandbox([weather]);
    after.provider.restore?.(before.provider.persist?.() ?? null);

    expect(after.call(weather, { city: "*" }).event).toMatchObject({ ok: false });
    const again = before.provider.answer({ ...asking(weather, { city: "*" }), from: "engine#2" });
    expect(again?.event).toMatchObject({ ok: false });
  });

  it("[TB22] where no row fits, `otherwise` answers, else an error that says so", () => {
    const { call } = sandbox([weather]);
    expect(call(weather, { city: "Bonn" }).event).toMatchObject({
      ...{ ok: false, error: 'the table of weather has no answer for {"city":"Bonn"}' },
    });

    const polite = {
      ...weather,
      table: { ...table, otherwise: { ok: true, result: "?" } as const },
    };
    expect(sandbox([polite]).call(polite, {}).event).toMatchObject({ ok: true, result: "?" });
    expect(sandbox([polite]).call(polite, { city: "Rome" }).event).toMatchObject({
      result: "sunny",
    });
  });

  it("[TB20] other code of the same name is no stand-in: it runs", () => {
    const { provider, reached } = sandbox([weather]);
    const { event, ...rest } = asking(weather, {});
    provider.answer({ ...rest, event: { ...event, code: "def weather(): ..." } });

    expect(reached).toHaveLength(1);
  });
});

describe("failures and latency", () => {
  const flaky: Tool = { ...{ name: "flaky", description: "d", returns: 1 }, failsPerMille: 300 };
  const oks = (tool: Tool, without: readonly string[] = [], more: readonly Tool[] = []) => {
    const { call } = sandbox([tool, ...more], without);
    return Array.from({ length: 1_000 }, (_, at) => {
      for (const other of more) call(other, {}, 2 * at + 1);
      return (call(tool, {}, 2 * at + 2).event as { ok: boolean }).ok;
    });
  };

  it("[TB23] about so many of a thousand calls fail, with what the scenario says", () => {
    const failed = oks(flaky).filter((ok) => !ok).length;
    expect(failed).toBeGreaterThan(250);
    expect(failed).toBeLessThan(350);
    expect(oks({ ...flaky, failsPerMille: 0 }).every((ok) => ok)).toBe(true);
    expect(oks({ ...flaky, failsPerMille: 1_000 }).some((ok) => ok)).toBe(false);
    const seldom = ["a", "b", "c", "d"].flatMap((name) =>
      oks({ ...flaky, name, failsPerMille: 1 }),
    );
    expect(seldom).toContain(false);

    const dead = { ...flaky, failsPerMille: 1_000, failure: "503" };
    expect(sandbox([dead]).call(dead)).toMatchObject({
      ...{ event: { ok: false, error: "503" }, choice: "failure:flaky" },
    });
  });

  it("[TB23] a silent failure returns nothing and says that all is well", () => {
    const silent: Tool = { ...flaky, failsPerMille: 1_000, failure: null };
    expect(sandbox([silent]).call(silent).event).toEqual({
      ...{ type: "sandbox.replied", ok: true, result: null, isNone: true },
    });
  });

  it("[TB23] a variant takes them out by their choice", () => {
    expect(oks(flaky, ["failure:flaky"]).every((ok) => ok)).toBe(true);
    const silent: Tool = { ...flaky, failsPerMille: 1_000, failure: null };
    expect(sandbox([silent], ["failure:flaky"]).call(silent).event).toMatchObject({
      isNone: false,
    });
  });

  it("[TB24] one more tool moves neither failures nor latencies of another", () => {
    const other: Tool = { ...flaky, name: "other" };
    expect(oks(flaky, [], [other])).toEqual(oks(flaky));
    expect(oks(other)).not.toEqual(oks(flaky));
  });

  it("[TB24] a latency is drawn within its bounds, both included; a row's own goes first", () => {
    const slow: Tool = { name: "slow", description: "d", returns: 1, latencyMs: [3, 5] };
    const { call } = sandbox([slow]);
    const drawn = new Set(Array.from({ length: 100 }, () => call(slow).latencyMs));
    expect([...drawn].sort()).toEqual([3, 4, 5]);

    const dead: Tool = { ...slow, failsPerMille: 1_000 };
    const failing = sandbox([dead]);
    const failed = new Set(Array.from({ length: 100 }, () => failing.call(dead).latencyMs));
    expect([...failed].sort()).toEqual([3, 4, 5]);

    const own: Tool = {
      ...slow,
      table: { rows: [], otherwise: { ok: true, result: 1, latencyMs: [9, 9] } },
    };
    expect(sandbox([own]).call(own).latencyMs).toBe(9);
  });

  it("[TB25] Python runs where it does not fail, and its latency comes on top", () => {
    const python = "def add(a, b):\n    return a + b\n";
    const add: Tool = { name: "add", description: "d", python, latencyMs: [7, 7] };
    const { call, reached } = sandbox([add]);
    expect(call(add, { a: 1, b: 2 }).event).toMatchObject({ result: "real" });
    expect(reached[0]?.addedMs).toBe(7);

    const dead = { ...add, failsPerMille: 1_000 };
    const other = sandbox([dead]);
    expect(other.call(dead).event).toMatchObject({ ok: false, error: "the tool failed" });
    expect(other.reached).toEqual([]);
  });

  it("[TB25] other code of a listed tool's name runs, and takes no time of that tool's", () => {
    const { provider, reached } = sandbox([weather]);
    const asked = asking(weather, { city: "Rome" });
    const code = "def weather(city):\n    return 'own'\n";

    expect(provider.answer({ ...asked, event: { ...asked.event, code } })).toMatchObject({
      event: { result: "real" },
      latencyMs: 1,
    });
    expect(reached).toHaveLength(1);
  });

  it("[TB24] a tool that only returns something keeps nothing between calls, and draws as it always did", () => {
    const plain: Tool = { name: "plain", description: "d", returns: 1 };
    const { provider, call } = sandbox([plain]);
    expect(provider.persist).toBeUndefined();
    const drawn = (nth: number) => namedRandom(1).at("engine", "sandbox plain", nth);
    expect(call(plain, {}, 2).latencyMs).toBe(drawn(2).integer(20, 200));
  });
});

it.each(["constructor", "toString", "weather"])(
  "[CL36] a tool that is called %s is counted from its first call on",
  (name) => {
    const { provider, call } = sandbox([{ ...weather, name }]);
    call({ ...weather, name }, { city: "Oslo" });
    call({ ...weather, name }, { city: "Oslo" }, 2);

    expect(provider.persist?.()).toMatchObject({ calls: { [name]: 2 } });
  },
);
