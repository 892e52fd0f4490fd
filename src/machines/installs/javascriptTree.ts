/** A JavaScript text as acorn's tree, in the order of the walk, each node with those above it. */
import { type AnyNode, type Options, type Program, parse, type Token, tokenizer } from "acorn";
import { fullAncestor } from "acorn-walk";

/** How many nodes above one are of interest. */
const ABOVE = 8;

export interface Placed {
  readonly node: AnyNode;
  readonly above: readonly AnyNode[];
}

const OPTIONS: Options = {
  ...{ ecmaVersion: "latest", locations: true, allowReturnOutsideFunction: true },
  ...{ allowAwaitOutsideFunction: true, allowImportExportEverywhere: true, allowHashBang: true },
  allowSuperOutsideMethod: true,
};

/** Ours: so far below the end of a call stack that no host decides whether a text is read. */
const NESTING_MAX = 400;
/** Of a tree: what a parser reads in a loop, such as `a.b.b.b`, is deep all the same to whoever walks it. */
const DEPTH_MAX = 600;
const TOO_DEEP = "it is nested too deeply";
const BRACKET = 3;
const OPENS = new Set(["(", "[", "{", "${"]);
const CLOSES = new Set([")", "]", "}"]);
const PARTS = new Set([",", ";", "var", "const", "return", "throw"]);
/** Labels of tokens that may end an expression, and of words that go on with one. */
const ENDS = new Set(
  "name num string regexp privateId ` ) ] } this null true false super".split(" "),
);
const INFIX = new Set(["in", "instanceof"]);
/** Labels of tokens that neither open nor deepen anything; names and values among them. */
const QUIET = new Set(
  (
    "name num string template invalidTemplate regexp privateId ` . ?. : this null true false super eof " +
    "function class import export"
  ).split(" "),
);

export function javascriptTree(
  text: string,
): { readonly program: Program; readonly placed: readonly Placed[] } | { readonly error: string } {
  if (isDeep(text)) return { error: TOO_DEEP };
  let error = "";
  for (const sourceType of ["module", "script"] as const) {
    try {
      const program = parse(text, { ...OPTIONS, sourceType });
      if (isDeepTree(program)) return { error: TOO_DEEP };
      return { program, placed: placedOf(program) };
    } catch (thrown) {
      // The stack of any host reads more than what is refused above.
      if (isStackFull(thrown)) return { error: TOO_DEEP };
      error ||= thrown instanceof Error ? thrown.message : "it could not be read";
    }
  }
  return { error };
}

const isStackFull = (thrown: unknown): boolean =>
  thrown instanceof RangeError || (thrown instanceof Error && /stack space/.test(thrown.message));

function isDeepTree(program: Program): boolean {
  let level: readonly object[] = [program];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap(nodesIn);
  }
  return false;
}

/** The nodes right below one, whatever its members are called. */
const nodesIn = (node: object): readonly object[] =>
  Object.values(node)
    .flat()
    .filter(
      (one: unknown): one is object => typeof one === "object" && one !== null && "type" in one,
    );

function placedOf(program: Program): readonly Placed[] {
  const placed: Placed[] = [];
  fullAncestor(program, (node, _, ancestors, type) => {
    // A name that is given a value is not read.
    if (type !== "VariablePattern") placed.push({ node, above: ancestors.slice(-1 - ABOVE, -1) });
  });
  return placed;
}

/** Whether brackets and operators stand so deep in one another that a parser's stack might not do. */
function isDeep(text: string): boolean {
  const levels = [0];
  let total = 0;
  let before: Token | null = null;
  try {
    for (const token of tokenizer(text, { ...OPTIONS, sourceType: "module" })) {
      const { type } = token;
      if (isNewStatement(before, token)) {
        total -= levels.at(-1) ?? 0;
        levels[levels.length - 1] = 0;
      }
      before = token;
      const here = levels.at(-1) ?? 0;
      if (OPENS.has(type.label)) {
        levels.push(0);
        total += BRACKET;
      } else if (CLOSES.has(type.label) && levels.length > 1) {
        levels.pop();
        total -= BRACKET + here;
      } else if (PARTS.has(type.label)) {
        levels[levels.length - 1] = 0;
        total -= here;
      } else if (!QUIET.has(type.label)) {
        levels[levels.length - 1] = here + 1;
        total += 1;
      }
      if (total > NESTING_MAX) return true;
    }
  } catch {
    // What is no token is no JavaScript either: the parser says where.
  }
  return false;
}

/** Where no semicolon stands and none is needed: a name or a word on a new line, after what ended an expression. */
const isNewStatement = (before: Token | null, { type, loc }: Token): boolean =>
  before !== null &&
  before.loc?.end.line !== loc?.start.line &&
  ENDS.has(before.type.label) &&
  (type.label === "name" || (type.keyword !== undefined && !INFIX.has(type.label)));
