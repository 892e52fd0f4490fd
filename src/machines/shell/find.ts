/** find: -name, -iname, -path, -type, -maxdepth, -mindepth, -empty, -print and `!`. Sorted by name. */
import { childOf, nameOf } from "./disk.ts";
import { type Call, type Command, failed, missingErrno, pathIn } from "./session.ts";
import { wildcard } from "./wildcard.ts";

interface Found {
  readonly path: string;
  readonly shown: string;
}

interface Query {
  readonly tests: readonly ((found: Found) => boolean)[];
  readonly minDepth: number;
  readonly maxDepth: number;
}

export const find: Command = (call) => {
  const count = call.args.findIndex((word) => word.startsWith("-") || word === "!");
  const starts = count < 0 ? call.args : call.args.slice(0, count);
  const query = queryOf(call, count < 0 ? [] : call.args.slice(count));
  if (typeof query === "string") return failed(call, query);
  const { disk } = call.session;
  let code = 0;
  for (const start of starts.length === 0 ? ["."] : starts) {
    const path = pathIn(call, start);
    if (!disk.isFile(path) && !disk.isFolder(path)) {
      code = failed(call, `'${start}': ${missingErrno(call, start)}`);
    } else walk(call, query, { path, shown: start }, 0);
  }
  return code;
};

function walk(call: Call, query: Query, found: Found, depth: number): void {
  const { disk } = call.session;
  if (depth >= query.minDepth && query.tests.every((fits) => fits(found)))
    call.out(`${found.shown}\n`);
  if (depth >= query.maxDepth || !disk.isFolder(found.path)) return;
  const base = found.shown.replace(/\/$/, "");
  for (const name of disk.list(found.path)) {
    walk(call, query, { path: childOf(found.path, name), shown: `${base}/${name}` }, depth + 1);
  }
}

/** The expression, or what is wrong with it. */
function queryOf(call: Call, words: readonly string[]): Query | string {
  const tests: ((found: Found) => boolean)[] = [];
  let minDepth = 0;
  let maxDepth = Number.MAX_SAFE_INTEGER;
  let isNegated = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "!" || word === "-not") {
      isNegated = !isNegated;
      continue;
    }
    if (word === "-print" || word === "-a" || word === "-and") continue;
    if (word === "-empty") {
      tests.push(negatedIf(isNegated, ({ path }) => isEmpty(call, path)));
      isNegated = false;
      continue;
    }
    const value = words[++at];
    if (!KNOWN.includes(word)) return `unknown predicate '${word}'`;
    if (value === undefined) return `missing argument to '${word}'`;
    if (word === "-maxdepth" || word === "-mindepth") {
      if (!/^\d{1,4}$/.test(value))
        return `Expected a positive decimal integer argument to ${word}, but got '${value}'`;
      if (word === "-maxdepth") maxDepth = Number(value);
      else minDepth = Number(value);
      continue;
    }
    const test = testOf(call, word, value);
    if (test === undefined) return `Unknown argument to -type: ${value}`;
    tests.push(negatedIf(isNegated, test));
    isNegated = false;
  }
  return { tests, minDepth, maxDepth };
}

const KNOWN = ["-name", "-iname", "-path", "-type", "-maxdepth", "-mindepth"];

const negatedIf =
  (isNegated: boolean, test: (found: Found) => boolean) =>
  (found: Found): boolean =>
    test(found) !== isNegated;

function testOf(call: Call, word: string, value: string): ((found: Found) => boolean) | undefined {
  const { disk, steps } = call.session;
  if (word === "-type") {
    if (value === "f") return ({ path }) => disk.isFile(path) && !disk.isFolder(path);
    return value === "d" ? ({ path }) => disk.isFolder(path) : undefined;
  }
  if (word === "-path") {
    const fits = wildcard(value, steps);
    return ({ shown }) => fits(shown);
  }
  const isFolded = word === "-iname";
  const fits = wildcard(isFolded ? value.toLowerCase() : value, steps);
  return ({ path, shown }) => {
    const name = shown === "." || shown === ".." ? shown : nameOf(path);
    return fits(isFolded ? name.toLowerCase() : name);
  };
}

const isEmpty = ({ session: { disk } }: Call, path: string): boolean =>
  disk.isFolder(path) ? disk.list(path).length === 0 : disk.peek(path) === "";
