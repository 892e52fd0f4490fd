/**
 * A delivery as a line of the event log: byte for byte what JSON.stringify makes of it, and a newline. It is
 * written in two pieces, since the chain vouches for the first of them.
 */
import type { Json } from "../machines/letter.ts";
import type { Change, Delivery, Envelope } from "./envelope.ts";
import { NOTHING, piece, type Utf8 } from "./utf8.ts";

/** What the chain vouches for: of a delivery that was just made, or of one that was read from a log. */
export interface Chained extends Pick<Delivery, "fate" | "before" | "after"> {
  readonly envelope: Omit<Envelope, "ask" | "timer">;
  readonly letters: readonly Sent[];
}

interface Sent extends Pick<Envelope, "seq" | "to" | "dueMs"> {
  readonly event: { readonly type: string };
}

/** Of an entry of the log. */
export const chainedOf = (delivery: Delivery): Chained => ({
  envelope: delivery,
  fate: delivery.fate,
  before: delivery.before,
  after: delivery.after,
  letters: delivery.letters.map((letter) => ({ ...letter, event: letter })),
});

/** All but its changes and its digest; they and the end of the line follow. */
export function writeStart(line: Utf8, delivered: Chained): void {
  const { envelope, letters } = delivered;
  const { because, re } = envelope;
  line.number(envelope.seq, SEQ);
  line.number(envelope.dueMs, DUE);
  line.quoted(envelope.to, TO);
  line.quoted(envelope.from, FROM);
  line.json(envelope.event as Json, EVENT); // Strict JSON, as all mail is.
  line.json(envelope.cause, CAUSE);
  if (because !== undefined) {
    line.piece(BECAUSE);
    line.text(JSON.stringify(because));
  }
  if (re !== undefined) line.number(re, RE);
  line.quoted(delivered.fate, FATE);
  line.json(delivered.before, BEFORE);
  line.json(delivered.after, AFTER);
  line.piece(LETTERS);
  for (let i = 0; i < letters.length; i++) {
    if (i > 0) line.piece(COMMA);
    writeLetter(line, letters[i] as Sent);
  }
  line.piece(LIST_END);
}

function writeLetter(line: Utf8, { seq, to, event, dueMs }: Sent): void {
  line.number(seq, SEQ);
  line.quoted(to, TO);
  line.quoted(event.type, TYPE);
  line.number(dueMs, DUE);
  line.piece(CLOSE);
}

/** The start of the line from which a delivery was read, as it is written there; undefined where the rest is written otherwise. */
export function startIn(
  line: string,
  { changes, digest }: Pick<Delivery, "changes" | "digest">,
): string | undefined {
  const rest = JSON.stringify({ changes, digest });
  return line.endsWith(`,${rest.slice(1)}`) ? line.slice(0, -rest.length) : undefined;
}

/** What follows the start of its line. */
export function writeRest(
  line: Utf8,
  { changes, digest }: Pick<Delivery, "changes" | "digest">,
): void {
  line.piece(CHANGES);
  for (let i = 0; i < changes.length; i++) {
    if (i > 0) line.piece(COMMA);
    writeChange(line, changes[i] as Change);
  }
  line.piece(LIST_END);
  if (digest !== undefined) line.quoted(digest, DIGEST);
  line.piece(LINE_END);
}

/** Numbers are most of what changes. */
function writeChange(line: Utf8, change: Change): void {
  if (!("to" in change) || typeof change.to !== "number") {
    line.text(JSON.stringify(change));
    return;
  }
  const { path, to } = change;
  line.piece(PATH);
  for (let i = 0; i < path.length; i++) {
    line.quoted(path[i] as string, i === 0 ? NOTHING : COMMA);
  }
  line.number(to, CHANGED_TO);
  line.piece(CLOSE);
}

/** What ends a start where nothing follows. */
export const LINE_END = piece("}\n");
const SEQ = piece('{"seq":');
const DUE = piece(',"dueMs":');
const TO = piece(',"to":');
const FROM = piece(',"from":');
const EVENT = piece(',"event":');
const CAUSE = piece(',"cause":');
const BECAUSE = piece(',"because":');
const RE = piece(',"re":');
const FATE = piece(',"fate":');
const BEFORE = piece(',"before":');
const AFTER = piece(',"after":');
const LETTERS = piece(',"letters":[');
const TYPE = piece(',"type":');
const CHANGES = piece(',"changes":[');
const PATH = piece('{"path":[');
const CHANGED_TO = piece('],"to":');
const DIGEST = piece(',"digest":');
const LIST_END = piece("]");
const COMMA = piece(",");
const CLOSE = piece("}");
