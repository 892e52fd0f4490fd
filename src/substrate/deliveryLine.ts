/**
 * A delivery as a line of the event log: byte for byte what JSON.stringify makes of it, and a newline. It is
 * written in two pieces, since the chain vouches for the first of them.
 */
import type { Json } from "../machines/letter.ts";
import type { Change, Delivery, Envelope } from "./envelope.ts";
import type { Delivered } from "./deliveryRecord.ts";
import { piece, type Utf8 } from "./utf8.ts";

/** All but its changes and its digest; they and the end of the line follow. */
export function writeStart(line: Utf8, delivered: Delivered): void {
  const { envelope, letters } = delivered;
  const { because, re } = envelope;
  line.piece(SEQ);
  line.number(envelope.seq);
  line.piece(DUE);
  line.number(envelope.dueMs);
  line.piece(TO);
  line.quoted(envelope.to);
  line.piece(FROM);
  line.quoted(envelope.from);
  line.piece(EVENT);
  line.json(envelope.event as Json); // Strict JSON, as all mail is.
  line.piece(CAUSE);
  line.json(envelope.cause);
  if (because !== undefined) {
    line.piece(BECAUSE);
    line.text(JSON.stringify(because));
  }
  if (re !== undefined) {
    line.piece(RE);
    line.number(re);
  }
  line.piece(FATE);
  line.quoted(delivered.fate);
  line.piece(BEFORE);
  line.json(delivered.before);
  line.piece(AFTER);
  line.json(delivered.after);
  line.piece(LETTERS);
  for (let i = 0; i < letters.length; i++) {
    if (i > 0) line.piece(COMMA);
    writeLetter(line, letters[i] as Envelope);
  }
  line.piece(LIST_END);
}

function writeLetter(line: Utf8, { seq, to, event, dueMs }: Envelope): void {
  line.piece(SEQ);
  line.number(seq);
  line.piece(TO);
  line.quoted(to);
  line.piece(TYPE);
  line.quoted(event.type);
  line.piece(DUE);
  line.number(dueMs);
  line.piece(CLOSE);
}

/** What follows the start of its line. */
export function writeRest(line: Utf8, { changes, digest }: Pick<Delivery, "changes" | "digest">): void {
  line.piece(CHANGES);
  for (let i = 0; i < changes.length; i++) {
    if (i > 0) line.piece(COMMA);
    writeChange(line, changes[i] as Change);
  }
  line.piece(LIST_END);
  if (digest !== undefined) {
    line.piece(DIGEST);
    line.quoted(digest);
  }
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
    if (i > 0) line.piece(COMMA);
    line.quoted(path[i] as string);
  }
  line.piece(CHANGED_TO);
  line.number(to);
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
