/** What is promised of agents. */
import type { PartPromises, PartWorlds } from "../../../contract/part.ts";
import type { Mail } from "../../../machines/letter.ts";
import { ownValue } from "../../../machines/ownValue.ts";
import { MILLION, seconds } from "../../../machines/units.ts";
import type { PromptProvider } from "../../../substrate/port.ts";
import { namedRandom } from "../../../substrate/random.ts";
import { agentProperties } from "./agents.ts";
import { earnedProperties } from "./earned.ts";
import { goalProperties } from "./goals.ts";
import { withInnerLife } from "./innerLife.ts";
import { lockProperties } from "./locks.ts";
import { randomWorld } from "./randomWorld.ts";
import { AgentsSeen } from "./seen.ts";
import { shellProperties } from "./shell.ts";
import { standInParser, standInPython } from "./standInPython.ts";
import { toolProperties } from "./tools.ts";
import { synthesisUnitProperties } from "./unit.ts";

const properties: PartPromises["properties"] = [
  ...lockProperties,
  ...shellProperties,
  ...earnedProperties,
  ...toolProperties,
  ...goalProperties,
  ...agentProperties,
  ...synthesisUnitProperties,
];

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

/** The agents' share of the worlds in which promises are put to the test. */
const worlds: PartWorlds = {
  random: (leaves, set) => withInnerLife(randomWorld(leaves, set), set),
  tried: (path) => {
    // In a short run, suffering has no effect unless it starts higher or grows faster.
    if (/^stressors\..*start/i.test(path)) return [400_000, 700_000, MILLION];
    return /^stressors\..*growth/i.test(path) ? [100 * MILLION] : [];
  },
  standIns: (seed) => ({
    "port/sandbox.run": standInPython(seed),
    "port/python.parse": standInParser,
    "port/shell.run": standInShell(seed),
  }),
};

export const promises: PartPromises = {
  properties,
  seen: () => ({ agents: new AgentsSeen() }),
  worlds,
};
