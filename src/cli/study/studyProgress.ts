/** What a person sees while many runs are played or read: how far it is, how fast, and how long it still takes. */
import { span } from "../../edges/duration.ts";
import { note, progress } from "../output.ts";

/** Ours: characters of the bar. */
const BAR_CHARS = 24;
/** Ours: a rate of fewer runs says nothing yet. */
const RATE_RUNS_LEAST = 2;

/** On a terminal in place, elsewhere a plain line at every tenth. */
export function studyProgress(
  name: string,
  nowMs: () => number = () => performance.now(),
  what = "runs",
): (done: number, total: number) => void {
  /** When the first of them were over: before that, threads start. */
  let since = { ms: 0, done: 0 };
  let told = 0;
  /** Of rounds that are over: a search, and a rule that ends replicates, ask for more runs by what came of these. */
  let [before, rounds, last] = [0, 0, 0];
  return (ofRound, allOfRound) => {
    if (ofRound === 0) {
      [before, rounds] = [before + last, rounds + (allOfRound > 0 ? 1 : 0)];
      [told, last] = [0, allOfRound];
    }
    const [done, total] = [before + ofRound, before + allOfRound];
    if (done <= 1) since = { ms: nowMs(), done };
    if (allOfRound === 0) return;
    const tenth = Math.floor((ofRound * 10) / allOfRound);
    if (process.stderr.isTTY) progress(`${name} ${bar(done, total)} ${counts()}`);
    else if (tenth > told) note(`${name}: ${counts()}`);
    told = Math.max(told, tenth);

    function counts(): string {
      const seconds = (nowMs() - since.ms) / 1_000;
      const rate = (done - since.done) / Math.max(seconds, 0.001);
      const ofThese = rounds > 1 ? ` of round ${rounds}` : "";
      const left = Math.ceil((total - done) / Math.max(rate, 0.001));
      const speed =
        done < RATE_RUNS_LEAST
          ? ""
          : ` · ${rate.toPrecision(3)} ${what}/s · ${span(left * 1_000)} left${ofThese}`;
      return `${done} of ${total} ${what}${speed}`;
    }
  };
}

function bar(done: number, total: number): string {
  const full = Math.floor((done * BAR_CHARS) / total);
  return `[${"=".repeat(full)}${" ".repeat(BAR_CHARS - full)}]`;
}
