// A study whose process is killed at drawn moments, and begun again each time.
import { namedRandom } from "../../../src/substrate/random.ts";
import { ghostlight, started } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import type { StudyCommand } from "./kindsOfStudy.ts";
import { keptIn, leftIn } from "./sweptStudy.ts";

/** Else what one of them played the others would find. */
export const UNCACHED = ["--cache", "none"] as const;

/**
 * Longer than a process takes to start, on a busy machine too: some are killed before, most while they play. Where one is over
 * before, the machine is quick, and half as long is enough for the next.
 */
const WITHIN_MS = 2_000;

type Child = ReturnType<typeof started>;

const ended = (child: Child): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => child.on("exit", (_code, signal) => resolve(signal)));

export function begun(command: StudyCommand, file: string, folder: string): Child {
  const child = started([command, file, "--out", folder, "--workers", "1", ...UNCACHED]);
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

/** Where a study is over before so many kills, the next folder is begun. All of them are whole in the end. */
export async function killedStudies(
  command: StudyCommand,
  file: string,
  kills: number,
  first: string = newFolder(),
) {
  const random = namedRandom(Number(process.env["GHOSTLIGHT_TEST_SEED"] ?? 1));
  const folders = [first];
  /** Runs that were lost from a table, or changed in it, by a kill. */
  const lost: string[] = [];
  let kept: readonly string[] = doneIn(first);
  for (let killed = 0, tried = 0, withinMs = WITHIN_MS; killed < kills; tried++) {
    const folder = folders.at(-1) ?? "";
    const child = begun(command, file, folder);
    const over = ended(child);
    const afterMs = random.at("test", "kill", tried).integer(0, withinMs);
    const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
    const signal = await over;
    clearTimeout(timer);
    const now = doneIn(folder);
    lost.push(...kept.filter((row) => !now.includes(row)));
    kept = now;
    if (signal === "SIGKILL") killed++;
    else {
      withinMs = Math.ceil(withinMs / 2);
      folders.push(newFolder());
      kept = [];
    }
  }
  const last = folders.at(-1) ?? "";
  await ghostlight([command, file, "--out", last, "--workers", "1", ...UNCACHED]);
  return { folders, lost };
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
