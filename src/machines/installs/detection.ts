/**
 * What the files of an artifact need to be able to do, and what they threaten. Python and JavaScript are parsed, so
 * that a comment or a string infers nothing; what cannot be parsed is searched for words, and it is said why.
 * Source: seed 003, capability detection; rulings I3, I10, I12.
 */

import { isMap } from "../isMap.ts";
import { readJson } from "../readJson.ts";
import type { CodeFacts } from "./codeFacts.ts";
import {
  type CodeFile,
  hidingEncoding,
  hindrance,
  isUnreadCode,
  languageOf,
  parsedText,
  searchedText,
} from "./codeFile.ts";
import type { DetectionPolicy } from "./detectionPolicy.ts";
import { javascriptFacts } from "./javascriptFacts.ts";
import { javascriptReach } from "./javascriptReach.ts";
import { INFERABLE, type Inferable, patternHits, threatHits } from "./patterns.ts";
import { pythonReach } from "./pythonReach.ts";
import type { Reach } from "./reached.ts";
import { isBarring, STRING_THREATS, type Threat } from "./threats.ts";

export interface Evidence {
  readonly capability: Inferable;
  readonly file: string;
  readonly line: number;
  /** The words of the table, or the name that was reached for. */
  readonly pattern: string;
}

/** A module that is imported plainly, and that no table knows (I14). */
export interface Unfamiliar {
  readonly module: string;
  readonly file: string;
  readonly line: number;
}

/** A file that was not parsed, and why: it was searched for words instead. */
export interface DetectionNote {
  readonly file: string;
  readonly why: string;
}

export interface Detection {
  readonly analyzer: DetectionPolicy["analysis"]["kind"];
  /** Sorted, each once. */
  readonly inferred: readonly Inferable[];
  readonly evidence: readonly Evidence[];
  /** A capability, and no threat. */
  readonly remoteAccess: boolean;
  readonly threats: readonly Threat[];
  /** No threat is high or critical. */
  readonly passed: boolean;
  readonly notes: readonly DetectionNote[];
  /** Told to the person; sorted, each once. */
  readonly unfamiliar: readonly Unfamiliar[];
}

/** The files that are looked at: the real system looks at the instructions too. */
export const lookedAt = (
  files: readonly CodeFile[],
  instructions: string,
  { instructionsScanned }: Pick<DetectionPolicy, "instructionsScanned">,
): readonly CodeFile[] =>
  instructionsScanned ? [...files, { path: "SKILL.md", text: instructions }] : files;

/**
 * The detection, or the Python texts whose facts it needs first: they are asked of the sandbox by `pythonFactsRun`,
 * and given under the text. The order of the files makes no difference.
 */
export function detected(
  files: readonly CodeFile[],
  { analysis, unfamiliar: rule }: Pick<DetectionPolicy, "analysis" | "unfamiliar">,
  parsed: ReadonlyMap<string, CodeFacts>,
): Detection | { readonly needs: readonly string[] } {
  if (analysis.kind === "ast") {
    const texts = files
      .filter((file) => languageOf(file) === "python" && isParsed(file, analysis))
      .map(parsedText);
    const needs = [...new Set(texts)].filter((text) => !parsed.has(text)).sort();
    if (needs.length > 0) return { needs };
  }
  const found = files.map((file) => foundIn(file, files, { analysis, parsed }));
  const unfamiliar = distinct(found.flatMap((one) => one.unfamiliar))
    .filter(({ module }) => !isOwn(module, files))
    .sort(byModule);
  const required: Evidence[] = rule === "tell" ? [] : unfamiliar.map(asCode);
  const evidence = distinct([...found.flatMap((one) => one.evidence), ...required]).sort(byPlace);
  const threats = distinct(found.flatMap((one) => one.threats)).sort(byPlace);
  const has = new Set(evidence.map(({ capability }) => capability));
  return {
    analyzer: analysis.kind,
    inferred: INFERABLE.filter((capability) => has.has(capability)),
    evidence,
    remoteAccess: has.has("NetworkAccess"),
    threats,
    passed: !threats.some(isBarring),
    notes: found.flatMap(({ notes }) => notes).sort(byFile),
    unfamiliar,
  };
}

const asCode = ({ module, file, line }: Unfamiliar): Evidence => ({
  ...{ capability: "CodeExecution", pattern: `import ${module}`, file, line },
});

/** A module of the artifact itself. */
function isOwn(module: string, files: readonly CodeFile[]): boolean {
  const [root] = module.split(/[./]/);
  return files.some(({ path }) => path.split("/").some((part) => part.split(".")[0] === root));
}

type Analysis = DetectionPolicy["analysis"];
type Found = Pick<Detection, "evidence" | "threats" | "notes" | "unfamiliar">;

const isParsed = (file: CodeFile, { charsMax }: Analysis): boolean =>
  hindrance(file, charsMax) === null;

function foundIn(
  file: CodeFile,
  files: readonly CodeFile[],
  { analysis, parsed }: { analysis: Analysis; parsed: ReadonlyMap<string, CodeFacts> },
): Found {
  if (analysis.kind === "pattern") return searched(file, analysis, []);
  const language = languageOf(file);
  const said = (why: string): Found => searched(file, analysis, [{ file: file.path, why }]);
  const why = hindrance(file, analysis.charsMax);
  if (language === null) {
    const found = said(why ?? "neither Python nor JavaScript");
    if (isUnreadCode(file)) return unread(file, found, "code in another language");
    return scripted(file, found);
  }
  if (why !== null) return why === "empty" ? said(why) : unread(file, said(why), why);
  const text = parsedText(file);
  if (language === "javascript") {
    const facts = javascriptFacts(text);
    return "error" in facts
      ? unread(file, said(`no JavaScript: ${facts.error}`), facts.error)
      : loading(file, files, facts, read(file, facts, javascriptReach));
  }
  const facts = parsed.get(text) ?? { error: "Python did not say" };
  const found =
    "error" in facts
      ? unread(file, said(`no Python: ${facts.error}`), facts.error)
      : read(file, facts, pythonReach);
  return { ...found, threats: [...found.threats, ...hidden(file)] };
}

/** Code that nobody has read whole may do anything (I14). */
const unread = (file: CodeFile, found: Found, why: string): Found =>
  running(file, found, [`cannot be read whole: ${why}`]);

const running = (file: CodeFile, found: Found, patterns: readonly string[]): Found => ({
  ...found,
  evidence: [
    ...found.evidence,
    ...patterns.map((pattern) => ({
      capability: "CodeExecution" as const,
      pattern,
      file: file.path,
      line: 1,
    })),
  ],
});

/** What npm runs by itself when a package is installed, packed or published. */
const LIFECYCLE =
  /^(?:pre|post)?(?:install|prepare|prepack|pack|publish|uninstall|version)$|^dependencies$/;

/** A package.json may have commands that run without being called. */
function scripted(file: CodeFile, found: Found): Found {
  if (!/(?:^|\/)package\.json$/.test(file.path)) return found;
  const value = readJson(file.text);
  const scripts = isMap(value) && isMap(value["scripts"]) ? Object.keys(value["scripts"]) : [];
  const own = scripts.filter((name) => LIFECYCLE.test(name)).map((name) => `scripts.${name}`);
  return running(file, found, own);
}

/** What Node makes of a path without an ending, in turn. */
const TRIED = ["", ".js", ".json", ".cjs", ".mjs", "/index.js", "/index.cjs", "/index.mjs"];

/** Node takes a file for JavaScript whatever its name is, and one that lies outside the artifact is not seen at all. */
function loading(
  file: CodeFile,
  files: readonly CodeFile[],
  { facts }: Exclude<CodeFacts, { error: string }>,
  found: Found,
): Found {
  const loaded = facts
    .filter(({ how, name }) => how === "import" && /^(?:\.{0,2}\/|\.{1,2}$)/.test(name))
    .map(({ name }) => name);
  const isHidden = (name: string): boolean => {
    const path = name.startsWith("/") ? null : within(file.path, name);
    if (path === null) return true;
    const target = TRIED.map((end) => files.find((one) => one.path === path + end)).find(Boolean);
    return (
      target !== undefined && languageOf(target) !== "javascript" && !/\.json$/i.test(target.path)
    );
  };
  return running(
    file,
    found,
    loaded.filter(isHidden).map((name) => `import ${name}`),
  );
}

/** A path that a file names beside itself; null when it leads out of the artifact. */
function within(from: string, name: string): string | null {
  const parts = from.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

/** By words, wherever they stand. */
function searched(file: CodeFile, { table }: Analysis, notes: readonly DetectionNote[]): Found {
  const text = table === "real" ? file.text : searchedText(file);
  const place = { file: file.path };
  return {
    evidence: patternHits(text, table).map((hit) => ({ ...hit, ...place })),
    threats: threatHits(text).map((hit) => ({ ...hit, ...place })),
    notes,
    unfamiliar: [],
  };
}

/** By what the text means. */
function read(file: CodeFile, found: Exclude<CodeFacts, { error: string }>, reach: Reach): Found {
  const place = { file: file.path };
  const shown = (name: string): string => name.replaceAll("()", "").replace(/^\?/, "");
  return {
    evidence: found.facts.flatMap((fact) =>
      reach.capabilities(fact).map((capability) => ({
        ...{ capability, pattern: shown(fact.name), line: fact.line },
        ...place,
      })),
    ),
    threats: [
      ...found.facts.flatMap((fact) =>
        reach.threats(fact).map((threat) => ({ ...threat, line: fact.line, ...place })),
      ),
      ...found.hits.flatMap(({ word, line }) =>
        STRING_THREATS.filter(({ pattern }) => pattern === word).map((threat) => ({
          ...{ ...threat, line },
          ...place,
        })),
      ),
    ],
    notes: [],
    unfamiliar: found.facts.flatMap(({ how, name, line }) =>
      how === "unfamiliar" && !reach.knows(name) ? [{ module: name, line, ...place }] : [],
    ),
  };
}

function hidden(file: CodeFile): readonly Threat[] {
  const name = hidingEncoding(file);
  if (name === null) return [];
  const pattern = `coding: ${name}`;
  return [{ pattern, kind: "Obfuscation", severity: "high", file: file.path, line: 1 }];
}

/** Each once: of the same finding in the same file, the first line. */
function distinct<T extends Evidence | Threat | Unfamiliar>(all: readonly T[]): T[] {
  const kept = new Map<string, T>();
  for (const one of all) {
    const what =
      "module" in one
        ? [one.module]
        : ["capability" in one ? one.capability : one.kind, one.pattern];
    const key = JSON.stringify([one.file, ...what]);
    const before = kept.get(key);
    if (before === undefined || one.line < before.line) kept.set(key, one);
  }
  return [...kept.values()];
}

const order = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
const byFile = (a: DetectionNote, b: DetectionNote): number => order(a.file, b.file);

const byModule = (a: Unfamiliar, b: Unfamiliar): number =>
  order(a.module, b.module) || order(a.file, b.file);

const byPlace = <T extends Evidence | Threat>(a: T, b: T): number =>
  order(a.file, b.file) ||
  order(a.line, b.line) ||
  order(a.pattern, b.pattern) ||
  order("capability" in a ? a.capability : a.kind, "capability" in b ? b.capability : b.kind);
