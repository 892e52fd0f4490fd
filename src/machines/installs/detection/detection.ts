/**
 * What the files of an artifact need to be able to do, and what they threaten. Python and JavaScript are parsed, so
 * that a comment or a string infers nothing; what cannot be parsed is searched for words, and it is said why.
 * Source: seed 003, capability detection; rulings I3, I10, I12.
 */

import { isMap } from "../../isMap.ts";
import { ownValue } from "../../ownValue.ts";
import { between, choice, flag, integer, type ValuesOf } from "../../policyLeaf.ts";
import { readJson } from "../../readJson.ts";
import type { CodeFacts, Reach } from "./codeFacts.ts";
import { javascriptFacts } from "./javascriptFacts.ts";
import { javascriptReach } from "./javascriptReach.ts";
import {
  INFERABLE,
  type Inferable,
  isBarring,
  patternHits,
  STRING_THREATS,
  type Threat,
  threatHits,
} from "./patterns.ts";
import { pythonReach } from "./pythonReach.ts";

export const detectionLeaves = {
  analysis: {
    kind: choice("ast", ["ast", "pattern"], {
      says: "Whether Python and JavaScript are parsed, or every file is searched for words.",
      source: "RULINGS I3 (ast); real system, default provider (pattern)",
    }),
    table: choice("seed", ["seed", "real"], {
      says: "Which table is searched by, where words are searched for.",
      source: "seed 003, capability detection rules, and RULINGS I12 (seed); real system (real)",
    }),
    charsMax: integer(131_072, between(0, 10_000_000, "characters"), {
      says: "How long a text may be to be parsed; a longer one is searched for words.",
      source: "ours: Python has so much read well before `sandbox.parseLimitMs`",
    }),
  },
  unfamiliar: choice("tell", ["tell", "require"], {
    says: "What a plain import means that no table knows: the person is told, or CodeExecution is required.",
    source: "RULINGS I14",
  }),
  instructionsScanned: flag(false, {
    says: "Whether the instructions are looked at as if they were a file SKILL.md.",
    source: "RULINGS I12 (false); real system (true)",
  }),
};

export type DetectionPolicy = ValuesOf<typeof detectionLeaves>;

/** A file of an artifact, as the detection is given it. */
export interface CodeFile {
  readonly path: string;
  /** As UTF-8; what is none has U+FFFD in it. */
  readonly text: string;
}

export type Language = "python" | "javascript";

const ENDS: { readonly [end: string]: Language } = {
  ...{ py: "python", pyw: "python", pyi: "python" },
  ...{ js: "javascript", mjs: "javascript", cjs: "javascript" },
};

/** By the end of its name, else by its first line. */
export function languageOf({ path, text }: CodeFile): Language | null {
  const end = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const known = ownValue(ENDS, end);
  if (known !== undefined) return known;
  const [, program = ""] = /^\uFEFF?#!\s*\S*?(?:env\s+(?:-\S+\s+)*)?([a-z]+)[\d.]*(?:\s|$)/.exec(
    text.slice(0, 200),
  ) ?? ["", ""];
  if (program.startsWith("python")) return "python";
  return program === "node" || program === "bun" ? "javascript" : null;
}

/** What some program runs and no parser here reads, by the end of a name: nobody knows what it does. */
const UNREAD_CODE = new Set(
  `ts mts cts tsx jsx coffee vue svelte node wasm so dll dylib exe class jar sh bash zsh ksh fish csh pl pm rb php lua r jl go
  rs c cc cpp java cs ps1 psm1 bat cmd vbs applescript awk tcl scpt htm html xhtml pth ipynb pyc pyd pyx whl egg`.split(
    /\s+/,
  ),
);
const RUN_BY_NAME = /^(?:makefile|gnumakefile|dockerfile|justfile|rakefile|jenkinsfile|procfile)$/i;

/** Whether a file of no language here is code all the same: by its name, or by a first line that names a program. */
function isUnreadCode({ path, text }: CodeFile): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const end = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return UNREAD_CODE.has(end) || RUN_BY_NAME.test(name) || /^\uFEFF?#!/.test(text.slice(0, 3));
}

/** The text as a parser takes it: without a byte order mark. */
const parsedText = ({ text }: CodeFile): string => text.replace(/^\uFEFF/, "");

/** The text as words are searched for in it: two bytes a letter are still letters. */
const searchedText = ({ text }: CodeFile): string => text.replaceAll("\0", "");

/** Why a file is not parsed; null when it can be. */
export function hindrance(file: CodeFile, charsMax: number): string | null {
  const { text } = file;
  if (text.length === 0) return "empty";
  if (text.includes("\0")) return "binary, or in an encoding of two bytes";
  if (text.includes("\uFFFD")) return "not UTF-8";
  if (text.length > charsMax) return `${text.length} characters; at most ${charsMax} are parsed`;
  return null;
}

const PLAIN = /^(?:utf-?8(?:-sig)?|(?:us-)?ascii|latin-?1|iso-?8859-?1|cp1252)$/i;

/**
 * The encoding that a Python file asks for in its first two lines, when it is one that writes code as something else,
 * such as `unicode_escape`, under which a comment can hold a statement.
 */
function hidingEncoding({ text }: CodeFile): string | null {
  for (const line of text.slice(0, 10_000).split(/\r\n|\r|\n/, 2)) {
    const name = /^\uFEFF?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1];
    if (name !== undefined) return PLAIN.test(name.replaceAll("_", "-")) ? null : name;
  }
  return null;
}

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
  const looked = files.map((file) => foundIn(file, files, { analysis, parsed }));
  const unfamiliar = distinct(looked.flatMap((one) => one.unfamiliar))
    .filter(({ module }) => !isOwn(module, files))
    .sort(byModule);
  const required: Evidence[] = rule === "tell" ? [] : unfamiliar.map(asCode);
  const evidence = distinct([...looked.flatMap((one) => one.evidence), ...required]).sort(byPlace);
  const threats = distinct(looked.flatMap((one) => one.threats)).sort(byPlace);
  const has = new Set(evidence.map(({ capability }) => capability));
  return {
    analyzer: analysis.kind,
    inferred: INFERABLE.filter((capability) => has.has(capability)),
    evidence,
    remoteAccess: has.has("NetworkAccess"),
    threats,
    passed: !threats.some(isBarring),
    notes: looked.flatMap(({ notes }) => notes).sort(byFile),
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

type Finding = Evidence | Threat | Unfamiliar;

/** What is found: its kind and its words. */
const whatOf = (one: Finding): readonly string[] =>
  "module" in one ? [one.module] : ["capability" in one ? one.capability : one.kind, one.pattern];

/** Each once: of the same finding in the same file, the first line. */
function distinct<T extends Finding>(all: readonly T[]): T[] {
  const kept = new Map<string, T>();
  for (const one of all) {
    const key = JSON.stringify([one.file, ...whatOf(one)]);
    const before = kept.get(key);
    if (before === undefined || one.line < before.line) kept.set(key, one);
  }
  return [...kept.values()];
}

/** By the first of these that is not the same. */
const by =
  <T>(of: (one: T) => readonly (string | number)[]) =>
  (a: T, b: T): number => {
    const [keys, others] = [of(a), of(b)];
    const at = keys.findIndex((key, index) => key !== others[index]);
    return at < 0 ? 0 : (keys[at] ?? "") < (others[at] ?? "") ? -1 : 1;
  };
const byFile = by(({ file }: DetectionNote) => [file]);
const byModule = by(({ module, file }: Unfamiliar) => [module, file]);
const byPlace = by((one: Evidence | Threat) => [one.file, one.line, ...whatOf(one).toReversed()]);
