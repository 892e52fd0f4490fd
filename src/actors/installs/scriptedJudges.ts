/**
 * How the scripted evaluator and auditor judge: by the words of the files that they are shown, as a hurried reader does, so that
 * they miss what is said otherwise, and now and then what is plain. Ours.
 */
import type { JudgeView } from "../../machines/installs/crew/crewModel.ts";
import {
  INFERABLE,
  isBarring,
  patternHits,
  threatHits,
} from "../../machines/installs/detection/patterns.ts";
import type { Mind, Thought } from "./scriptedThought.ts";

interface Found {
  readonly severity: "warning" | "error" | "critical";
  readonly description: string;
}

/** What a file that is not finished says of itself. */
const UNFINISHED: readonly (readonly [sign: RegExp, flaw: string])[] = [
  [/\bTODO\b/, "something is left to do"],
  [/\bNotImplementedError\b/, "a part is not written"],
  [/(?<![^\r\n])[ \t]*pass[ \t]*(?:#[^\r\n]*)?(?![^\r\n])/, "a function does nothing"],
];

export function evaluated(view: JudgeView, { slips, habits, without }: Mind): Thought {
  const { misses, forgets, strict } = habits;
  const flaws = view.files.flatMap(({ name, text }) => {
    if (text === null) return [`${name} cannot be read`];
    if (text.trim() === "") return [`${name} is empty`];
    return UNFINISHED.filter(([sign]) => sign.test(text)).map(([, flaw]) => `${name}: ${flaw}`);
  });
  const seen = flaws.filter(() => !slips("evaluate:misses", misses));
  const isStrict = slips("evaluate:strict", strict);
  const isForgotten = slips("evaluate:forgets", forgets);
  const findings: Found[] = [
    ...seen.map((description) => ({ severity: "error", description }) as const),
    ...(isStrict && seen.length === 0
      ? [{ severity: "error", description: "it could be done more simply" } as const]
      : []),
  ];
  const pass = findings.length === 0 || without.has("evaluate:fails");
  const choices = [
    pass ? "evaluate:passes" : "evaluate:fails",
    ...(seen.length < flaws.length ? ["evaluate:misses"] : []),
    ...(isStrict && seen.length === 0 ? ["evaluate:strict"] : []),
    ...(isForgotten ? ["evaluate:forgets"] : []),
  ];
  return {
    answer: {
      pass,
      record: !isForgotten,
      findings: findings.map(plain),
    },
    choice: choices.join(" "),
  };
}

export function audited(view: JudgeView, { slips, habits, without }: Mind): Thought {
  const { misses, misreads, forgets, deniesRemote } = habits;
  const texts = view.files.map(({ name, text }) => ({ name, text: text ?? "" }));
  const threats = texts.flatMap(({ name, text }) =>
    threatHits(text).map((threat) => ({ ...threat, name })),
  );
  const seen = threats.filter(() => !slips("audit:misses", misses));
  const needed = INFERABLE.filter((kind) =>
    texts.some(({ text }) =>
      patternHits(text, "seed").some(({ capability }) => capability === kind),
    ),
  );
  const inferred = needed.filter(() => !slips("audit:misreads", misreads));
  const isForgotten = slips("audit:forgets", forgets);
  const usesNetwork = inferred.includes("NetworkAccess");
  const denies = slips("audit:denies-remote", deniesRemote) && usesNetwork;
  const undeclared = inferred.filter((kind) => !view.declared.includes(kind));
  const findings: Found[] = [
    ...seen.map(({ name, line, pattern, severity }) => ({
      severity: isBarring({ severity }) ? ("critical" as const) : ("warning" as const),
      description: `${name}:${line}: ${pattern}`,
    })),
    ...undeclared.map((kind) => ({
      severity: "error" as const,
      description: `it needs ${kind}, which is not declared`,
    })),
    ...texts
      .filter((_, index) => view.files[index]?.text === null)
      .map(({ name }) => ({ severity: "error" as const, description: `${name} cannot be read` })),
  ];
  const isSafe = findings.every(({ severity }) => severity === "warning");
  const pass = isSafe || without.has("audit:fails");
  const choices = [
    pass ? "audit:passes" : "audit:fails",
    ...(seen.length < threats.length ? ["audit:misses"] : []),
    ...(inferred.length < needed.length ? ["audit:misreads"] : []),
    ...(denies ? ["audit:denies-remote"] : []),
    ...(isForgotten ? ["audit:forgets"] : []),
  ];
  return {
    answer: {
      ...{ pass, record: !isForgotten },
      findings: findings.map(plain),
      threats_detected: seen.filter(isBarring).map(({ pattern }) => pattern),
      ...{ remote_access_detected: usesNetwork && !denies, inferred_capabilities: inferred },
    },
    choice: choices.join(" "),
  };
}

const plain = ({ severity, description }: Found) => ({ severity, description });
