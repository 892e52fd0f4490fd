/** Scripted stand-ins for the sandbox and the embedding model; labelled so in every manifest. */
import type { Json, Mail } from "../machines/letter.ts";
import { embed } from "./hashedEmbedding.ts";
import type { PromptProvider, Provider } from "./port.ts";
import type { NamedRandom } from "./random.ts";

/** Ours: a small script starts and returns within this. */
const SANDBOX_MS = { least: 20, most: 200 };
/** Ours: a small embedding model on the same machine. */
const EMBED_MS = { least: 10, most: 60 };

/** The code of a tool that a scenario lists with what it returns. */
export const standIn = (tool: string): string =>
  `def ${tool}(**kwargs):\n    return scripted("${tool}", kwargs)\n`;

/**
 * Answers a call of a tool that the scenario lists with what it says; everything else is real code
 * and goes to `python`. Throws NeedsPython where there is none.
 */
export const scriptedSandbox = (
  returns: { readonly [tool: string]: Json },
  random: NamedRandom,
  python?: Provider<"sandbox.run">,
): Provider<"sandbox.run"> => ({
  answer(request) {
    const { from, nth, event } = request;
    const { name: tool, code } = event;
    const isStandIn = Object.hasOwn(returns, tool) && code === standIn(tool);
    if (!isStandIn) {
      if (python === undefined) throw new NeedsPython(tool);
      return python.answer(request);
    }
    const latencyMs = random
      .at(from, `sandbox ${tool}`, nth)
      .integer(SANDBOX_MS.least, SANDBOX_MS.most);
    const result = returns[tool] ?? null;
    const said: Mail["sandbox.replied"] = { ok: true, result, isNone: result === null };
    return { event: { type: "sandbox.replied", ...said }, latencyMs };
  },
});

/** The run has come to code that an agent wrote, and there is no Python here that reads or runs it. */
export class NeedsPython extends Error {
  override readonly name = "NeedsPython";
  /** The function that was to be called, or the address of the actor that wanted a text read. */
  readonly tool: string;
  constructor(tool: string) {
    super(
      `${tool} is written in Python: this run needs a sandbox behind port/sandbox.run and port/python.parse`,
    );
    this.tool = tool;
  }
}

/** A shell has no stand-in: what a command line does depends on all there is. */
export const noShell: Provider<"shell.run"> = {
  answer: ({ event }) => {
    throw new NeedsShell(event.command);
  },
};

/** The run has come to a command line of an agent, and no provider here can run it. */
export class NeedsShell extends Error {
  override readonly name = "NeedsShell";
  readonly command: string;
  constructor(command: string) {
    super("an agent calls shell_exec: this run needs a shell behind port/shell.run");
    this.command = command;
  }
}

/** Only CPython says what CPython takes, so nothing stands in for it: throws NeedsPython. */
export const noParser: PromptProvider<"python.parse"> = {
  answer({ from }) {
    throw new NeedsPython(`a text of ${from}`);
  },
};

/** Hashed lexical vectors, 256 whole numbers each. */
export const scriptedEmbedding = (
  terms: (text: string) => readonly string[],
  random: NamedRandom,
): PromptProvider<"llm.embed"> => ({
  answer({ from, purpose, nth, event: { texts } }) {
    const vectors = Object.fromEntries(texts.map((text) => [text, embed(text, terms)]));
    const latencyMs = random
      .at(from, `embed ${purpose}`, nth)
      .integer(EMBED_MS.least, EMBED_MS.most);
    return { event: { type: "embed.replied", vectors }, latencyMs };
  },
});
