/** Reader of chat messages: one message a line, one conversation a line or a file, or requests with their responses. */
import type { Json } from "../../../../machines/letter.ts";
import { type LogPiece, type Place, unread } from "../../record.ts";
import type { Item } from "../input/items.ts";
import { Conversations } from "./conversations.ts";
import { messageListOf, tellJudged, tellOffered, tellRest } from "./episode.ts";
import { answerOf, conversationIn, exchangeOf, isBareRequest, isBareResponse } from "./exchange.ts";
import { type Fields, listIn, listOf, mapIn, mapOf, textOf } from "./fields.ts";
import { isMcpBeside } from "./formats/mcp.ts";
import { tell } from "./message.ts";
import { isMessage } from "./messageFields.ts";
import { OpenLog } from "./openLog.ts";
import { LogsById, nameByNumber, type Reader, type ReaderOf } from "./reader.ts";
import { timeIn } from "./time.ts";

interface Asked {
  readonly place: Place;
  readonly request: Fields;
  /** What was streamed of the answer. */
  readonly pieces: Fields[];
}

export class ChatReader implements Reader {
  readonly #of: ReaderOf;
  readonly #conversations: Conversations;
  /** Whether lines without a response are requests whose responses follow. */
  readonly #hasResponses: boolean;
  /** Logs of which each line is a message, by the id that the lines name. */
  readonly #logs: LogsById;
  /** Of each of them, by its name, how many messages it has so far. */
  readonly #steps = new Map<string, number>();
  #asked: Asked | undefined;
  #count = 0;

  constructor(of: ReaderOf) {
    this.#of = of;
    this.#conversations = new Conversations(of);
    this.#logs = new LogsById(of);
    this.#hasResponses = of.first.some(({ value }) => isBareResponse(mapIn(value)));
  }

  take(item: Item): readonly LogPiece[] {
    const { place, value, is } = item;
    this.#count++;
    if (isMcpBeside(mapIn(value))) return this.#conversations.beside(place, mapIn(value));
    if (is === "message") return this.#message(place, value);
    if (is === "rest" && this.#logs.count > 0) return this.#rest(place, value);
    const list = listOf(value);
    if (list?.some(isMessage) === true) return this.#episode(item, { messages: list }, "messages");
    const fields = mapOf(value);
    if (fields === null)
      return [unread(place, "a value that is neither a message nor a conversation")];
    return this.#bare(place, fields) ?? this.#object(item, fields);
  }

  end(): readonly LogPiece[] {
    return [...this.#answered(), ...this.#conversations.end(), ...this.#logs.end()];
  }

  #object(item: Item, fields: Fields): readonly LogPiece[] {
    const { place, value } = item;
    const exchange = exchangeOf(fields);
    if (exchange !== null) return this.#conversations.take(place, exchange);
    const name = messageListOf(fields);
    if (name !== null) return this.#episode(item, fields, name);
    if (isMessage(value) || textOf(fields["role"]) !== null) return this.#message(place, value);
    return [unread(place, "an object that is neither a message nor a conversation")];
  }

  /** Requests and responses that stand on lines of their own; undefined where the line is neither. */
  #bare(place: Place, fields: Fields): readonly LogPiece[] | undefined {
    if (!this.#hasResponses) return undefined;
    if (isBareRequest(fields)) {
      const before = this.#answered();
      this.#asked = { place, request: fields, pieces: [] };
      return before;
    }
    if (!isBareResponse(fields) || exchangeOf(fields) !== null) return undefined;
    this.#asked ??= { place, request: {}, pieces: [] };
    this.#asked.pieces.push(fields);
    return answerOf(fields).isDone ? this.#answered() : [];
  }

  #answered(): readonly LogPiece[] {
    const asked = this.#asked;
    if (asked === undefined) return [];
    this.#asked = undefined;
    return this.#conversations.take(asked.place, {
      request: asked.request,
      response: joined(asked.pieces),
      around: {},
    });
  }

  #message(place: Place, value: Json): readonly LogPiece[] {
    const log = this.#logs.of(conversationIn(mapIn(value)));
    const step = this.#steps.get(log.name) ?? 0;
    this.#steps.set(log.name, step + 1);
    tell(log, value, { place, step });
    return log.taken();
  }

  #rest(place: Place, value: Json): readonly LogPiece[] {
    const fields = mapIn(value);
    const log = this.#logs.known(null);
    if (log === undefined) return [];
    tellOffered(log, place, fields);
    tellJudged(log, place, fields);
    tellRest(log, place, fields);
    return log.taken();
  }

  #episode({ place, is }: Item, fields: Fields, name: string): readonly LogPiece[] {
    const { stem } = this.#of;
    const own =
      is === "whole" || is === "rest" ? stem : nameByNumber(stem, place.line ?? this.#count);
    const log = new OpenLog({ ...this.#of, name: own });
    tellOffered(log, place, fields);
    // As the SDKs of Gemini keep the tools.
    tellOffered(log, place, mapIn(fields["config"]));
    const atMs = timeIn(fields);
    for (const [step, message] of listIn(fields[name]).entries())
      tell(log, message, { place, step, atMs });
    tellJudged(log, place, fields);
    tellRest(log, place, fields, [name]);
    return log.closed();
  }
}

/** Pieces of a streamed answer as one; the last piece says what it cost. */
function joined(pieces: readonly Fields[]): Json {
  const last = pieces.at(-1);
  if (last === undefined || pieces.length === 1) return last ?? null;
  const messages = pieces.map((piece) => mapIn(piece["message"]));
  const texts = (name: string): string =>
    messages.map((message) => textOf(message[name]) ?? "").join("");
  const thinking = texts("thinking");
  const calls = messages.flatMap((message) => listIn(message["tool_calls"]));
  const more = {
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return { ...last, message: { ...messages.at(-1), content: texts("content"), ...more } };
}
