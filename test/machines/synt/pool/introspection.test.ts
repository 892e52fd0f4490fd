import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SandboxProfile } from "../../../../src/machines/synt/contract.ts";
import {
  filterReason,
  generaliseDecision,
  isWithin,
  mergeDecision,
  nightFindings,
  specialiseDecision,
} from "../../../../src/machines/synt/pool/introspection.ts";
import type { Mnest } from "../../../../src/machines/synt/pool/mnestome.ts";
import {
  type Composed,
  type Memo,
  type PoolEntry,
  type PoolState,
  unseen,
} from "../../../../src/machines/synt/pool/poolState.ts";
import { BILLION } from "../../../../src/machines/synt/score/reward.ts";
import { policyWith } from "../../../builtIn.ts";

const policy = policyWith({}).synt.introspection;

const pictures = { "fs:write": ["~/Pictures/"] };
const archive = { name: "archive_pdf", profile: pictures };
const store = { name: "store_pdf", profile: pictures };

describe("merge", () => {
  it("[SN42] needs traces above .50 between the two", () => {
    const weigh = (weight: number) => mergeDecision([archive, store], weight, policy).verdict;

    expect([weigh(BILLION / 2), weigh(BILLION / 2 + 1)]).toEqual(["nothing", "propose"]);
  });

  it("[SN42] is suspended with its reason when one may reach what the other may not", () => {
    const other = { name: "store_pdf", profile: { "fs:read": ["~/Pictures/"] } };

    expect(mergeDecision([archive, other], BILLION, policy)).toEqual({
      verdict: "suspend",
      reasons: [
        "fs:read differs between archive_pdf and store_pdf",
        "fs:write differs between archive_pdf and store_pdf",
      ],
    });
  });

  it("[SN42] the order in which targets are named, and naming one twice, make no difference", () => {
    const a = { name: "a_x", profile: { "fs:read": ["p", "q"], "net:read": [] } };
    const b = { name: "b_x", profile: { "fs:read": ["q", "p", "q"] } };

    expect(mergeDecision([a, b], BILLION, policy)).toEqual({ verdict: "propose" });
  });
});

describe("generalise", () => {
  const member = (kind: string, profile: SandboxProfile = { "fs:read": [`~/${kind}/`] }) => ({
    name: `order_${kind}_file`,
    shape: { paths: "list", file_kind: kind },
    profile,
  });
  const three = [member("image"), member("audio"), member("doc")];
  const decide = (members = three, uncovered: readonly string[] = ["mn_video"]) =>
    generaliseDecision(members, uncovered, policy);

  it("[SN43] takes three executors alike but for one dimension, and a demand none of them meets", () => {
    expect(decide()).toEqual({ verdict: "propose" });
    expect(decide(three.slice(1)).verdict).toBe("nothing");
    expect(decide(three, []).verdict).toBe("nothing");
    const other = { ...member("doc"), shape: { paths: "text", file_kind: "doc" } };
    expect(decide([member("image"), member("audio"), other])).toMatchObject({
      verdict: "nothing",
      reasons: ["their shapes differ in file_kind, paths"],
    });
    expect(decide([member("doc"), member("doc"), member("doc")]).verdict).toBe("nothing");
  });

  it("[SN43] is suspended when together they would allow more than each", () => {
    const loose = member("doc", { "fs:read": ["~/doc/"], "fs:write": ["~/doc/"] });

    expect(decide([member("image"), member("audio"), loose])).toEqual({
      verdict: "suspend",
      reasons: [
        "their profiles differ in fs:read, fs:write: together they would allow more than each",
      ],
    });
  });
});

describe("specialise", () => {
  const fares = (latencyMs: number, cost: number, profile: SandboxProfile = pictures) => ({
    latencyMs,
    cost,
    profile,
  });
  const hot = { uses: 30, hotUses: 27, general: fares(100, 10), specialised: fares(80, 10) };
  const decide = (change: Partial<typeof hot> = {}) =>
    specialiseDecision({ ...hot, ...change }, policy).verdict;

  it("[SN44] takes 30 uses, nine in ten of one case, and a measured benefit of a fifth", () => {
    expect(decide()).toBe("propose");
    expect(decide({ uses: 29, hotUses: 29 })).toBe("nothing");
    expect(decide({ hotUses: 26 })).toBe("nothing");
    expect(decide({ uses: 10_000, hotUses: 8_999 })).toBe("nothing");
    expect(decide({ specialised: fares(81, 10) })).toBe("nothing");
    expect(decide({ general: fares(10_000, 0), specialised: fares(8_001, 0) })).toBe("nothing");
  });

  it("[SN44] money or a tighter profile is a benefit too; a wider profile is a veto", () => {
    expect(decide({ specialised: fares(100, 8) })).toBe("propose");
    expect(decide({ specialised: fares(100, 10, {}) })).toBe("propose");
    expect(decide({ specialised: fares(1, 1, { ...pictures, "net:read": ["*"] }) })).toBe(
      "suspend",
    );
  });

  it("[SN44] a free general executor has nothing to save", () => {
    expect(decide({ general: fares(0, 0), specialised: fares(0, 0) })).toBe("nothing");
  });
});

describe("the filters of the night", () => {
  it("[SN45] refuse names, pipeline arguments and noise, each with its reason", () => {
    const pattern = { hasName: true, args: ["path"], uses: 3 };

    expect(filterReason(pattern, policy)).toBeNull();
    expect(filterReason({ ...pattern, uses: 2 }, policy)).toBe("too few uses");
    for (const name of ["from_step", "entries"]) {
      expect(filterReason({ ...pattern, args: ["path", name] }, policy)).toBe("pipeline argument");
    }
    expect(filterReason({ ...pattern, hasName: false }, policy)).toBe(
      "name outside the vocabulary",
    );
  });
});

describe("profiles", () => {
  const target = fc.constantFrom("a", "b", "c");
  const permission = fc.constantFrom("fs:read", "fs:write", "net:read");
  const profile = fc.dictionary(permission, fc.array(target, { maxLength: 3 }));

  it("[SN42, SN43] what is proposed reaches nothing that no part of it could", () => {
    fc.assert(
      fc.property(profile, profile, (a, b) => {
        const { verdict } = mergeDecision(
          [
            { name: "a", profile: a },
            { name: "b", profile: b },
          ],
          BILLION,
          policy,
        );
        expect(verdict === "propose").toBe(isWithin(a, b) && isWithin(b, a));
      }),
    );
  });
});

describe("what a night finds", () => {
  const entry = (name: string, more: Partial<PoolEntry> = {}): PoolEntry => ({
    ...{ name, version: "1", description: name, takes: [], gives: [], profile: {}, shape: {} },
    ...{ state: "active", isLoaded: true, isVisible: true, isHandcrafted: false, made: null },
    ...{ specialises: null, closes: [], seen: { ...unseen, lastMs: 900 } },
    ...more,
  });
  const mnest = (from: string, to: string, more: Partial<Mnest> = {}): Mnest => ({
    ...{ from: { name: from, version: "1" }, to: { name: to, version: "1" }, state: "active" },
    ...{
      weight: BILLION,
      uses: 5,
      firstMs: 900,
      lastMs: 1_000,
      recentMs: [900, 900, 900, 900, 900],
    },
    seen: { ok: 5, runs: 5 },
    ...more,
  });
  const night = (entries: readonly PoolEntry[], more: Partial<PoolState> = {}) => {
    const executors = Object.fromEntries(entries.map((one) => [one.name, one]));
    const empty = { mnests: [], missing: {}, memos: {}, composed: {}, origins: {} };
    const state = { ...empty, executors, ...more } as unknown as PoolState;
    return nightFindings(state, { nowMs: 1_000, lookbackMs: 500 }, policyWith({}).synt);
  };
  const wanted = (...given: Parameters<typeof night>) => night(...given).wanted;
  const nothing = { members: [], chain: [], hot: null, vetoes: [], covers: [] };

  const hot = (more: Partial<PoolEntry["seen"]> = {}, entryMore: Partial<PoolEntry> = {}) =>
    entry("read_files", {
      seen: { ...unseen, runs: 30, lastMs: 900, cases: { txt: 3, pdf: 27 }, ...more },
      ...entryMore,
    });

  it("[SN44] the hottest case of an executor, once, and of none that is one of a case itself", () => {
    const beside = (of: string, value: string) => entry("x", { specialises: { of, value } });

    expect(wanted([hot()])).toMatchObject([
      {
        ...{ mode: "introspective", strategy: "specialise", proto: null },
        need: { intent: "read_files for the case pdf", name: "read_files_pdf" },
        material: { ...nothing, members: ["read_files"], hot: { value: "pdf", uses: 27, of: 30 } },
      },
    ]);
    expect(wanted([hot({}, { name: "x" })])[0]?.need.name).toBe("");
    expect(wanted([hot({ runs: 29 })])).toEqual([]);
    expect(wanted([hot({ cases: { pdf: 26 } })])).toEqual([]);
    expect(wanted([hot({ runs: 10_000, cases: { pdf: 8_999 } })])).toEqual([]);
    expect(wanted([hot({ cases: {} })])).toEqual([]);
    expect(wanted([hot({}, { specialises: { of: "x", value: "y" } })])).toEqual([]);
    expect(wanted([hot({}, { isVisible: false })])).toEqual([]);
    expect(wanted([hot(), beside("read_files", "pdf")])).toEqual([]);
    expect(wanted([hot(), beside("read_files", "txt")])).toHaveLength(1);
    expect(wanted([hot(), beside("move_files", "pdf")])).toHaveLength(1);
  });

  it("[SN71] what was used within the lookback, not exactly so long ago", () => {
    expect([501, 500].map((lastMs) => wanted([hot({ lastMs })]).length)).toEqual([1, 0]);
    const pair = [entry("read_files"), entry("find_files")];
    const used = (lastMs: number) =>
      wanted(pair, { mnests: [mnest("read_files", "find_files", { lastMs })] }).length;
    expect([501, 500].map(used)).toEqual([1, 0]);
  });

  it("[SN42] two that take and give the same, by the active mnests between them", () => {
    const both = (a: Partial<PoolEntry> = {}, ...mnests: readonly Mnest[]) =>
      wanted([entry("read_files", a), entry("find_files", { takes: ["p", "q"] }), entry("z")], {
        mnests: mnests.length > 0 ? mnests : [mnest("read_files", "find_files")],
      });
    const alike = { takes: ["q", "p"] };
    const half = (from: string, to: string) => mnest(from, to, { weight: 0.3 * BILLION });

    expect(both(alike)).toMatchObject([
      {
        ...{ strategy: "merge", proto: null },
        need: { intent: "one executor for read_files and find_files", name: "" },
        material: { ...nothing, members: ["read_files", "find_files"] },
      },
    ]);
    expect(both({ ...alike, profile: pictures })[0]?.material.vetoes).toEqual([
      "fs:write differs between read_files and find_files",
    ]);
    expect(both({})).toEqual([]);
    expect(both({ ...alike, gives: ["r"] })).toEqual([]);
    expect(both({ ...alike, shape: { path: "text" } })).toEqual([]);
    expect(both({ ...alike, specialises: { of: "x", value: "y" } })).toEqual([]);
    expect(both(alike, mnest("read_files", "find_files", { state: "decaying" }))).toEqual([]);
    expect(both(alike, mnest("read_files", "z"), mnest("z", "find_files"))).toEqual([]);
    expect(both(alike, half("read_files", "find_files"))).toEqual([]);
    expect(
      both(alike, half("read_files", "find_files"), half("find_files", "read_files")),
    ).toHaveLength(1);
  });

  it("[SN43] three of one shape and family, for what is missed of the family", () => {
    const kinds = (...names: readonly string[]) =>
      names.map((name, at) => entry(name, { shape: { paths: "list", file_kind: `kind-${at}` } }));
    const three = kinds("order_image_file", "order_audio_file", "order_doc_file");
    const missing = (name: string) => ({
      mnests: [mnest("x", name, { state: "proto", uses: 1, recentMs: [900] })],
    });

    expect(wanted(three, missing("order_video_file"))).toMatchObject([
      {
        ...{ strategy: "generalise", proto: "proto/order_video_file" },
        need: {
          intent: "order_file in place of order_image_file, order_audio_file, order_doc_file",
          name: "order_file",
        },
        material: {
          ...{ ...nothing, members: ["order_image_file", "order_audio_file", "order_doc_file"] },
          covers: ["order_video_file"],
        },
      },
    ]);
    expect(wanted(three, missing("order_file"))).toHaveLength(1);
    for (const other of ["order_video_tape", "sort_file", "order_big_video_file"]) {
      expect(wanted(three, missing(other))).toEqual([]);
    }
    const hidden = entry("order_file", { isVisible: false });
    expect(wanted([...three, hidden], missing("order_video_file"))).toEqual([]);
    expect(wanted(kinds("read_a", "read_b", "read_c"), missing("read_d"))).toEqual([]);
    expect(wanted(kinds("a_file", "b_file", "c_file"), missing("d_file"))).toEqual([]);
    expect(wanted(three.slice(1), missing("order_video_file"))).toEqual([]);
  });

  const chain = ["read_files", "sort_texts"];
  const composed = (more: Partial<Composed> = {}) => ({
    composed: {
      key: {
        ...{ chain, intent: "sort it", args: [], gaps: ["order_texts", "sort_files"] },
        ...{ uses: 5, lastMs: 900, recentMs: [900, 900, 900, 900, 900], ...more },
      },
    },
  });

  it("[SN45, SN71] a chain that came back lately is one executor, or is turned down with its reason", () => {
    const pattern = "sort_files for read_files → sort_texts";
    const turned = (reason: string) => [{ pattern, proto: "proto/sort_files", reason }];

    expect(wanted([], composed())).toMatchObject([
      {
        ...{ strategy: "generalise", proto: "proto/sort_files" },
        need: { intent: "sort it", name: "sort_files" },
        material: { ...nothing, chain, covers: ["sort_files", "order_texts"] },
      },
    ]);
    expect(night([], composed({ args: ["entries"] })).filtered).toEqual(
      turned("pipeline argument"),
    );
    expect(night([entry("sort_files", { isVisible: false })], composed()).filtered).toEqual(
      turned("name collision: the pool has sort_files"),
    );
    expect(night([], composed({ recentMs: [900, 900, 900, 900] }))).toEqual(night([]));
    expect(night([], composed({ lastMs: 500 }))).toEqual(night([]));
  });

  it("[SN45] a gap that came back is one executor, unless a chain closes it or stood in for it", () => {
    const missed = (name: string, more: Partial<PoolState> = {}) =>
      wanted([], {
        mnests: [
          mnest("x", name, { state: "proto", uses: 4 }),
          mnest("y", name, { state: "proto" }),
        ],
        ...more,
      });
    const known = (name: string, chainBefore: readonly string[], args: readonly string[] = []) => ({
      missing: {
        [name]: {
          ...{ intent: "sort all", name, from: null, hints: [] },
          chain: chainBefore,
          args,
        },
      },
    });

    expect(missed("sort_texts", known("sort_texts", []))).toMatchObject([
      {
        ...{ strategy: "generate", proto: "proto/sort_texts" },
        need: { intent: "sort all", name: "sort_texts" },
        material: { ...nothing, covers: ["sort_texts"] },
      },
    ]);
    expect(missed("sort_texts")[0]?.need.intent).toBe("sort_texts");
    expect(missed("sort_texts", known("sort_texts", [], ["from_step"]))).toEqual([]);
    expect(missed("sort_texts", known("sort_texts", chain))).toEqual([]);
    for (const closed of ["sort_files", "order_texts"]) {
      expect(missed(closed, composed()).map(({ strategy }) => strategy)).toEqual(["generalise"]);
    }
  });

  it("[SN66] a memoised sequence of more than fifty uses leaves its gap, once", () => {
    const memo = (more: Partial<Memo> = {}) => ({
      memos: {
        "sort it": {
          ...{ query: "sort it", chain, uses: 51, args: ["path"], isComposed: false },
          ...{ gaps: [], lastMs: 900, isPromoted: false, ...more },
        },
      },
    });
    const { promoted, wanted: all } = night([], memo());

    expect(promoted).toEqual([
      {
        intent: "sort it",
        name: "sort_files",
        from: "read_files",
        hints: [],
        chain,
        args: ["path"],
      },
    ]);
    expect(all).toMatchObject([
      {
        ...{ strategy: "generate", proto: "proto/sort_files", need: { name: "sort_files" } },
        material: { ...nothing, chain, covers: ["sort_files"] },
      },
    ]);
    for (const none of [{ uses: 50 }, { isPromoted: true }, { lastMs: 500 }]) {
      expect(night([], memo(none))).toEqual(night([]));
    }
  });
});
