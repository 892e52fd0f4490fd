/**
 * What opens the completion gate, and its mechanical part: the declared artifact exists, has
 * substance and holds no placeholder. Source: seed 004, "Goal completion gate"; ruling U7.
 */
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import { type FolderPolicy, isVirtualPath, NO_FOLDERS, rootsPattern } from "../../folders.ts";
import { onceFor } from "../../onceFor.ts";
import { between, choice, integer, subset, type ValuesOf } from "../../policyLeaf.ts";
import { hours, minutes } from "../../units.ts";

/** The parts after the first, which is progress itself, in the order in which they are asked. */
export const GOAL_GATE_PARTS = ["output", "mechanical", "semantic", "facts"] as const;

export type GoalGatePart = (typeof GOAL_GATE_PARTS)[number];

export const goalGateLeaves = {
  parts: subset([...GOAL_GATE_PARTS], [...GOAL_GATE_PARTS], {
    says: "What is asked of a goal whose progress is full, always in the order of the options.",
    source: "seed 004, Goal completion gate; RULINGS U7",
  }),
  minChars: integer(200, between(0, 1_000_000, "characters"), {
    says: "An artifact shorter than this has no substance.",
    source: "seed 004, Goal completion gate; the number is the real system's",
  }),
  missesMax: integer(5, between(1, 1_000, "misses"), {
    says: "The miss that abandons the goal and deletes its files.",
    source: "seed 004, Goal completion gate; RULINGS U7",
  }),
  progressAfterMiss: integer(850_000, between(0, 999_999, "millionths"), {
    says: "Progress after a missed gate.",
    source: "RULINGS U7",
  }),
  semanticFailure: choice("miss", ["miss", "pass"], {
    says: "What a judge's answer that is unreadable, late or an error counts as.",
    source: "ours (the seed is silent); miss keeps the gate harsh",
  }),
  judgeTimeoutMs: integer(minutes(10), between(1, hours(24), "ms"), {
    says: "How long the gate waits for the judge, its turn in the model's queue included.",
    source: "ours, as long as an agent waits for its model",
  }),
  filesTimeoutMs: integer(ANSWER_WAIT_MS, between(1, hours(24), "ms"), {
    says: "How long a part of the gate waits for the files, in all.",
    source: "ours",
  }),
  judgeChars: integer(4_000, between(1, 100_000, "characters"), {
    says: "How much of the artifact the judge is shown.",
    source: "ours",
  }),
  claimsMax: integer(20, between(0, 1_000, "claims"), {
    says: "How many claims of an artifact are checked: paths it names, passages it quotes.",
    source: "ours",
  }),
  quoteMinChars: integer(1, between(1, 1_000, "characters"), {
    says: "A shorter passage in quotation marks is no claim.",
    source: "ours",
  }),
  notesMax: integer(5, between(0, 100, "notes"), {
    says: "How many of the latest things that went wrong a goal remembers.",
    source: "ours, as many as the agent keeps",
  }),
  noteChars: integer(300, between(1, 10_000, "characters"), {
    says: "Where such a note is cut.",
    source: "ours",
  }),
};

export type GoalGatePolicy = ValuesOf<typeof goalGateLeaves>;

/** The part that follows `from`, or the first one; undefined after the last. */
export function nextPart({ parts }: GoalGatePolicy, from?: GoalGatePart): GoalGatePart | undefined {
  const later = GOAL_GATE_PARTS.slice(from === undefined ? 0 : GOAL_GATE_PARTS.indexOf(from) + 1);
  return later.find((part) => parts.includes(part));
}

/** No verdict takes longer: three parts wait for the files, one of them for the judge too. */
export const longestGoalGateMs = ({ judgeTimeoutMs, filesTimeoutMs }: GoalGatePolicy): number =>
  judgeTimeoutMs + 3 * filesTimeoutMs;

/** Ours, after the seed's "no placeholder patterns" and the quality gate's list. */
const PLACEHOLDERS = ["TODO", "# placeholder", "NotImplementedError", "lorem ipsum"];

/** Why the artifact does not pass, or undefined when it does. `text` is null for no such file. */
export function mechanicalFault(
  goal: { readonly artifact: string; readonly evidence: string | null },
  text: string | null,
  policy: GoalGatePolicy,
): string | undefined {
  if (text === null) return `${goal.artifact} does not exist`;
  if ([...text].length < policy.minChars) {
    return `${goal.artifact} has less than ${policy.minChars} characters`;
  }
  const placeholder = PLACEHOLDERS.find((pattern) => text.includes(pattern));
  if (placeholder !== undefined) return `${goal.artifact} holds the placeholder "${placeholder}"`;
  if (goal.evidence !== null && !text.includes(goal.evidence)) {
    return `${goal.artifact} does not hold "${goal.evidence}"`;
  }
  return undefined;
}

/*
 * The last part of the completion gate: what an artifact says of other files is looked up there.
 * No model is asked; the grammar of a claim is in SPEC.md, GF. Source: seed 004, "Goal completion
 * gate": "claims about other files are checked against actual contents"; ruling U7.
 */

/** A path that a text names: it is there, and it holds what is quoted from it. */
export interface Mention {
  readonly path: string;
  readonly quotes: readonly string[];
}

const QUOTE = /"[^"\n]+"|“[^”\n]+”|`[^`\n]+`/u;
const END = /[.!?](?=\s|$)|\n/u;

/** What stands in a text between white space that matters; and a text that is a path alone. */
const grammarOf = onceFor((folders: FolderPolicy) => {
  const path = `(?<![\\w./-])(?:${rootsPattern(folders)})/[\\w./~@+=%-]+`;
  return {
    token: new RegExp(`${QUOTE.source}|${path}|${END.source}`, "gu"),
    onlyPath: new RegExp(`^${path}$`, "u"),
  };
});

type Limits = Pick<GoalGatePolicy, "claimsMax" | "quoteMinChars">;

/** The claims of a text about files other than `own`, in its order, at most as many as `limits` allows. */
export function mentionsIn(
  text: string,
  own: string,
  limits: Limits,
  folders: FolderPolicy = NO_FOLDERS,
): readonly Mention[] {
  const { token: tokens, onlyPath } = grammarOf(folders);
  const found = new Map<string, string[]>();
  /** The path that the sentence spoke of last. */
  let spoken: string | null = null;
  let claims = 0;
  for (const [token] of text.matchAll(tokens)) {
    if (claims >= limits.claimsMax) break;
    const quote = /^["“`]/u.test(token) ? token.slice(1, -1).trim() : null;
    const named = quote === null ? token : onlyPath.test(quote) ? quote : null;
    if (named?.startsWith("/")) {
      const path = named.replace(/[./]+$/u, "");
      // A path's own full stop ends the sentence too.
      spoken =
        isVirtualPath(path, folders) && !(quote === null && named.endsWith(".")) ? path : null;
      if (!isVirtualPath(path, folders) || path === own || found.has(path)) continue;
      found.set(path, []);
      claims += 1;
    } else if (quote === null) {
      spoken = null;
    } else {
      const quotes = found.get(spoken ?? "");
      if (quotes === undefined || quotes.includes(quote) || isShort(quote, limits)) continue;
      quotes.push(quote);
      claims += 1;
    }
  }
  return [...found].map(([path, quotes]) => ({ path, quotes }));
}

const isShort = (quote: string, { quoteMinChars }: Limits): boolean =>
  [...quote].length < quoteMinChars;

/** The first quoted passage that a file does not hold; any white space counts as one blank. */
export function quoteMissing({ quotes }: Mention, text: string): string | undefined {
  const held = flat(text);
  return quotes.find((quote) => !held.includes(flat(quote)));
}

const flat = (text: string): string => text.replace(/\s+/gu, " ");
