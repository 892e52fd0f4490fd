/**
 * A tool that takes calls meant for another. Three signs: the arguments break its schema and fit exactly one other's; the
 * words of the call name another tool; or another tool has served calls of the kind, with answers of one form,
 * and this one answers with nothing or with something else altogether.
 */
import { failureOf } from "../contract/failure.ts";
import { isNothing } from "../contract/nothing.ts";
import { isMap } from "../machines/isMap.ts";
import type { Json } from "../machines/letter.ts";
import { readJson } from "../machines/readJson.ts";
import { terms } from "../machines/stemmer.ts";
import {
  type Exchange,
  type Finding,
  type Found,
  placeOf,
  type ServedCall,
  type Watcher,
} from "./finding.ts";
import { KeptMap } from "./keptMap.ts";
import { SERVED_LEAST } from "./thresholds.ts";
import { ToolCatalogue } from "./toolCatalogue.ts";
import { toolsNamedIn } from "./toolNames.ts";
import { quotedText } from "./valueText.ts";

export const takesOthersCalls: Finding = {
  id: "takes-others-calls",
  says: "A tool took a call that was meant for another.",
  source: "seed 000: safe_file_executor took the calls of fs_write; ours: how it is known",
  looksAt: ["offered", "called"],
  find: () => watcher(),
};

/** Who serves calls of one kind, and how it answers. */
interface Served {
  readonly tool: string;
  readonly form: readonly string[];
  readonly times: number;
  readonly last: number;
}

function watcher(): Watcher {
  const catalogue = new ToolCatalogue();
  const kinds = new KeptMap<string, Served>();
  /** Places of calls without a result yet: one that was refused was taken by nobody. */
  const open = new KeptMap<number, Found>();
  return {
    offered: (fact) => void catalogue.add(fact),
    called: (fact) => {
      const { tool, agent } = fact;
      const says = misfit(fact, catalogue) ?? misnamed(fact, catalogue);
      if (says === null) return [];
      const [, forgotten] =
        open.set(fact.seq, { ...placeOf(fact), tool, agent, says, related: [] }) ?? [];
      return forgotten === undefined ? [] : [forgotten];
    },
    returned: (exchange) => {
      const { call } = exchange.returned;
      const waited = open.get(call);
      open.delete(call);
      const isTaken = waited !== undefined && failureOf(exchange.returned) === null;
      return [...(isTaken ? [waited] : []), ...taken(exchange, kinds)];
    },
    refused: ({ returned }) => {
      open.delete(returned.call);
    },
    ended: () => [...open.values()],
  };
}

function misfit({ agent, tool, args }: ServedCall, catalogue: ToolCatalogue): string | null {
  const fault = isMap(args) ? catalogue.faultOf(tool, args) : null;
  if (fault === null || !isMap(args)) return null;
  const other = catalogue.onlyTaker(args);
  return other === undefined
    ? null
    : `${tool} took a call of ${agent} whose arguments fit ${other} and no other tool: ${fault}`;
}

function misnamed({ agent, tool, intent }: ServedCall, catalogue: ToolCatalogue): string | null {
  if (intent === null) return null;
  const named = toolsNamedIn(intent, catalogue.has);
  const [other] = named;
  return named.length === 1 && other !== undefined && other !== tool
    ? `${tool} took a call in which ${agent} asked for ${other}: ${quotedText(intent)}.`
    : null;
}

function taken({ returned, call }: Exchange, kinds: KeptMap<string, Served>): readonly Found[] {
  if (call === null || call.intent === null || failureOf(returned) !== null) return [];
  const { tool, agent, result, seq } = returned;
  const kind = kindOf(call.intent, call.args);
  const served = kinds.get(kind);
  const form = formOf(result);
  if (served === undefined || served.tool === tool || served.times < SERVED_LEAST) {
    const times = served?.tool === tool ? served.times + 1 : 1;
    if (form.length > 0) kinds.set(kind, { tool, form, times, last: seq });
    return [];
  }
  // One that answers as the other does stands in for it.
  if (form.some((part) => served.form.includes(part))) return [];
  const what = form.length === 0 ? "nothing" : `${formText(form)} instead`;
  const says =
    `${tool} took a call of the kind that ${served.tool} served ${served.times} times, ` +
    `${quotedText(call.intent)}: ${served.tool} returned ${formText(served.form)}, and ${tool} ${what}.`;
  return [{ ...placeOf(returned), tool, agent, says, related: [call.seq, served.last] }];
}

/** Calls that ask for the same in words, with arguments of the same names, are of one kind. */
function kindOf(intent: string, args: Json): string {
  const words = [...new Set(terms(intent.slice(0, INTENT_CHARS_MAX)))].filter(
    (word) => !/\d/.test(word),
  );
  const names = isMap(args) ? Object.keys(args) : [];
  return `${words.sort().join(" ")} (${names.sort().join(" ")})`;
}

/** Ours: an intent is a sentence. */
const INTENT_CHARS_MAX = 400;

/** Of what a result is made: names of members, or its type; nothing for nothing. */
function formOf(result: Json): readonly string[] {
  if (isNothing(result)) return [];
  if (typeof result === "string") {
    const inner = /^\s*[{[]/.test(result) ? readJson(result) : undefined;
    return inner === undefined ? ["a text"] : formOf(inner);
  }
  if (Array.isArray(result)) return ["a list"];
  return isMap(result) ? Object.keys(result).sort() : [`a ${typeof result}`];
}

const formText = (form: readonly string[]): string =>
  form.length > FORM_NAMES_MAX ? `${form.slice(0, FORM_NAMES_MAX).join(", ")}, …` : form.join(", ");

/** Ours: what a sentence can hold. */
const FORM_NAMES_MAX = 6;
