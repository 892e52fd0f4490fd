import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  activeEdges,
  chainsFrom,
  type Edge,
  isAutoGranted,
  isHinted,
  type Link,
  virtualNode,
} from "../../../../src/machines/synt/pool/compose.ts";
import { aged, used } from "../../../../src/machines/synt/pool/mnestome.ts";
import { BILLION } from "../../../../src/machines/synt/score/reward.ts";
import { days } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { caseOf, casesOf, golden, isAbsent } from "../metnosOracle.ts";

const { compose: policy, mnest } = policyWith({}).synt;

type EdgeText = readonly [from: string, to: string, weight: number];

const edge = ([from, to, weight]: EdgeText): Edge => ({
  from,
  to,
  weight: Math.round(weight * BILLION),
  seen: { ok: 1, runs: 1 },
});
const line = (hops: number) =>
  Array.from({ length: hops }, (_, index) => edge([`n${index}`, `n${index + 1}`, 0.5]));
const poolOf = (edges: readonly EdgeText[], links: readonly Link[] = []) => ({
  links,
  edges: edges.map(edge),
});
const best = (from: string, to: string, pool: { edges: readonly Edge[]; links: readonly Link[] }) =>
  chainsFrom(from, (name) => name === to, pool, policy).chains[0];

describe("the walk", () => {
  it("[SN26] finds a chain of five hops and none of six", () => {
    expect(best("n0", "n5", { links: [], edges: line(6) })).toMatchObject({
      names: ["n0", "n1", "n2", "n3", "n4", "n5"],
      hops: 5,
      meanWeight: 500_000_000,
    });
    expect(best("n0", "n6", { links: [], edges: line(6) })).toBeUndefined();
  });

  it("[SN26] goes over active executors and active mnests only", () => {
    const edges: EdgeText[] = [
      ["a", "b", 0.5],
      ["b", "z", 0.5],
    ];
    const once = used(
      [],
      { from: { name: "a", version: "1" }, to: { name: "z", version: "1" }, atMs: 0 },
      mnest,
    );

    expect(best("a", "z", poolOf(edges))?.names).toEqual(["a", "b", "z"]);
    expect(best("a", "z", poolOf(edges, [{ name: "b", isActive: false }]))).toBeUndefined();
    expect(activeEdges(once, days(22), mnest)).toMatchObject([{ from: "a", weight: 201_902_009 }]);
    expect(activeEdges(aged(once, days(23), mnest).mnests, days(23), mnest)).toEqual([]);
  });

  it("[SN26] visits nobody twice, so a loop wins nothing", () => {
    const pool = poolOf([
      ["a", "a", 0.9],
      ["a", "b", 0.9],
      ["b", "a", 0.9],
      ["a", "z", 0.4],
    ]);

    const { chains } = chainsFrom("a", () => true, pool, policy);

    expect(chains.map(({ names }) => names.join(">"))).toEqual(["a>b", "a>z"]);
    expect(best("a", "a", pool)).toBeUndefined();
  });

  it("[SN27] orders by input and output, then mean weight, then length, then names", () => {
    const text = (name: string, takes: string[], gives: string[]) => ({ name, takes, gives });
    const links = [
      text("a", [], ["paths"]),
      text("b", ["paths"], ["rows"]),
      text("c", ["paths"], ["texts"]),
      text("z", ["rows"], []),
    ];
    const heavyMisfit: EdgeText[] = [
      ["a", "b", 0.3],
      ["b", "z", 0.3],
      ["a", "c", 0.9],
      ["c", "z", 0.9],
    ];

    expect(best("a", "z", poolOf(heavyMisfit, links))).toMatchObject({
      names: ["a", "b", "z"],
      fit: 1000,
    });
    expect(best("a", "z", poolOf(heavyMisfit))?.names).toEqual(["a", "c", "z"]);
    const equal: EdgeText[] = [
      ["a", "c", 0.5],
      ["c", "z", 0.5],
      ["a", "b", 0.5],
      ["b", "z", 0.5],
      ["a", "z", 0.5],
    ];
    const { chains } = chainsFrom("a", (name) => name === "z", poolOf(equal), policy);
    expect(chains.map(({ names }) => names.join(">"))).toEqual(["a>z", "a>b>z", "a>c>z"]);
    const ways = { links: [{ name: "y", affinity: ["tidy"] }], intent: "tidy up" };
    const either = (...edges: readonly EdgeText[]) =>
      chainsFrom(
        "a",
        (name) => "yz".includes(name),
        { ...ways, edges: edges.map(edge) },
        policy,
      ).chains.map(({ names }) => names.join(">"));
    // A shorter chain goes before one that the wish's words fit, and their fit before names.
    expect(either(["a", "z", 0.5], ["a", "b", 0.5], ["b", "y", 0.5])).toEqual(["a>z", "a>b>y"]);
    expect(either(["a", "y", 0.5], ["a", "z", 0.5])).toEqual(["a>y", "a>z"]);
    // Alike but for their names: the heavier way out leads to the later one.
    const crossed: EdgeText[] = [
      ["a", "y", 0.6],
      ["y", "z", 0.4],
      ["a", "b", 0.4],
      ["b", "z", 0.6],
    ];
    expect(best("a", "z", poolOf(crossed))?.names).toEqual(["a", "b", "z"]);
  });

  it("[SN27] what any earlier link gives counts; what is unknown does not misfit", () => {
    const edges: EdgeText[] = [
      ["a", "b", 0.5],
      ["b", "z", 0.5],
    ];
    const links = [
      { name: "a", takes: [], gives: ["paths"] },
      { name: "b", takes: ["rows"], gives: [] },
      { name: "z", takes: ["paths"], gives: [] },
    ];

    expect(best("a", "z", poolOf(edges, links))?.fit).toBe(500);
    const [first, ...rest] = links;
    // Nothing stands before the first: what it takes, nobody could have given.
    const asking = [{ ...first, name: "a", takes: ["url", "key"] }, ...rest];
    expect(best("a", "z", poolOf(edges, asking))?.fit).toBe(500);
    expect(best("a", "z", poolOf(edges, links.slice(1)))?.fit).toBe(1000);
  });

  it("[SN8] its det_pass_rate is the product of its hops", () => {
    const seen = { ok: 9, runs: 10 };
    const edges = line(2).map((one) => ({ ...one, seen }));

    expect(best("n0", "n2", { links: [], edges })?.rate).toEqual([81, 100]);
  });

  it("[SN28] is bounded: the heaviest 20 mnests of each, and so many paths", () => {
    const fan = Array.from(
      { length: 21 },
      (_, index): EdgeText => ["a", `k${index}`, 0.9 - index / 100],
    );
    const wide = poolOf([...fan, ["k20", "z", 1], ["k19", "y", 1]]);

    expect(best("a", "z", wide)).toBeUndefined();
    expect(best("a", "y", wide)?.hops).toBe(2);
    const cut = chainsFrom("a", () => true, wide, { ...policy, pathsMax: 3 });
    expect([cut.isCut, cut.chains.length]).toEqual([true, 3]);
    expect(chainsFrom("a", () => true, wide, policy).isCut).toBe(false);
  });

  it("[SN26, SN28] every chain is simple, active, short and in order, in any pool", () => {
    const name = fc.constantFrom("a", "b", "c", "d", "e", "f", "g");
    const weight = fc.integer({ min: 1, max: 1000 }).map((one) => one / 1000);
    const edges = fc.array(fc.tuple(name, name, weight), { maxLength: 30 });

    fc.assert(
      fc.property(edges, fc.integer({ min: 0, max: 7 }), (all, hopsMax) => {
        const known = new Set(all.map(([from, to]) => `${from}>${to}`));
        const { chains } = chainsFrom("a", () => true, poolOf(all), { ...policy, hopsMax });
        for (const { names, hops } of chains) {
          expect(hops).toBeLessThanOrEqual(hopsMax);
          expect(names).toHaveLength(hops + 1);
          expect(new Set(names).size).toBe(names.length);
          const pairs = names.slice(1).map((to, index) => `${names[index]}>${to}`);
          expect(pairs.every((pair) => known.has(pair))).toBe(true);
        }
        const weights = chains.map(({ meanWeight }) => meanWeight);
        expect(weights).toEqual(weights.toSorted((a, b) => b - a));
        const again = chainsFrom("a", () => true, poolOf(all.toReversed()), { ...policy, hopsMax });
        expect(again.chains.length).toBe(chains.length);
      }),
    );
  });
});

describe("around the walk", () => {
  it("[SN29] a hint is whole words from the start of a name", () => {
    expect(isHinted(["write"])("write_files")).toBe(true);
    expect(isHinted(["write_files"])("write_files_pdf")).toBe(true);
    expect(isHinted(["write_files_pdf"])("write_files")).toBe(false);
    expect(isHinted(["write_file"])("write_files")).toBe(false);
    expect(isHinted(["files", "files_pdf"])("write_files_pdf")).toBe(false);
    expect(isHinted(["e", ""])("delete_files")).toBe(false);
    expect(isHinted(["write"], ["write_files"])("write_files")).toBe(false);
    expect(isHinted([])("write_files")).toBe(false);
  });

  it("[SN18] a used chain leaves itself as one executor, and says when the pool has that name", () => {
    const chain = ["read_files", "read_files_pdf", "classify_entries", "move_files"];

    expect(virtualNode(chain, ["get_now"])).toEqual({ name: "move_files", chain, collides: false });
    expect(virtualNode(chain, ["get_now", "move_files"]).collides).toBe(true);
  });

  it("[SN30] only autonomy full grants a chain, after five clean runs", () => {
    const granted = [4, 5].map((runs) => isAutoGranted(runs, { ...policy, autonomy: "full" }));

    expect(granted).toEqual([false, true]);
    expect(isAutoGranted(1000, policy)).toBe(false);
  });
});

interface Graph {
  readonly edges: readonly (readonly [string, string, number, string])[];
  readonly start: string;
}

const active = ({ edges }: Graph) =>
  poolOf(edges.filter(([, , , state]) => state === "active").map(([a, b, w]) => [a, b, w]));

describe.skipIf(isAbsent)(golden("chains"), () => {
  it("[SN26, SN27, SN41] every path, in order", () => {
    const cases = casesOf<Graph & { max_depth: number }, string[][]>("mnestome.walk");

    expect(cases).toHaveLength(13);
    for (const { id, input, expected } of cases) {
      const bounded = { ...policy, hopsMax: input.max_depth };
      const { chains } = chainsFrom(input.start, () => true, active(input), bounded);
      expect([id, chains.map(({ names }) => names)]).toEqual([id, expected]);
    }
  });

  it("[SN26, SN27, SN41] the chain to a target", () => {
    const cases = casesOf<
      Graph & { max_hops: number; target: string },
      { chain: string[]; hops: number; avg_weight: number } | null
    >("compose.find_chain");

    expect(cases).toHaveLength(8);
    for (const { id, input, expected } of cases) {
      const bounded = { ...policy, hopsMax: input.max_hops };
      const isTarget = (name: string) => name === input.target;
      const [chain] = chainsFrom(input.start, isTarget, active(input), bounded).chains;
      const found = chain && {
        chain: chain.names,
        hops: chain.hops,
        avg_weight: chain.meanWeight / BILLION,
      };
      expect([id, found ?? null]).toEqual([id, expected]);
    }
  });

  it("[SN26, SN41] a cycle is no chain, where the real system finds one", () => {
    const { input, expected } = caseOf<Graph & { target: string }, { chain: string[] }>(
      "compose.find_chain-007",
    );

    expect(expected.chain).toEqual(["a", "b", "a"]);
    expect(best(input.start, input.target, active(input))).toBeUndefined();
  });

  it("[SN26, SO7] the chain that answers a request", () => {
    const cases = casesOf<
      { name: string; edges: Graph["edges"]; proto: [string, string]; capability_hint: string[] },
      { proposals: { chain: string[] | null; strategy: string }[] }
    >("react.scenario");
    const found = cases.map(({ input, expected }) => {
      const [start] = input.proto;
      const isTarget = isHinted(input.capability_hint);
      const [chain] = chainsFrom(start, isTarget, active({ ...input, start }), policy).chains;
      return [chain?.names ?? null, expected.proposals[0]?.chain];
    });

    expect(found).toHaveLength(3);
    for (const [ours, theirs] of found) expect(ours).toEqual(theirs);
    expect(found[0]?.[0]).toHaveLength(3);
  });

  it("[SN29, SN41] hints: the cases that are no substring matches", () => {
    const kinds = ["compose.predicate", "compose.find_chain_default_pred"] as const;
    const asked = casesOf<{ name: string; hints: string[]; exclude: string[] }, boolean>(kinds[0]);
    const [walk] = casesOf<Graph & { hints: string[] }, string[]>(kinds[1]);

    expect(asked).toHaveLength(2);
    for (const { input, expected } of asked) {
      expect(isHinted(input.hints, input.exclude)(input.name)).toBe(expected);
    }
    if (walk === undefined) throw new Error("the oracle has no default predicate");
    const isTarget = isHinted(walk.input.hints);
    const [chain] = chainsFrom(walk.input.start, isTarget, active(walk.input), policy).chains;
    expect(chain?.names).toEqual(walk.expected);
  });

  it.each(["002", "003", "009"])(
    "[SN29, SO7] does not take a part of a word for a hint, on purpose: compose.predicate-%s",
    (id) => {
      const { adopt, input, expected } = caseOf<{ name: string; hints: string[] }, boolean>(
        `compose.predicate-${id}`,
      );

      expect([adopt, expected, isHinted(input.hints)(input.name)]).toEqual(["quirk", true, false]);
    },
  );

  it.each(["014", "016", "025", "028"])(
    "[SN26, SO7] does not visit an executor twice, on purpose: mnestome.walk-%s",
    (id) => {
      const { adopt, input, expected } = caseOf<Graph & { max_depth: number }, string[][]>(
        `mnestome.walk-${id}`,
      );
      const bounded = { ...policy, hopsMax: input.max_depth };
      const { chains } = chainsFrom(input.start, () => true, active(input), bounded);
      const isSimple = (names: readonly string[]) => new Set(names).size === names.length;

      expect([adopt, expected.every(isSimple)]).toEqual(["bug", false]);
      expect(chains.map(({ names }) => names)).toEqual(expected.filter(isSimple));
    },
  );

  it("[SN27, SO7] takes the heavier of two chains though it is longer, as the real system (ruling Y8)", () => {
    const { adopt, input, expected } = caseOf<Graph & { target: string }, { chain: string[] }>(
      "compose.find_chain-005",
    );

    expect(adopt).toBe("quirk");
    expect(best(input.start, input.target, active(input))?.names).toEqual(expected.chain);
  });
});
