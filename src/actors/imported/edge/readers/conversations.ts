/** Requests and responses as conversations: each goes on with the one whose messages it repeats, or whose id it names. */
import type { Json } from "../../../../machines/letter.ts";
import type { Called, LogPiece, LogRecord, Place } from "../../record.ts";
import { offeredIn, tellOffered, tellRest } from "./episode.ts";
import { answerOf, conversationIn, type Exchange, inputOf } from "./exchange.ts";
import { type Fields, idOf, mapOf, numberOf, textIn } from "./fields.ts";
import { mcp, type Told } from "./formats/mcp.ts";
import { chained, History, messageKey } from "./history.ts";
import { type Around, readMessage } from "./message.ts";
import { noted, OpenLog, type ReadMessage } from "./openLog.ts";
import type { ReaderOf } from "./reader.ts";
import { nameById, nameByNumber } from "./reader.ts";
import { timeIn } from "./time.ts";

/** Ours: of more conversations at once the one that was quiet for longest is closed. */
const OPEN_MAX = 1_000;

/** Ours: of more calls of models that wait for their results the oldest are no longer looked for. */
const MADE_MAX = 1_000;

interface Conversation {
  /** By which it is known; its log may have begun before it. */
  readonly name: string;
  readonly log: OpenLog;
  readonly history: History;
  readonly id: string | null;
  /** What was offered and said of the whole already. */
  readonly told: Set<string>;
  /** Where a next request may go on. */
  ends: string[];
}

export class Conversations {
  readonly #of: ReaderOf;
  /** The longest quiet first. */
  readonly #open = new Map<string, Conversation>();
  readonly #byEnd = new Map<string, string>();
  /** Ids whose logs are closed: what comes later of them gets another name. */
  readonly #closed = new Map<string, number>();
  /** Of messages that stand once in a file, and in many requests. */
  readonly #keys = new WeakMap<Fields, string>();
  #count = 0;
  /** The log to which something was told last. */
  #last: OpenLog | undefined;
  /** It began with what passed servers of tools: the first conversation goes on with it. */
  #early: OpenLog | undefined;
  /** Calls that models made, and whose results nobody told yet. */
  #made: { readonly log: OpenLog; readonly record: Called }[] = [];
  readonly #takeBeside = mcp((tool, args) => this.#toldOf(tool, args));

  constructor(of: ReaderOf) {
    this.#of = of;
  }

  /** What passed a server of tools: told where its call was made, else where something was told last. */
  beside(place: Place, line: Fields): readonly LogPiece[] {
    this.#count++;
    if (this.#last === undefined) {
      const name = nameByNumber(this.#of.stem, place.line ?? this.#count);
      this.#early = new OpenLog({ ...this.#of, name });
      this.#last = this.#early;
    }
    this.#takeBeside(line, place);
    const logs = new Set([this.#last, ...[...this.#open.values()].map(({ log }) => log)]);
    return [...logs].flatMap((log) => log.taken());
  }

  #toldOf(tool: string | null, args: Json): Told {
    const asked = JSON.stringify(args);
    const at = this.#made.findIndex(
      ({ record }) => isNamed(record.tool, tool) && JSON.stringify(record.args) === asked,
    );
    const [made] = at < 0 ? [] : this.#made.splice(at, 1);
    return { log: made?.log ?? (this.#last as OpenLog), isMade: made !== undefined };
  }

  #note(log: OpenLog, records: readonly LogRecord[]): void {
    for (const record of records) {
      if (record.kind === "called") this.#made.push({ log, record });
      if (record.kind === "returned")
        this.#made = this.#made.filter((one) => one.record.call !== record.call);
    }
    this.#made = this.#made.slice(-MADE_MAX);
  }

  take(place: Place, { request, response, around, faults = [] }: Exchange): readonly LogPiece[] {
    this.#count++;
    const asked = request ?? {};
    const atMs = timeIn(asked) ?? timeIn(around);
    const base: Around = { place, atMs, agent: textIn(around, "agent", "agent_name") };
    const messages = inputOf(asked) ?? [];
    const read = (step: number): ReadMessage =>
      readMessage(messages[step] as Json, this.#of.format, { ...base, step });
    const keys = messages.map((message, step) => {
      const own = mapOf(message) ?? {};
      const key = this.#keys.get(own) ?? keyOf(read(step));
      this.#keys.set(own, key);
      return key;
    });
    const { conversation, closed } = this.#conversationOf(
      conversationIn(around, asked),
      keys,
      idOf(asked["previous_response_id"]),
      place,
    );
    const { log, history, told } = conversation;
    this.#last = log;
    this.#once(told, offeredIn(asked), (fields) => tellOffered(log, place, fields));
    const tellFaults = (ofAnswer: boolean): void => {
      for (const one of faults) {
        if (isOfAnswer(one) === ofAnswer) log.give(noted(base, "fault", one));
      }
    };
    tellFaults(false);
    for (const [at, isFresh] of history.fresh(keys).entries()) {
      if (!isFresh) continue;
      const one = read(at);
      log.giveRead(place, one);
      this.#note(log, one.records);
    }
    this.#once(told, around, (fields) => tellRest(log, place, fields, TOLD));
    this.#once(told, settingsOf(asked), (fields) => log.give(noted(base, "request", fields)));
    tellFaults(true);
    const answers = this.#answer(
      conversation,
      base,
      response,
      messages.length,
      numberOf(around["latency_ms"] ?? around["duration_ms"] ?? null),
    );
    this.#ends(conversation, keys, answers, idOf(mapOf(response)?.["id"]));
    return [...closed, ...log.taken()];
  }

  end(): readonly LogPiece[] {
    const early = this.#early?.closed() ?? [];
    return [...early, ...[...this.#open.values()].flatMap((one) => this.#close(one))];
  }

  #answer(
    { log, history }: Conversation,
    base: Around,
    response: Json,
    step: number,
    besideMs: number | null,
  ): readonly string[] {
    if (response === null) return [];
    const { messages, model, usage, atMs, latencyMs, error, cut } = answerOf(response);
    const { place } = base;
    const keys = messages.map((message, index) => {
      const isFirst = index === 0;
      const time = {
        atMs: atMs ?? base.atMs ?? null,
        latencyMs: isFirst ? (latencyMs ?? besideMs) : null,
      };
      const own = { ...base, ...time, step: step + index, model, usage: isFirst ? usage : null };
      const read = readMessage(message, log.format, own);
      log.giveRead(place, read);
      this.#note(log, read.records);
      const key = keyOf(read);
      history.answered(key);
      return key;
    });
    if (error !== null) log.give(noted({ place, atMs }, "error", error));
    else if (messages.length === 0) log.unread(place, "a response in which no message was found");
    if (cut !== null) log.give(noted({ place, atMs }, "answer ended", cut));
    return keys;
  }

  /** What stands the same in each request is told once. */
  #once(told: Set<string>, fields: Fields, tell: (fields: Fields) => void): void {
    const fresh = Object.entries(fields).filter(([name, value]) => {
      const key = chained(name, JSON.stringify(value, withoutCacheMarks));
      return !told.has(key) && told.add(key) !== undefined;
    });
    if (fresh.length > 0) tell(Object.fromEntries(fresh));
  }

  #conversationOf(
    id: string | null,
    keys: readonly string[],
    before: string | null,
    place: Place,
  ): { readonly conversation: Conversation; readonly closed: readonly LogPiece[] } {
    const name = id === null ? this.#goneOnWith(keys, before) : this.#nameOf(id);
    const known = name === null ? undefined : this.#open.get(name);
    if (known !== undefined) {
      this.#open.delete(known.name);
      this.#open.set(known.name, known);
      return { conversation: known, closed: [] };
    }
    const own = name ?? nameByNumber(this.#of.stem, place.line ?? this.#count);
    const conversation: Conversation = {
      name: own,
      log: this.#early ?? new OpenLog({ ...this.#of, name: own }),
      history: new History(),
      id,
      told: new Set(),
      ends: [],
    };
    this.#early = undefined;
    const [quiet] = this.#open.size >= OPEN_MAX ? this.#open.values() : [];
    const closed = quiet === undefined ? [] : this.#close(quiet);
    this.#open.set(own, conversation);
    return { conversation, closed };
  }

  #nameOf(id: string): string {
    const again = this.#closed.get(id) ?? 0;
    return nameById(this.#of.stem, again === 0 ? id : `${id} (${again + 1})`);
  }

  /** The conversation that gave the response named `before`, or whose last request, or answer, these messages begin with. */
  #goneOnWith(keys: readonly string[], before: string | null): string | null {
    const named = before === null ? undefined : this.#byEnd.get(responseEnd(before));
    if (named !== undefined) return named;
    const chain = chainOf(keys);
    // The same request again is another sample, not the same conversation.
    for (let at = chain.length - 2; at >= 0; at--) {
      const name = this.#byEnd.get(chain[at] as string);
      if (name !== undefined) return name;
    }
    return null;
  }

  #ends(
    conversation: Conversation,
    asked: readonly string[],
    answers: readonly string[],
    response: string | null,
  ): void {
    if (conversation.id !== null) return;
    this.#forget(conversation);
    const chain = chainOf([...asked, ...answers]);
    // A system prompt alone is no beginning by which a conversation is known.
    conversation.ends =
      asked.length < 2 ? chain.slice(asked.length) : chain.slice(asked.length - 1);
    if (response !== null) conversation.ends.push(responseEnd(response));
    for (const end of conversation.ends) this.#byEnd.set(end, conversation.name);
  }

  /** Another may have come to the same end since. */
  #forget({ ends, name }: Conversation): void {
    for (const end of ends) if (this.#byEnd.get(end) === name) this.#byEnd.delete(end);
  }

  #close(conversation: Conversation): readonly LogPiece[] {
    const { log, id, name } = conversation;
    this.#open.delete(name);
    // Nothing more is told there.
    this.#made = this.#made.filter((one) => one.log !== log);
    this.#forget(conversation);
    if (id !== null) this.#closed.set(id, (this.#closed.get(id) ?? 0) + 1);
    return log.closed();
  }
}

/** Whether a model's tool is that of a server: clients put the server's name before it, as in `mcp__files__write_file`. */
const isNamed = (made: string, tool: string | null): boolean =>
  tool !== null &&
  (made === tool || (/[_.:/-]$/.test(made.slice(0, -tool.length)) && made.endsWith(tool)));

const isOfAnswer = (fault: Json): boolean =>
  /^answer \d+$/.test(textIn(mapOf(fault) ?? {}, "at") ?? "");

const keyOf = ({ records, unread }: ReadMessage): string => messageKey(records, unread);

/** Fields of requests and responses that are read elsewhere, or say nothing of what happened. */
const TOLD = [
  "latency_ms",
  "duration_ms",
  "agent",
  "agent_name",
  "timestamp",
  "created_at",
  "time",
  "id",
];
/** Where a provider is to cache a prompt moves on with each request, and says nothing of what happened. */
const withoutCacheMarks = (name: string, value: unknown): unknown =>
  name === "cache_control" ? undefined : value;

const READ = new Set([
  "previous_response_id",

  "messages",
  "input",
  "tools",
  "functions",
  "system",
  "instructions",
  "model",
  "choices",
  "usage",
  "message",
  "output",
  "created",
  "object",
  "timestamp",
  "created_at",
  "done",
]);

const settingsOf = (request: Fields): Fields => {
  const settings = Object.entries(request).filter(
    ([name, value]) =>
      !READ.has(name) &&
      value !== null &&
      !/_(duration|count)$|^(id|response|completion|result|done_reason|stream|conversation_id|session_id|thread_id)$/.test(
        name,
      ),
  );
  return Object.fromEntries(settings);
};

const responseEnd = (id: string): string => `response ${id}`;

function chainOf(keys: readonly string[]): string[] {
  let chain = "";
  return keys.map((key) => {
    chain = chained(chain, key);
    return chain;
  });
}
