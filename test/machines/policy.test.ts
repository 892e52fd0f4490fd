import { globSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accepts, allowedBy } from "../../src/contract/policyTree.ts";
import { choice, flag, integer, subset } from "../../src/machines/policyLeaf.ts";
import { policyLeaves, policyTree, policyWith, profiles } from "../builtIn.ts";
import { LISTS, NUMBERS, WORDS } from "./policyTable.ts";

const leaves = policyLeaves();
const text = { says: "A thing.", source: "ours" };
const count = integer(3, { ...text, unit: "goals", min: 1, max: 10 });
const strictly = flag(true, text);
const colour = choice("red", ["red", "blue"], text);
const colours = subset(["red"], ["red", "blue", "green"], text);

const valueAt = (path: string, policy: unknown): unknown =>
  path
    .split(".")
    .reduce((node, name) => (node as { readonly [name: string]: unknown })[name], policy);

describe("the tree", () => {
  it("[SC1] lists every leaf once, in alphabetical order", () => {
    const paths = leaves.map(([path]) => path);

    expect(paths).toEqual([...new Set(paths)].sort());
    expect(paths).toContain("ghosts.crossCycleFailures");
    expect(paths).toContain("stressors.repeatedFailure.window");
    expect([...new Set(paths.map((path) => path.split(".")[0]))]).toEqual(
      Object.keys(policyTree).sort(),
    );
  });

  it.each(leaves)(
    "[SC1] %s takes its own default and says what it is and who says so",
    (_, leaf) => {
      expect(accepts(leaf, leaf.default)).toBe(true);
      expect(leaf.says).toMatch(/^\S.*[^ ](\.| …)$/);
      expect(leaf.source).toMatch(
        /\b(seed 00[0-4]|RULINGS [A-Z]\d+|ruling [A-Z]\d+|dossier|DESIGN|hollow-agentOS|[Oo]urs)\b/,
      );
    },
  );

  it("[SC1] no formula of a machine holds a number of its own", () => {
    const files =
      "goal/progress goal/goalGateParts goal/goal model/modelAnswers lessons/lessons lessons/lessonKeeper suffering/goalLedger suffering/stressor suffering/observations agent/agent daemon engine/engine engine/execution engine/finishing engine/replies engine/peers engine/ghosts";
    const numbers = files.split(" ").flatMap((name) =>
      readFileSync(`src/machines/agents/${name}.ts`, "utf8")
        .replaceAll(/^export const \w+Leaves = \{$.*?^\};$/gms, "")
        .replaceAll(/\/\*.*?\*\/|\/\/[^\n]*|"[^"\n]*"/gs, "")
        .split("\n")
        .filter((line) => /(?<![\w.])(\d*\.\d+|[2-9]|\d[\d_]+)(?![\w.])/.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );

    // Ours, or the unit of a leaf: none of them is a number of a modelled system.
    expect(numbers).toEqual([
      "goal/goalGateParts: judgeTimeoutMs + 3 * filesTimeoutMs;",
      "goal/goal: const WROTE_MAX = 200;",
      "goal/goal: const QUOTE_CHARS = 100;",
      "model/modelAnswers: export const TEXT_MAX = 600;",
      "model/modelAnswers: const ITEMS_MAX = 100;",
      "model/modelAnswers: export const STEPS_MAX = 20;",
      "model/modelAnswers: const PARAMS_MAX = 12;",
      "model/modelAnswers: const PARAMS_BY_NAME_MAX = 100;",
      "model/modelAnswers: const DEPTH_MAX = 20;",
      "model/modelAnswers: const short = isText(slug) ? slug.replaceAll(/[^a-z0-9-]/g, ).slice(0, 60) : ;",
      "model/modelAnswers: return [...new Set(names.filter((name) => /^[a-z0-9_]{1,60}$/.test(name)))];",
      "model/modelAnswers: const REASON_CHARS = 300;",
      "model/modelAnswers: const texts = { type: , items: textSchema, maxItems: 5 };",
      "model/modelAnswers: maxItems: 5,",
      "lessons/lessons: return all === 0 ? one === other : shared * 1_000 >= policy.similarity * all;",
      "suffering/observations: return shared * 1000 >= fromThousandths * all;",
      "daemon: const NAME = /^[a-z][a-z0-9-]{0,30}$/;",
      "daemon: return ` is no name: it takes a lower-case letter, then at most 30 of a-z, 0-9 and -`;",
      "engine/engine: const RESCAN_MS = seconds(300);",
      "engine/execution: const VIEW_FILES_MAX = 50;",
      "engine/peers: const INTERACTIONS_MAX = 50;",
      "engine/peers: const REFERENCES_MAX = 20;",
      "engine/peers: const WORKSPACE = /\\/agentOS\\/workspace\\/([a-z][a-z0-9-]{0,30})\\/[^\\s\"'`<>|,;:)\\]}]+/g;",
    ]);
  });

  it("[SC1] every file that declares leaves is in the tree", () => {
    const declared = (readdirSync("src/machines", { recursive: true }) as string[])
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => [
        ...readFileSync(`src/machines/${name}`, "utf8").matchAll(/const (\w+Leaves) = \{/g),
      ])
      .map(([, name]) => name ?? "");
    const composing = globSync("src/{actors/*/{part,policy},machines/*/*}.ts");
    const composed = composing.map((name) => readFileSync(name, "utf8")).join("\n");
    const isComposed = (name: string): boolean =>
      new RegExp(`(?:[:.] ?|\\.\\.\\.|^const \\{.*\\} = )${name}\\b`, "m").test(composed);

    expect(declared.length).toBeGreaterThan(5);
    expect(declared.filter((name) => !isComposed(name))).toEqual([]);
  });
});

/** The entries of a table by path: what it is unless told otherwise, and what stands behind `of` or `and`. */
const entries = (table: string) =>
  table
    .trim()
    .split(/\n(?! )/)
    .map((line) => {
      const [, path = "", usual = "", , rest = ""] =
        /^(\S+):(?: (?!of |and )(.*?))?(?: (of|and) (.*))?$/.exec(line.replaceAll(/\s+/g, " ")) ??
        [];
      return [path, usual, rest] as const;
    });

const leafAt = (path: string) => leaves.find(([one]) => one === path)?.[1];
const whole = (text = ""): number => Number(text.replaceAll("_", ""));

describe("each leaf, as it is written down beside the tree", () => {
  it("[SC1] the table names every leaf but folders, and nothing else", () => {
    const tables = [NUMBERS, WORDS, LISTS].flatMap(entries).map(([path]) => path);
    const named = leaves.filter(([, { kind }]) => kind !== "folders").map(([path]) => path);

    expect(tables.sort()).toEqual(named);
  });

  it.each(entries(NUMBERS))(
    "[SC1, SC2] %s is %s, and takes %s and no other",
    (path, usual, rest) => {
      const [, low, high, unit] = /^([\d_]+) … ([\d_]+) (.+)$/.exec(rest) ?? [];
      const leaf = leafAt(path) ?? expect.unreachable(path);
      const [least, most] = [whole(low), whole(high)];

      expect(valueAt(path, policyWith({}))).toBe(whole(usual));
      expect([least - 1, least, most, most + 1].filter((value) => accepts(leaf, value))).toEqual([
        ...new Set([least, most]),
      ]);
      expect(leaf).toMatchObject({ unit });
    },
  );

  it.each(entries(WORDS))("[SC1, SC2] %s is %s of %s", (path, usual, rest) => {
    const leaf = leafAt(path) ?? expect.unreachable(path);

    expect(String(valueAt(path, policyWith({})))).toBe(usual);
    expect(allowedBy(leaf)).toBe(rest);
  });

  it.each(entries(LISTS))("[SC1, SC2] %s holds %s, and may hold %s", (path, usual, rest) => {
    const leaf = leafAt(path);
    const words = (text: string) => text.split(" ").filter((word) => word !== "");

    expect(valueAt(path, policyWith({}))).toEqual(words(usual));
    expect(leaf?.kind === "subset" && [...leaf.options].sort()).toEqual(
      [...words(usual), ...words(rest)].sort(),
    );
  });
});

describe("what a leaf takes", () => {
  it("[SC2] a whole number within its bounds, both included", () => {
    expect([0, 1, 10, 11].map((value) => accepts(count, value))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect([1.5, "3", null, Number.NaN, true].some((value) => accepts(count, value))).toBe(false);
    expect(allowedBy(count)).toBe("a whole number 1 … 10 (goals)");
  });

  it("[SC2] a flag: true and false, no word and no number", () => {
    expect([true, false].every((value) => accepts(strictly, value))).toBe(true);
    expect(["true", 1, null].some((value) => accepts(strictly, value))).toBe(false);
    expect(allowedBy(strictly)).toBe("true | false");
  });

  it("[SC2] a choice: one of the options", () => {
    expect(accepts(colour, "blue")).toBe(true);
    expect(["green", ["red"], "", null].some((value) => accepts(colour, value))).toBe(false);
    expect(allowedBy(colour)).toBe("red | blue");
  });

  it("[SC2] a subset: any of the options, none of them twice", () => {
    expect([[], ["blue"], ["green", "red"]].every((value) => accepts(colours, value))).toBe(true);
    expect([["red", "red"], ["pink"], "red", {}].some((value) => accepts(colours, value))).toBe(
      false,
    );
    expect(allowedBy(colours)).toBe("a list of any of red, blue, green");
  });

  it("[SC2] takes or refuses any value without throwing", () => {
    fc.assert(
      fc.property(fc.constantFrom(...leaves), fc.jsonValue(), ([, leaf], value) => {
        expect(typeof accepts(leaf, value)).toBe("boolean");
      }),
    );
  });
});

describe("overrides", () => {
  it("[SC3] replace single leaves and leave the others alone", () => {
    const policy = policyWith({
      "stressors.repeatedFailure.window": 10,
      "router.skipBroken": false,
    });

    expect(policy.stressors.repeatedFailure).toEqual({
      ...policyWith({}).stressors.repeatedFailure,
      window: 10,
    });
    expect(policy.router.skipBroken).toBe(false);
    expect(policyWith({}).router.skipBroken).toBe(true);
    // Nor is one replaced whose name begins with another's.
    const { approvalUses } = policyWith({ "installs.approval": "none" }).installs;
    expect(approvalUses).toBe(policyWith({}).installs.approvalUses);
  });

  it("[SC3] false, zero and the empty list are values", () => {
    const policy = policyWith({
      "ghosts.nullIsFailure": false,
      "router.b": 0,
      "stressors.enabled": [],
    });

    expect([policy.ghosts.nullIsFailure, policy.router.b]).toEqual([false, 0]);
    expect(policy.stressors.enabled).toEqual([]);
  });

  it("[SC3] the tree is frozen, its lists too, and shares none with the defaults or the caller", () => {
    const enabled: string[] = [];
    const policy = policyWith({ "stressors.enabled": enabled });
    const nodes = (value: unknown): object[] =>
      typeof value === "object" && value !== null
        ? [value, ...Object.values(value).flatMap(nodes)]
        : [];
    enabled.push("repeated_failure");

    expect(nodes(policy).filter((node) => !Object.isFrozen(node))).toEqual([]);
    expect(policy.stressors.enabled).toEqual([]);
    expect(policy.progress.outputCapabilities).not.toBe(
      policyTree.progress.outputCapabilities.default,
    );
  });
});

describe("profiles", () => {
  it("[SC4] the seed's is the defaults", () => {
    expect(profiles["seed"]).toEqual({});
  });

  it.each(Object.keys(profiles))(
    "[SC4] every path of %s is a leaf that takes the value",
    (name) => {
      const byPath = new Map(leaves);
      const wrong = Object.entries(profiles[name] ?? {}).filter(([path, value]) => {
        const leaf = byPath.get(path);
        return leaf === undefined || !accepts(leaf, value);
      });

      expect(wrong).toEqual([]);
    },
  );

  it("[SC4] real is the real system's: 5 failures, 3 misses, .15 a step, nothing forgiven", () => {
    const { ghosts, gate, progress } = policyWith(profiles["real"] ?? {});

    expect(ghosts).toMatchObject({ crossCycleFailures: 5, okAloneIsNull: true, forgive: "never" });
    expect(gate.missesMax).toBe(3);
    expect(progress).toMatchObject({ outputStep: 150_000, ceilingBeforeOutput: 900_000 });
  });
});
