/** Events with everything they carry, and model calls with what was asked and answered, for people. */
import { escapedLine, quotedBlock } from "../edges/escapedText.ts";
import type { ModelCall } from "../run/modelCalls.ts";
import type { Delivery } from "../substrate/envelope.ts";

const INDENT = "    ";

/** Every member of the event, and of a question to a model the prompt that was made of it. */
export function payloadText({ seq, event }: Delivery, call: ModelCall | undefined): string {
  const { type: _, ...members } = event;
  const shown = Object.entries(members).map(([name, value]) => memberText(name, value));
  if (call?.seq === seq) shown.push(promptBlock(call));
  return shown.join("\n");
}

function memberText(name: string, value: unknown): string {
  const label = `${INDENT}${escapedLine(name)}:`;
  if (typeof value !== "string") return `${label} ${escapedLine(JSON.stringify(value))}`;
  return value.includes("\n")
    ? `${label}\n${quotedBlock(value, INDENT)}`
    : `${label} ${escapedLine(JSON.stringify(value))}`;
}

/** What a model was asked and what it answered. */
export function callText(call: ModelCall): string {
  const { answerSeq, answer, error } = call;
  const said =
    answer !== null
      ? `${INDENT}answered (#${answerSeq}):\n${quotedBlock(answer, INDENT)}`
      : answerSeq === null
        ? `${INDENT}not answered in this run`
        : `${INDENT}failed (#${answerSeq}): ${escapedLine(error ?? "no reason given")}`;
  return `${promptBlock(call)}\n${said}`;
}

function promptBlock({ seq, from, purpose, nth, prompt }: ModelCall): string {
  const head = `${INDENT}asked by ${from} (${purpose}, call ${nth}, #${seq}):`;
  return prompt === null
    ? `${head} in words that this version does not put as they were recorded, and so does not show`
    : `${head}\n${quotedBlock(prompt, INDENT)}`;
}
