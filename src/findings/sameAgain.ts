/** The same call again, with the same arguments and the same result. */
import type { ToolCalled } from "../contract/trace.ts";
import type { Json } from "../machines/letter.ts";
import type { Exchange, Finding, Watcher } from "./finding.ts";
import { placeOf } from "./finding.ts";
import { KeptMap } from "./keptMap.ts";
import { SAME_WITHIN_CALLS } from "./thresholds.ts";
import { exactText, quotedText } from "./valueText.ts";

interface Done {
  readonly tool: string;
  /** Of the arguments and of the result. */
  readonly asked: string;
  readonly answered: string;
  readonly seq: number;
  /** How often it was done, this time included. */
  readonly times: number;
}

export const sameAgain: Finding = {
  id: "same-again",
  says: `An agent repeated one of its last ${SAME_WITHIN_CALLS} calls with the same arguments, and got the same result.`,
  source: "ours; loops of this kind are named in most studies of failed agents",
  looksAt: ["called", "returned"],
  find: () => watcher(),
};

function watcher(): Watcher {
  const lately = new KeptMap<string, readonly Done[]>();
  return {
    returned: ({ returned, call }) => {
      const done = call === null ? null : doneIn(returned, call);
      if (call === null || done === null) return [];
      const { agent, tool } = returned;
      const before = lately.get(agent) ?? [];
      const last = before.findLast(
        (one) => one.tool === tool && one.asked === done.asked && one.answered === done.answered,
      );
      const times = (last?.times ?? 0) + 1;
      lately.set(agent, [...before, { ...done, times }].slice(-SAME_WITHIN_CALLS));
      if (last === undefined) return [];
      const often = times === 2 ? "a second time" : `for the ${ordinal(times)} time`;
      const asked = quotedText(call.raw ?? valueText(call.args));
      const answered = quotedText(returned.error ?? valueText(returned.result));
      const says = `${agent} called ${tool} ${often} with the same arguments, ${asked}, and got the same ${returned.error === null ? "result" : "error"}, ${answered}.`;
      return [{ ...placeOf(returned), tool, agent, says, related: [last.seq, call.seq] }];
    },
  };
}

function doneIn(returned: Exchange["returned"], call: ToolCalled): Omit<Done, "times"> | null {
  const asked = call.raw ?? exactText({ args: call.args, intent: call.intent });
  const answered = exactText({ result: returned.result, error: returned.error });
  return asked === null || answered === null
    ? null
    : { tool: returned.tool, asked, answered, seq: returned.seq };
}

/** Neither is nested without end: it was compared. */
const valueText = (value: Json): string =>
  typeof value === "string" ? value : JSON.stringify(value);

function ordinal(count: number): string {
  const isTeen = count % 100 > 10 && count % 100 < 14;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${ending}`;
}
