/** What the event that comes to a port is to the program behind it, and what its answer is to the actor that asked. */

import type * as Schema from "effect/Schema";
import type { Json, MailEvent, MailOf } from "../../machines/letter.ts";
import type { PortReply, PortRequest } from "../../substrate/port.ts";
import type { Asked, PortAnswerOf, PortName, PortRequestOf } from "./portContracts.ts";

/** By which event each port is asked. A part adds its own ports by merging with this interface. */
export interface PortQuestions {
  readonly "port/llm.chat": "llm.asked";
  readonly "port/llm.embed": "llm.embed";
  readonly "port/sandbox.run": "sandbox.run";
  readonly "port/shell.run": "shell.run";
  readonly "port/python.parse": "python.parse";
  readonly "port/tool.call": "tool.called";
}

/** The types of the questions to a port. */
export type AskedBy<P extends PortName> = PortQuestions[P];

/** How a program is asked at a port, and how its answer is heard. */
export interface Translation<P extends PortName> {
  /** The question as the outside world reads it; the event itself when absent. */
  text?(event: MailOf<AskedBy<P>>): string;
  /** What the program gets. Nothing in the event is the run's own. */
  question(asked: Asked, event: MailOf<AskedBy<P>>): PortRequestOf<P>;
  /** What the asking actor hears. Null: it hears nothing, and a time-out decides. */
  reply(
    answer: PortAnswerOf<P>,
    request: PortRequest<AskedBy<P>>,
  ): Omit<PortReply, "latencyMs"> | null;
  /** What it hears when there is no answer; absent where a port knows no failure. */
  failure?(error: string): MailEvent;
  /** What a recording holds where it hears nothing. */
  readonly silence?: MailEvent;
  /** What `why` calls an answer in which it ends, before its purpose; absent where it goes on. */
  readonly choice?: string;
  /** The answer is kept as it is, secrets and all: changed, it would be worth nothing. */
  readonly isKept?: true;
}

/** What a part says of its own port, when a program serves it: also which answers it can use. */
export type PartContract<P extends PortName> = Translation<P> & (Described | Judged) & Shared;

interface Shared {
  /** The purposes of its own questions, at a port that it shares with other parts; all when absent. */
  readonly purposes?: readonly string[];
}

interface Described {
  /** What an answer to a question of this purpose looks like. */
  schema(purpose: string): Schema.Decoder<unknown>;
}

interface Judged {
  /** Why an answer to a question of this purpose cannot be used, in words; null for one that can. */
  unusable(answer: Json, purpose: string): string | null;
}

export type PartContracts = { readonly [P in PortName]?: PartContract<P> };
