/** What stands in a log, in words; texts are cut, and what is inferred says so. */
import { countOf } from "../../contract/countOf.ts";
import { emptyText } from "../../contract/nothing.ts";
import type { Words } from "../../contract/words.ts";
import { cutText } from "../../machines/cutText.ts";
import type { Json, MailOf } from "../../machines/letter.ts";
import { errorIn } from "./errorText.ts";
import { type Fault, isFault } from "./linker.ts";
import { followed, inferredText } from "./links.ts";

/** Characters that are shown. */
const most = { text: 200, value: 160, name: 60 } as const;

export const words: Words = {
  "log.opened": ({ log, format, file, clock }) =>
    `The log ${name(log)} begins (${format}, ${name(file)})` +
    (clock === "steps" ? "; it has no times, so each record counts one second." : "."),
  "log.said": (event) => `${saidText(event)}${inferred(event)}.`,
  "log.called": (event) => {
    const { agent, tool, args, raw } = event;
    const given = raw === null ? valueText(args) : `${textIn(raw)}, which is no JSON`;
    return `${name(agent)} called ${name(tool)} with ${given}${inferred(event)}.`;
  },
  "log.returned": (event) => `${returnedText(event)}${inferred(event)}.`,
  "log.offered": ({ tool, description }) =>
    `The tool ${name(tool)} was offered${description === null ? "" : `: ${textIn(description)}`}.`,
  "log.judged": judgedText,
  "log.noted": (event) => {
    const { who, what, data } = event;
    if (isFault(event)) return faultText(event.data);
    const more = data === null ? "" : `, ${valueText(data)}`;
    return `${who === null ? "The log notes" : `Of ${name(who)} the log notes`} ${name(what)}${more}.`;
  },
  "log.closed": ({ records, forgotten }) => {
    const kinds = Object.entries(forgotten).map(([what, count]) => `${what}: ${count}`);
    const lost = kinds.length === 0 ? "" : ` Beyond the bounds of the import, ${kinds.join(", ")}.`;
    return `The log ends after ${countOf(records, "record")}.${lost}`;
  },
};

const faultText = ({ fault, at, instead }: Fault): string =>
  `the fault ${name(fault)} was put at ${name(at)}` +
  `${instead === undefined ? "" : `, in place of ${valueText(instead)}`}.`;

const inferred = ({ links }: Pick<MailOf<"log.said">, "links">): string =>
  inferredText(followed(links));

/** The text that a label of the picture shows, too. */
export function saidText({ speaker, to, text }: MailOf<"log.said">): string {
  const whom = to === null ? "" : ` to ${name(to)}`;
  return text.trim() === ""
    ? `${name(speaker)} said nothing in words${whom}`
    : `${name(speaker)} said${whom}: ${textIn(text)}`;
}

export function returnedText(event: MailOf<"log.returned">): string {
  const { caller, tool, result } = event;
  const whom = caller === null ? "" : ` to ${name(caller)}`;
  const fault = errorIn(event);
  if (fault !== null) {
    const verb = fault.stated ? "failed" : "returned what reads as an error";
    const whose = fault.stated ? whom.replace(" to ", " for ") : whom;
    const text = fault.text.trim() === "" ? "without a reason" : textIn(fault.text);
    return `${name(tool)} ${verb}${whose}: ${text}`;
  }
  const empty = emptyText(result);
  return empty === null
    ? `${name(tool)} returned${whom} ${valueText(result)}`
    : `${name(tool)} returned ${empty}${whom}`;
}

function judgedText({ reward, success, mistake }: MailOf<"log.judged">): string {
  const said = [
    ...(success === null ? [] : [success ? "that it succeeded" : "that it failed"]),
    ...(reward === null ? [] : [`the reward ${reward}`]),
  ];
  const verdict = said.length === 0 ? "" : `Judges of the log say ${said.join(" and ")}.`;
  if (mistake === null) return verdict === "" ? "The log was judged." : verdict;
  const { agent, step, reason } = mistake;
  const where = step === null ? "an unnamed step" : `step ${step}`;
  const whose = agent === null ? "" : ` of ${name(agent)}`;
  const why = reason === null ? "" : `: ${textIn(reason)}`;
  return `${verdict}${verdict === "" ? "" : " "}People marked ${where}${whose} as the mistake${why}.`;
}

const name = (text: string): string => cutName(text.replaceAll(/\s+/g, " ").trim());
const cutName = (text: string): string =>
  text === "" ? '""' : `${cutText(text, most.name)}${text.length > most.name ? "…" : ""}`;

/** On one line, cut, and in quotes where it is not set off by brackets of its own, as JSON is. */
function textIn(text: string): string {
  const line = text.slice(0, LOOKED_AT).replaceAll(/\s+/g, " ").trim();
  const isCut = line.length > most.text || text.length > LOOKED_AT;
  const shown = `${cutText(line, most.text)}${isCut ? "…" : ""}`;
  return /^[{[]/.test(shown) ? shown : `"${shown}"`;
}

/** Of a text whose beginning may be blank. */
const LOOKED_AT = 4_000;

function valueText(value: Json): string {
  if (typeof value === "string") return textIn(value);
  const text = JSON.stringify(value);
  return text.length <= most.value ? text : `${cutText(text, most.value)}…`;
}
