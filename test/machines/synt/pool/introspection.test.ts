import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SandboxProfile } from "../../../../src/machines/synt/contract.ts";
import {
  filterReason,
  generaliseDecision,
  isWithin,
  mergeDecision,
  specialiseDecision,
} from "../../../../src/machines/synt/pool/introspection.ts";
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
