/** A file of decisions, line by line; whatever is wrong with any of its lines is said at once. */
import { fileBytes, fileFault, textOfBytes } from "../../../edges/boundedBytes.ts";

import {
  BadInput,
  badInput,
  hintFor,
  type Problem,
  quoted,
  refuse,
} from "../../../edges/errors.ts";
import { isMap } from "../../../machines/isMap.ts";
import { type Share, share, shareOfDecimal } from "../../../machines/synt/score/exactShare.ts";
import {
  CONTRACT_FIELDS,
  STRATEGIES,
  type Strategy,
  TERMS,
  type Term,
} from "../../../machines/synt/score/reward.ts";
import { VERDICTS, type Verdict } from "../decisions.ts";

/** Ours: as much as any person decides on in a life. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;
export const DECISIONS_MAX = 20_000;
/** Ours: far beyond any share that a run makes, and still quick to calculate with. */
const DIGITS_MAX = 300;
/** Ours, as for `synt score`: far beyond any term. */
const TERM_MAX = 1_000n;

export interface DecisionRead {
  readonly line: number;
  /** Decisions on one request are held out together. */
  readonly group: string;
  readonly name: string;
  readonly strategy: Strategy;
  readonly verdict: Verdict;
  /** The bonus is absent where the line leaves it to the policy. */
  readonly terms: Readonly<Partial<{ [T in Term]: Share }>>;
}

const TODO = "`ghostlight synt audit BUNDLE --decisions` writes such lines.";

export function readDecisions(file: string): readonly DecisionRead[] {
  const lines = textOf(file).split("\n");
  const problems: Problem[] = [];
  const seen = new Map<string, number>();
  const bundles = new Set<string>();
  const read = lines.flatMap((text, index): (DecisionRead & { readonly bundle: string })[] => {
    if (text.trim() === "") return [];
    const line = index + 1;
    const refused = (path: string, found: string, allowed: string, hint = {}) => {
      problems.push({ where: { file, line, path }, found, allowed, ...hint });
      return [];
    };
    const given = parsed(text);
    if (!isMap(given)) return refused("", quoted(given ?? text), "an object of JSON on each line");
    const found = new Map(Object.entries(given));
    const before = problems.length;
    const one = (path: string, allowed: readonly string[]): string => {
      const value = found.get(path);
      if (typeof value === "string" && allowed.includes(value)) return value;
      refused(path, valueText(value), allowed.join(" | "), hintFor(String(value), allowed));
      return "";
    };
    const strategy = one("strategy", STRATEGIES) as Strategy;
    const verdict = one("verdict", VERDICTS) as Verdict;
    const terms = termsOf(found.get("terms"), refused);
    const wordIn = (path: string): string => {
      const value = found.get(path);
      if (value === undefined || typeof value === "string") return value ?? "";
      refused(path, quoted(value), "a text");
      return "";
    };
    const [bundle, request] = [wordIn("bundle"), wordIn("request")];
    const delivery = found.get("delivery");
    if (delivery !== undefined) {
      const key = JSON.stringify([bundle, request, delivery]);
      const first = seen.get(key);
      if (first !== undefined) {
        refused("delivery", `the decision of line ${first} once more`, "each decision once");
      }
      seen.set(key, line);
    }
    if (problems.length > before) return [];
    bundles.add(bundle);
    const name = request === "" ? `line ${line}` : request;
    const group = request === "" ? name : JSON.stringify([bundle, request]);
    return [{ line, group, name, bundle, strategy, verdict, terms }];
  });
  if (read.length > DECISIONS_MAX) {
    const where = { file, path: "" };
    problems.push({ where, found: `${read.length} decisions`, allowed: `${DECISIONS_MAX}` });
  }
  refuse(problems, TODO);
  // Each run counts its requests from one.
  return read.map(({ bundle, ...one }) =>
    bundles.size < 2 || bundle === "" ? one : { ...one, name: `${one.name} of ${bundle}` },
  );
}

type Refuse = (path: string, found: string, allowed: string, hint?: object) => never[];

function termsOf(given: unknown, refused: Refuse): DecisionRead["terms"] {
  const fields = TERMS.map((term) => CONTRACT_FIELDS[term]);
  if (!isMap(given)) {
    refused("terms", valueText(given), `an object with ${fields.join(", ")}`);
    return {};
  }
  const found = new Map(Object.entries(given));
  for (const name of found.keys()) {
    if (fields.some((field) => field === name)) continue;
    refused(`terms.${name}`, "a term that R has not", fields.join(" | "), hintFor(name, fields));
  }
  return Object.fromEntries(
    TERMS.flatMap((term): [Term, Share][] => {
      const value = found.get(CONTRACT_FIELDS[term]);
      if (value === undefined && term === "bonus") return [];
      const read = shareIn(value);
      if (read !== null) return [[term, read]];
      const allowed = "a number, a share such as 5/6, or [5, 6]; at most 1000";
      refused(`terms.${CONTRACT_FIELDS[term]}`, valueText(value), allowed);
      return [];
    }),
  );
}

/** Exactly as it stands: decimals are taken for what their digits say. */
function shareIn(given: unknown): Share | null {
  const [over, under] = Array.isArray(given)
    ? given.length === 2
      ? given.map(wholeIn)
      : []
    : typeof given === "string"
      ? given.split("/", 3).map(wholeIn)
      : typeof given === "number" && Math.abs(given) <= Number(TERM_MAX)
        ? shareOfDecimal(given).map(BigInt)
        : [];
  if (over == null || under == null || under <= 0n) return null;
  const size = over < 0n ? 0n - over : over;
  return size <= TERM_MAX * under ? share(over, under) : null;
}

function wholeIn(given: unknown): bigint | null {
  if (typeof given === "number") return Number.isSafeInteger(given) ? BigInt(given) : null;
  if (typeof given !== "string" || given.length > DIGITS_MAX) return null;
  return /^-?\d+$/.test(given) ? BigInt(given) : null;
}

const valueText = (value: unknown): string => (value === undefined ? "nothing" : quoted(value));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  const refused = (found: string) =>
    badInput({ file }, found, `a text of at most ${FILE_BYTES_MAX} bytes`, TODO);
  try {
    const bytes = fileBytes(file, FILE_BYTES_MAX);
    if (bytes.length > FILE_BYTES_MAX) throw refused("more");
    return textOfBytes(bytes);
  } catch (error) {
    throw error instanceof BadInput ? error : refused(fileFault(error));
  }
}
