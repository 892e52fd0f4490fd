/**
 * `port/tool.call` served by a person: who reviews proposals, answers for another model, looks things
 * up. They take real time, as a live model does, and what they say is recorded like its answers.
 */

import { createInterface } from "node:readline";
import type { Json, MailOf } from "../../machines/letter.ts";
import type { PortRequest, Provider } from "../../substrate/port.ts";
import type { LiveClock } from "../live/liveClock.ts";
import type { Redactor } from "../redaction.ts";
import type { Inbox } from "./inbox.ts";
import type { Person } from "./person.ts";

/** A person at a terminal, or lines from a pipe. */
export function personAt(
  input: NodeJS.ReadableStream,
  output: { readonly write: (text: string) => unknown },
): Person {
  const lines = createInterface({ input });
  const iterator = lines[Symbol.asyncIterator]();
  let turn: Promise<unknown> = Promise.resolve();
  let open = 0;
  const asked = async (question: string): Promise<string | null> => {
    output.write(`\n${question}\n> `);
    const { done, value } = await iterator.next();
    return done === true ? null : value;
  };
  return {
    ask: (question) => {
      open += 1;
      const answer = turn.then(() => asked(question)).finally(() => (open -= 1));
      turn = answer;
      return answer;
    },
    get isAsked() {
      return open > 0;
    },
    close: () => lines.close(),
  };
}

export function personPort(options: {
  readonly person: Person;
  readonly inbox: Inbox;
  readonly clock: LiveClock;
  readonly redactor: Redactor;
}): Provider<"tool.called"> {
  const { person, inbox, clock, redactor } = options;
  return {
    answer(request) {
      clock.asked(request);
      person.ask(questionOf(request)).then(
        (said) => {
          // The person has gone: the call stays open, and its caller's time-out decides.
          if (said === null) return;
          const { purpose, nth } = request;
          const event = answerOf(purpose, redactor.text(said.trim()));
          inbox.push(request.seq, { event, latencyMs: 0, choice: `person:${purpose}/${nth}` });
        },
        (error: unknown) => inbox.fail(error),
      );
      return null;
    },
  };
}

function questionOf({ purpose, event }: PortRequest<"tool.called">): string {
  const dossier = JSON.stringify(event.params, null, 2);
  const ways =
    purpose === "propose_change"
      ? "y approves, n rejects, both with words after it if you like; nothing leaves it pending."
      : "Your words are the answer; nothing means that there is none.";
  return `${event.agent} asks for ${purpose}:\n${dossier}\n${ways}`;
}

function answerOf(purpose: string, said: string): MailOf<"tool.replied"> {
  const reply = (result: Json): MailOf<"tool.replied"> => ({
    type: "tool.replied",
    ok: true,
    result,
  });
  if (purpose === "propose_change") {
    const [, letter, words = ""] = /^(y|yes|n|no)\b[\s:,]*(.*)$/i.exec(said) ?? [];
    if (letter === undefined) return reply({ status: "pending", comment: said });
    const status = letter.toLowerCase().startsWith("y") ? "approved" : "rejected";
    return reply({ status, comment: words });
  }
  if (said !== "") return reply(said);
  return { type: "tool.replied", ok: false, error: `${purpose}: nobody had an answer` };
}
