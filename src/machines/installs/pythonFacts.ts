/**
 * What a Python text reaches for, by CPython's own `ast`. The script is ours and runs in the sandbox; the text under
 * scan is its argument: parsed, never run.
 */
import { isMap } from "../isMap.ts";
import type { Json, MailOf } from "../letter.ts";
import { readJson } from "../readJson.ts";
import type { CodeFact, CodeFacts, StringHit } from "./codeFacts.ts";
import { factsScript } from "./pythonFactsScript.ts";
import { OF_ANY_RECEIVER } from "./pythonReach.ts";
import { STRING_THREATS } from "./threats.ts";

/** What `port/sandbox.run` is asked, without its purpose and its limit. */
export type FactsRun = Required<Pick<MailOf<"sandbox.run">, "name" | "code">> & {
  readonly params: { readonly [name: string]: Json };
};

export const pythonFactsRun = (text: string): FactsRun => ({
  name: "facts",
  code: factsScript,
  params: { text, words: STRING_THREATS.map(({ pattern }) => pattern), kept: OF_ANY_RECEIVER },
});

/** The sandbox's answer to it; what gave no facts says why. */
export function pythonFactsOf(
  reply: Pick<MailOf<"sandbox.replied">, "ok" | "result" | "error" | "timedOut">,
): CodeFacts {
  if (reply.timedOut === true) return { error: "Python did not read it in time" };
  const answer = typeof reply.result === "string" ? readJson(reply.result) : undefined;
  if (!reply.ok || !isMap(answer)) return { error: reply.error ?? "Python gave no facts of it" };
  const { error, facts, hits } = answer;
  if (typeof error === "string") return { error };
  return Array.isArray(facts) && Array.isArray(hits)
    ? { facts: facts.flatMap(factOf), hits: hits.flatMap(hitOf) }
    : { error: "Python gave no facts of it" };
}

/** The script is ours, but what it read is not: each row is looked at. */
function factOf(row: Json): readonly CodeFact[] {
  if (!Array.isArray(row)) return [];
  const [name, how, line, mode, typed] = row as readonly Json[];
  if (typeof name !== "string" || !isHow(how) || typeof line !== "number") return [];
  return [
    {
      ...{ name, how, line },
      ...((typeof mode === "string" || mode === null) && { mode }),
      ...(typed === true && { typed }),
    },
  ];
}

const HOWS: ReadonlySet<Json | undefined> = new Set([
  ...["import", "call", "use", "passed", "computed", "loop", "unfamiliar"],
]);
const isHow = (how: Json | undefined): how is CodeFact["how"] => HOWS.has(how);

function hitOf(row: Json): readonly StringHit[] {
  if (!Array.isArray(row)) return [];
  const [word, line] = row as readonly Json[];
  return typeof word === "string" && typeof line === "number" ? [{ word, line }] : [];
}
