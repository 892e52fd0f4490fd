/** What `scenarios --new` asks on a terminal, each question with a default; on stderr, as all that is no result. */
import { intro, isCancel, select, text } from "@clack/prompts";
import { parseDuration } from "../edges/duration.ts";
import { isReserved } from "../edges/scenario/findingParts.ts";
import {
  type FirstAnswers,
  firstAnswers,
  SHORTEST,
  type Trouble,
} from "../edges/scenario/firstScenario.ts";

const AGENTS_MAX = 5;
const NAME = /^[a-z][a-z0-9-]{0,30}$/;

export const namesIn = (line: string): string[] => line.split(/[\s,]+/).filter((one) => one !== "");

/** What is wrong with an answer, in a sentence; undefined when nothing is. An empty one is the default. */
export const faults = {
  agents(line = ""): string | undefined {
    const names = namesIn(line);
    if (names.length > AGENTS_MAX) return `Up to ${AGENTS_MAX} agents, please.`;
    if (new Set(names).size < names.length) return "Each name once, please.";
    const wrong = names.find((one) => !NAME.test(one) || isReserved(one));
    return wrong === undefined
      ? undefined
      : "Names are 1 … 31 of a-z, 0-9 and -, starting with a letter, with a comma between them.";
  },
  tool(name = "", builtins: readonly string[] = []): string | undefined {
    if (builtins.includes(name)) return "The engine itself has a tool of that name.";
    return name === "" || (/^[a-z][a-z0-9_]{0,40}$/.test(name) && !isReserved(name))
      ? undefined
      : "A tool's name is 1 … 41 of a-z, 0-9 and _, starting with a letter.";
  },
  runsFor(line = ""): string | undefined {
    if (line === "") return undefined;
    const ms = parseDuration(line) ?? 0;
    const [least, most] = [parseDuration(SHORTEST) ?? 0, parseDuration("1d") ?? 0];
    return ms >= least && ms <= most
      ? undefined
      : `A duration such as 20m or 1h30m, at least ${SHORTEST} and at most 1d.`;
  },
};

type Fault = (line?: string) => string | undefined;

const output = process.stderr;

const askText = (message: string, given: string, validate: Fault, signal: AbortSignal) =>
  text({ message, placeholder: given, defaultValue: given, validate, output, signal });

const troubles = [
  { value: "silent", label: "it returns nothing, which looks like success" },
  { value: "ghost", label: "it is a ghost: a description without code" },
  { value: "nothing", label: "nothing; a ghost of it comes in a variant" },
] as const;

/** `builtins` are names that no other tool can have. Undefined when somebody leaves with Ctrl-C, Ctrl-D or Escape. */
export async function askFirst(builtins: readonly string[]): Promise<FirstAnswers | undefined> {
  const left = new AbortController();
  // Ctrl-D closes the terminal's line, and nothing would answer any more; the process has nothing else to wait for.
  const leave = (): void => left.abort();
  process.once("beforeExit", leave);
  try {
    return await answersTo(builtins, left.signal);
  } finally {
    process.off("beforeExit", leave);
  }
}

async function answersTo(
  builtins: readonly string[],
  signal: AbortSignal,
): Promise<FirstAnswers | undefined> {
  const given = firstAnswers;
  intro("A world of your own. Return takes what is shown; Ctrl-C leaves.", { output });
  const line = await askText(
    "What are the agents called?",
    given.agents.join(", "),
    faults.agents,
    signal,
  );
  if (isCancel(line)) return undefined;
  const tool = await askText(
    "Which tool do they give their pages to?",
    given.tool,
    (name) => faults.tool(name, builtins),
    signal,
  );
  if (isCancel(tool)) return undefined;
  const trouble = await select<Trouble>({
    message: "What goes wrong with it?",
    initialValue: given.trouble,
    options: [...troubles],
    output,
    signal,
  });
  if (isCancel(trouble)) return undefined;
  const runsFor = await askText(
    "For how long, in virtual time?",
    given.runsFor,
    faults.runsFor,
    signal,
  );
  if (isCancel(runsFor)) return undefined;
  const names = namesIn(line);
  return { agents: names.length === 0 ? given.agents : names, tool, trouble, runsFor };
}
