/** An agent that speaks for a tool: its plain message holds what looks like a result, or tells of a call that never was. */
import { TEXT_CHARS_MAX } from "../contract/plainValue.ts";
import type { WordSaid } from "../contract/trace.ts";
import { type Finding, placeOf, type Watcher } from "./finding.ts";
import { KeptMap } from "./keptMap.ts";
import { ToolCatalogue } from "./toolCatalogue.ts";
import { toolsNamedIn } from "./toolNames.ts";
import { quotedText } from "./valueText.ts";

export const speaksForTool: Finding = {
  id: "speaks-for-tool",
  says: "An agent wrote in a plain message what only a tool can say, or told of a call that it never made.",
  source: "ours; the forms are those of AutoGen, ReAct prompts, Anthropic's and Qwen's templates",
  looksAt: ["said"],
  find: () => watcher(),
};

/** How results look where runtimes write them into texts. */
const RESULTS = [
  // At the beginning alone: a message that quotes what a program printed speaks of it.
  /^\s*exitcode: \d+ \(execution (succeeded|failed)\).*/,
  /^[ \t>*]*(observation|(tool|function)[ _](result|output|response))[*]*:[ \t]*\S.*/im,
  /<(tool_response|tool_result|tool_output|function_results?|function_response)>.*/i,
  /^```(tool_(result|output|response)|stdout)\b.*/im,
  /^\s*\{\s*"(role"\s*:\s*"tool"|tool_call_id"|tool_use_id").*/i,
];

/** A call that its speaker tells of as done; of what is called by a name, others speak. */
const TOLD =
  /(\b(I|we)(['’]ve| have)?( (just|now|then|also|already|successfully))*|(^|[.!;:\n])\s*) ?(called|ran|run|executed|invoked|queried|used) (the )?(tool |function )?[`"'*]*$/i;

function watcher(): Watcher {
  const catalogue = new ToolCatalogue();
  /** By agent and tool. */
  const made = new KeptMap<string, true>();
  /** Lines that look like results and were there already: who says them again quotes them. */
  const quoted = new KeptMap<string, true>();
  const keyOf = (agent: string, tool: string): string => JSON.stringify([agent, tool]);
  return {
    offered: (fact) => void catalogue.add(fact),
    called: ({ agent, tool }) => void made.set(keyOf(agent, tool), true),
    said: (fact) => {
      const { speaker: agent } = fact;
      const result = resultIn(fact);
      const isQuoted = result !== null && quoted.has(result.trim());
      if (result !== null) quoted.set(result.trim(), true);
      if (fact.role !== "agent") return [];
      if (result !== null && !isQuoted) {
        const says = `${agent} wrote in a plain message what looks like the result of a tool: ${quotedText(result)}.`;
        return [{ ...placeOf(fact), tool: null, agent, says, related: [] }];
      }
      const claims = claimsIn(fact, catalogue);
      const tool = claims.find((name) => !made.has(keyOf(agent, name)));
      if (tool === undefined) return [];
      const says = `${agent} told of a call of ${tool} that it had not made: ${quotedText(around(fact.text, tool))}.`;
      return [{ ...placeOf(fact), tool, agent, says, related: [] }];
    },
  };
}

function resultIn({ text }: WordSaid): string | null {
  const whole = text.slice(0, TEXT_CHARS_MAX);
  for (const form of RESULTS) {
    const [found] = form.exec(whole) ?? [];
    if (found !== undefined) return found;
  }
  return null;
}

const claimsIn = ({ text }: WordSaid, catalogue: ToolCatalogue): readonly string[] =>
  toolsNamedIn(text, catalogue.has).filter((tool) => {
    const at = text.indexOf(tool);
    return TOLD.test(text.slice(Math.max(0, at - BEFORE_CHARS), at));
  });

/** Longer than the words that tell of a call. */
const BEFORE_CHARS = 40;

const around = (text: string, tool: string): string =>
  text.slice(Math.max(0, text.indexOf(tool) - BEFORE_CHARS));
