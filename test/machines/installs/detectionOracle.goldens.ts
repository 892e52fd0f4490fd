// [INS47] Detection, threats and the second scanner against the real system's recorded answers.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import {
  type CodeFile,
  type Detection,
  detectionLeaves,
} from "../../../src/machines/installs/detection/detection.ts";
import {
  commandVerdict,
  remoteSigns,
  scriptApprovalReason,
} from "../../../src/machines/installs/detection/execScan.ts";
import { patternHits } from "../../../src/machines/installs/detection/patterns.ts";
import { detectedAlone, detectedBy, REAL, SEED } from "./detectionFacts.ts";

const ORACLE = new URL("../../../../shared/oracles/autonoetic.json", import.meta.url);

interface OracleCase<Input, Expected> {
  readonly id: string;
  readonly kind: string;
  readonly input: Input;
  readonly expected: Expected;
}
const cases: readonly OracleCase<never, never>[] = existsSync(ORACLE)
  ? JSON.parse(readFileSync(ORACLE, "utf8")).cases
  : [];

const table = new Map<string, Map<string, number>>();
function count(row: string, agreement: string): void {
  const counts = table.get(row) ?? new Map<string, number>();
  counts.set(agreement, (counts.get(agreement) ?? 0) + 1);
  table.set(row, counts);
}

/** Compares every case of a kind: `ruled` says why one may differ, and nothing else may. */
function agrees<I, E>(
  kind: string,
  under: string,
  ours: (input: I) => unknown,
  theirs: (expected: E, input: I) => unknown,
): void {
  it(`[INS47] agrees on ${kind}, ${under}`, () => {
    const all = cases.filter((one) => one.kind === kind) as readonly OracleCase<I, E>[];
    expect(all.length).toBeGreaterThan(0);
    for (const { id, input, expected } of all) {
      expect({ id, is: ours(input) }).toEqual({ id, is: theirs(expected, input) });
      count(`${kind}, ${under}`, "same");
    }
  });
}

interface Files {
  readonly files: readonly { readonly path: string; readonly content: string }[];
}
const filesOf = ({ files }: Files): CodeFile[] =>
  files.map(({ path, content }) => ({ path, text: content }));

interface Row {
  readonly capability: string;
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
}
interface Analysed {
  readonly capability_inference: { readonly evidence: readonly Row[]; readonly inferred: string[] };
  readonly pattern_analyzer: { readonly evidence: readonly Row[]; readonly inferred: string[] };
  readonly security: {
    readonly passed: boolean;
    readonly remote_access_detected: boolean;
    readonly threats: readonly {
      readonly file: string;
      readonly line: number;
      readonly pattern: string;
      readonly severity: string;
      readonly type: string;
    }[];
  };
  readonly combined_action: string;
}
const sorted = (rows: readonly object[]): readonly string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
const rowsOf = (rows: readonly Row[]) =>
  sorted(rows.map(({ capability, file, line, pattern }) => ({ capability, file, line, pattern })));

/** What the real system's other module, which nothing calls, does not know. */
const LATER = ["os.makedirs", "fs.mkdir", ".write_text()", ".write_bytes()", "open("];
const inferenceOf = (files: readonly CodeFile[]): Row[] =>
  files.flatMap(({ path, text }) =>
    patternHits(text, "real")
      .filter(({ pattern }) => !LATER.includes(pattern))
      .map((hit) => ({ ...hit, file: path })),
  );
const capabilitiesIn = (rows: readonly Row[]): string[] =>
  [...new Set(rows.map(({ capability }) => capability))].sort();

describe.skipIf(!existsSync(ORACLE))(
  "(skipped where shared/oracles/autonoetic.json is absent)",
  () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await openSandbox({ cacheFolder: resolve("node_modules/.cache/ghostlight") });
    });
    afterAll(async () => {
      await sandbox?.close();
      for (const [row, counts] of table) {
        process.stdout.write(
          `${row}: ${[...counts].map(([why, n]) => `${n} ${why}`).join(", ")}\n`,
        );
      }
    });

    agrees<Files, Analysed>(
      "code_analysis",
      "real",
      (input) => {
        const { evidence, inferred, passed, remoteAccess, threats } = detectedAlone(
          filesOf(input),
          REAL,
        );
        const rows = inferenceOf(filesOf(input));
        return {
          ...{ evidence: rowsOf(evidence), inferred, passed, remoteAccess },
          threats: sorted(threats.map(({ kind, ...rest }) => ({ ...rest, type: kind }))),
          ...{ action: passed ? "Approve" : "Reject", before: rowsOf(rows) },
          inferredBefore: capabilitiesIn(rows),
        };
      },
      ({ pattern_analyzer: found, security, combined_action: action, ...rest }) => ({
        ...{ evidence: rowsOf(found.evidence), inferred: [...found.inferred].sort() },
        ...{ passed: security.passed, remoteAccess: security.remote_access_detected },
        ...{ threats: sorted(security.threats), action },
        before: rowsOf(rest.capability_inference.evidence),
        inferredBefore: [...rest.capability_inference.inferred].sort(),
      }),
    );

    agrees<{ declared: string[] } & Files, { is_valid: boolean; missing_contains: string[] }>(
      "validate_capabilities",
      "real",
      (input) => {
        const missing = capabilitiesIn(inferenceOf(filesOf(input))).filter(
          (one) => !input.declared.includes(one),
        );
        return { is_valid: missing.length === 0, missing };
      },
      ({ is_valid, missing_contains: missing }) => ({ is_valid, missing }),
    );

    agrees<{ code: string }, { detected: readonly object[]; requires_approval: boolean }>(
      "remote_access_scan",
      "real",
      ({ code }) => {
        const signs = remoteSigns(code, "real");
        const detected = signs.map(({ line, ...rest }) => ({ ...rest, line_number: line }));
        return { detected, requires_approval: signs.length > 0 };
      },
      (expected) => expected,
    );

    agrees<
      { command: string },
      { is_safe: boolean; reason: string | null; threats: readonly string[] }
    >(
      "shell_command_policy",
      "real",
      ({ command }) => commandVerdict(command),
      ({ is_safe: isSafe, reason, threats }) => ({ isSafe, reason, threats }),
    );

    agrees<{ has_network_access: boolean; script: string }, string | null>(
      "script_requires_approval",
      "real",
      ({ script, has_network_access: has }) => scriptApprovalReason(script, has),
      (reason) => reason,
    );

    it("[INS47] code_analysis_custom has no counterpart: the seed's table is the policy's, not an operator's", () => {
      const custom = cases.filter(({ kind }) => kind === "code_analysis_custom");
      expect(custom.length).toBeGreaterThan(0);
      for (const { kind } of custom) count(kind, "not applicable (no patterns of one's own)");

      // No value of the policy is a list, in which an operator could name patterns.
      const { analysis, ...others } = detectionLeaves;
      const kinds = [...Object.values(analysis), ...Object.values(others)].map(({ kind }) => kind);
      expect([...new Set(kinds)].sort()).toEqual(["choice", "flag", "integer"]);
    });

    const differs = (is: Detection, was: { inferred: readonly string[]; passed: boolean }) =>
      !isDeepStrictEqual([is.inferred, is.passed], [[...was.inferred].sort(), was.passed]);

    it("[INS47] differs on code_analysis, by default, where a ruling says so", async () => {
      const unruled: string[] = [];
      for (const one of cases) {
        if (one.kind !== "code_analysis") continue;
        const { id, input, expected } = one as OracleCase<Files, Analysed>;
        // I12: instructions are not looked at.
        const files = filesOf(input).filter(({ path }) => path !== "SKILL.md");
        const { security, pattern_analyzer: found } = expected;
        const was = { inferred: found.inferred, passed: security.passed };
        const is = await detectedBy(sandbox, files, SEED);
        if (!differs(is, was)) count("code_analysis, by default", "same");
        else {
          const why = ruledBy(is, files, was.passed);
          if (why === null) unruled.push(`${id}: ${is.inferred} ${is.passed}, was ${was.inferred}`);
          count("code_analysis, by default", why ?? "unruled");
        }
      }
      expect(unruled).toEqual([]);
    });

    /** What is parsed differs by I3 and what is not parsed by I12; a threat that is gone was a comment's or the instructions'. */
    const ruledBy = (is: Detection, files: readonly CodeFile[], hadPassed: boolean) => {
      if (is.passed && !hadPassed)
        return "by I3, I12 (a comment or the instructions threaten nothing)";
      if (is.passed !== hadPassed) return null;
      const parsed = files.some(({ path }) => !is.notes.some(({ file }) => file === path));
      return parsed ? "by I3 (parsed, not searched)" : "by I12 (the seed's table)";
    };

    interface Scanned {
      readonly inferred_types: readonly string[];
      readonly remote_access_detected: boolean;
      readonly security_passed: boolean;
      readonly evidence: readonly { readonly line: number }[];
    }
    it("[INS47] agrees on python_ast_scan, but for what rulings say", async () => {
      const unruled: string[] = [];
      for (const one of cases) {
        if (one.kind !== "python_ast_scan") continue;
        const { id, input, expected } = one as OracleCase<
          { content: string; path: string },
          Scanned
        >;
        const files = [{ path: input.path, text: input.content }];
        const is = await detectedBy(sandbox, files, SEED);
        const was = { inferred: expected.inferred_types, passed: expected.security_passed };
        if (!differs(is, was)) count("python_ast_scan", "same");
        else {
          const why = scanRuled(is, was, input.content);
          if (why === null)
            unruled.push(`${id}: ${is.inferred} ${is.passed}, was ${was.inferred} ${was.passed}`);
          count("python_ast_scan", why ?? "unruled");
        }
      }
      expect(unruled).toEqual([]);
    });

    const scanRuled = (
      is: Detection,
      was: { inferred: readonly string[]; passed: boolean },
      text: string,
    ) => {
      if (is.notes.length > 0) return "by I3 (what is no Python is searched)";
      const less = was.inferred.filter((one) => !(is.inferred as readonly string[]).includes(one));
      // The real system goes by the first part of a module's name, whatever the module opens.
      if (String(less) === "NetworkAccess" && /\burllib\b|\bhttp\b/.test(text))
        return "by I3 (a module that opens nothing)";
      if (less.length > 0) return null;
      return is.inferred.length > was.inferred.length
        ? "by I3 (reads and other names count too)"
        : "by I10 (a capability is no threat)";
    };
  },
);
