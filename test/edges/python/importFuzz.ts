/**
 * A process of its own: real Python behind the guard, of whose imports each of those in its argument is
 * called between two calls of a tool, with wrong arguments. Prints a line of JSON for each, until one
 * uses the process up; `rest` are those that were not called.
 */
import fc from "fast-check";
import { guard, type Imported, imports, interpreter, look, module } from "./guardedPython.ts";

const say = process.stdout.write.bind(process.stdout);
const quit = process.exit.bind(process);
const [wanted = "[]", seed = "1"] = process.argv.slice(2);

const answer = (): string => JSON.stringify(interpreter.answer(look));

const odd = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.integer({ min: -8, max: 70 }),
  fc.constantFrom(0, 1, 2, 3, -1, -100, 0x7fffffff, 0x10000, 1 << 20, Number.NaN),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 1n, -1n),
  fc.double(),
);
const TRIES = 12;

const before = answer();
const memory = module.HEAPU8.slice(); // What each call starts from.
const names = JSON.parse(wanted) as string[];
if (names.length === 0) {
  say(`${JSON.stringify({ all: Object.keys(imports) })}\n`);
  quit(0);
}
let rest: readonly string[] = names;
for (const [index, name] of names.entries()) {
  const draws = fc.sample(fc.array(odd, { maxLength: 7 }), { seed: Number(seed), numRuns: TRIES });
  const { isSpent, said } = calledWith(imports[name] as Imported, draws);
  module.HEAPU8.set(memory);
  const isChanged = !isSpent && answer() !== before;
  say(`${JSON.stringify({ name, isSpent, isChanged, said })}\n`);
  rest = names.slice(index + 1);
  if (isSpent || isChanged) break;
}
say(`${JSON.stringify({ rest })}\n`);
quit(0);

/** At a wrong time: no call of Python is under way. Ends at the first that uses the process up. */
function calledWith(imported: Imported, draws: readonly unknown[][]) {
  const said = new Set<string>();
  let isSpent = false;
  for (const given of draws) {
    guard.begin(look);
    try {
      said.add(typeof imported(...given));
    } catch (error) {
      said.add(error instanceof Error ? error.constructor.name : "thrown");
    }
    isSpent = guard.end().spent;
    if (isSpent) break;
  }
  return { isSpent, said: [...said] };
}
