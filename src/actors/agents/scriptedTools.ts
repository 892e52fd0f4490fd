/** Scripted stand-ins for the tools that a scenario lists; labelled so in every manifest. */
import type { Json, Mail } from "../../machines/letter.ts";
import type { Provider } from "../../substrate/port.ts";
import type { NamedRandom } from "../../substrate/random.ts";
import { NeedsPython, NeedsShell } from "../needsHost.ts";

/** Ours: a small script starts and returns within this. */
const SANDBOX_MS = { least: 20, most: 200 };

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

/** A shell has no stand-in: what a command line does depends on all there is. */
export const noShell: Provider<"shell.run"> = {
  answer: ({ event }) => {
    throw new NeedsShell(event.command);
  },
};
