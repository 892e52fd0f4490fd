/** A delivery as a line of the event log: byte for byte what JSON.stringify makes of it, and a newline. */
import type { Change, Delivery, Posted } from "./envelope.ts";
import { piece, type Utf8 } from "./utf8.ts";

export function writeLine(line: Utf8, delivery: Delivery): void {
  const { event, cause, because, re, before, after, changes, letters } = delivery;
  line.piece(SEQ);
  line.number(delivery.seq);
  line.piece(DUE);
  line.number(delivery.dueMs);
  line.piece(TO);
  line.quoted(delivery.to);
  line.piece(FROM);
  line.quoted(delivery.from);
  line.piece(EVENT);
  line.text(JSON.stringify(event));
  line.piece(CAUSE);
  line.json(cause);
  if (because !== undefined) {
    line.piece(BECAUSE);
    line.json(because);
  }
  if (re !== undefined) {
    line.piece(RE);
    line.number(re);
  }
  line.piece(FATE);
  line.quoted(delivery.fate);
  line.piece(BEFORE);
  line.json(before);
  line.piece(AFTER);
  line.json(after);
  line.piece(CHANGES);
  for (let i = 0; i < changes.length; i++) {
    if (i > 0) line.piece(COMMA);
    writeChange(line, changes[i] as Change);
  }
  line.piece(LETTERS);
  for (let i = 0; i < letters.length; i++) {
    if (i > 0) line.piece(COMMA);
    writeLetter(line, letters[i] as Posted);
  }
  line.piece(DIGEST);
  line.text(delivery.digest);
  line.piece(END);
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

function writeLetter(line: Utf8, { seq, to, type, dueMs }: Posted): void {
  line.piece(SEQ);
  line.number(seq);
  line.piece(TO);
  line.quoted(to);
  line.piece(TYPE);
  line.quoted(type);
  line.piece(DUE);
  line.number(dueMs);
  line.piece(CLOSE);
}

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
const CHANGES = piece(',"changes":[');
const PATH = piece('{"path":[');
const CHANGED_TO = piece('],"to":');
const LETTERS = piece('],"letters":[');
const TYPE = piece(',"type":');
const DIGEST = piece('],"digest":"');
const END = piece('"}\n');
const COMMA = piece(",");
const CLOSE = piece("}");
