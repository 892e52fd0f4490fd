// A study whose process is killed at drawn moments, and begun again each time.
import { namedRandom } from "../../../src/substrate/random.ts";
import { started } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { keptIn, leftIn } from "./sweptStudy.ts";

/** Else what one of them played the others would find. */
export const UNCACHED = { env: { GHOSTLIGHT_CACHE: "" } };

const ended = (child: ReturnType<typeof started>): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => child.on("exit", (_code, signal) => resolve(signal)));

/** At most so many kills: fewer where the study is over before. Then it is played to its end. */
export async function killedSweep(file: string, killsMost: number, withinMs: number) {
  const folder = newFolder();
  const random = namedRandom(Number(process.env["GHOSTLIGHT_TEST_SEED"] ?? 1));
  const begin = () => {
    const child = started(["sweep", file, "--out", folder, "--workers", "2"], UNCACHED);
    child.stdout.resume();
    child.stderr.resume();
    return child;
  };
  let kills = 0;
  /** Runs that were kept after each kill: none of them may be played again. */
  const kept: string[][] = [];
  while (kills < killsMost) {
    const child = begin();
    const over = ended(child);
    const afterMs = random.at("test", "kill", kills).integer(0, withinMs);
    const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
    const signal = await over;
    clearTimeout(timer);
    if (signal !== "SIGKILL") break;
    kills++;
    kept.push(doneIn(folder));
  }
  const last = await ended(begin());
  return { folder, kills, kept, last };
}

/** None while there is no table. */
function doneIn(folder: string): string[] {
  try {
    return keptIn(folder)
      .filter(({ state }) => state === "done")
      .map((row) => JSON.stringify(row));
  } catch {
    return [];
  }
}

/** What must be alike of a study that was killed and of one that was not. */
export const whole = (folder: string) => ({ kept: keptIn(folder), left: leftIn(folder) });
