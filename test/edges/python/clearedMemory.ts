/** A process of its own: how often a secret of one call stands in Python's memory during and after it. */
import { interpreter, look, module } from "./guardedPython.ts";

const say = process.stdout.write.bind(process.stdout);
const quit = process.exit.bind(process);
const SECRET = "c0ffee-of-this-call";
/** Enough for memory that Python did not have when it started. */
const code = `
def tool():
    kept = ["".join(reversed("${[...SECRET].reverse().join("")}")) * 1000 for _ in range(2000)]
    return len(kept)
`;
const found = (): boolean => Buffer.from(module.HEAPU8).includes(SECRET);

const before = found();
const { result, retire } = interpreter.answer({ ...look, code });
say(JSON.stringify({ before, result, retire, after: found() }));
quit(0);
