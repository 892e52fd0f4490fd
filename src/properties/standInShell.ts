/**
 * A stand-in for the shell, so that a check plays hundreds of worlds in seconds: it knows `echo`, with
 * `> PATH`, and `cat PATH`. Labelled so in every manifest. Ours.
 */
import type { Mail } from "../machines/letter.ts";
import { ownValue } from "../machines/ownValue.ts";
import { seconds } from "../machines/units.ts";
import type { PromptProvider } from "../substrate/port.ts";
import { namedRandom } from "../substrate/random.ts";

/** Ours: a command may take long enough for another agent's write to come between. */
const LATENCY_MS = { least: 1, most: seconds(5) };

export function standInShell(seed: number): PromptProvider<"shell.run"> {
  const random = namedRandom(seed);
  return {
    answer: ({ from, purpose, nth, event }) => ({
      event: { type: "shell.replied", ...ranBy(event) },
      latencyMs: random
        .at(from, `stand-in shell ${purpose}`, nth)
        .integer(LATENCY_MS.least, LATENCY_MS.most),
    }),
  };
}

function ranBy({ command, cwd, files }: Mail["shell.run"]): Mail["shell.replied"] {
  const at = (path: string): string => (path.startsWith("/") ? path : `${cwd}/${path}`);
  const echo = /^echo ([^<>|&;$`]*?)(?: > (\S+))?$/.exec(command);
  const cat = /^cat (\S+)$/.exec(command)?.[1];
  if (echo !== null) {
    const [, words = "", target] = echo;
    const text = `${words}\n`;
    if (target === undefined) return ended(0, text, "");
    const path = at(target);
    const created = ownValue(files, path) === undefined ? [path] : [];
    return { ...ended(0, "", ""), changed: { [path]: text }, created };
  }
  if (cat === undefined)
    return ended(127, "", `sh: a stand-in knows echo and cat only: ${command}`);
  const text = ownValue(files, at(cat));
  if (text === undefined) return ended(1, "", `cat: ${cat}: No such file or directory\n`);
  return { ...ended(0, text, ""), reads: [at(cat)] };
}

const ended = (exitCode: number, stdout: string, stderr: string) => ({ exitCode, stdout, stderr });
