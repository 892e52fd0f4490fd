/**
 * A file as the values that it holds, whether it is JSON lines or one JSON value. A list is given member by member, so both
 * look the same to readers.
 */
import { isUtf8 } from "node:buffer";
import { parsedJson } from "../../../../edges/strictValue.ts";
import type { Json } from "../../../../machines/letter.ts";
import type { Place, Unread } from "../../record.ts";
import { ByteLines, LINE_BYTES_MAX, type TextLine } from "./byteLines.ts";
import { WideDocument } from "./wideDocument.ts";
import { isZip, ZIP_BYTES_MAX, zipMembers } from "./zip.ts";

export interface Item {
  readonly place: Place;
  readonly value: Json;
  /**
   * `line`: of JSON lines. `member`: of the list that the file is. `whole`: the file is this one value. `message`: of the list of
   * messages within the object that the file is, too large to be given whole. `rest`: what stands around such a list.
   */
  readonly is: "line" | "member" | "whole" | "message" | "rest";
}

export type Found = { readonly item: Item } | { readonly unread: Unread };

/** Below this a document is parsed at once, which is several times as fast. */
const WHOLE_BYTES_MAX = 32 * 1024 * 1024;
/** How much is looked at to tell lines from a document. */
const HEAD_BYTES = 1024 * 1024;
const HEAD_LINES = 20;

type Chunks = AsyncIterable<Buffer>;

/** What a file holds, in batches. */
export async function* itemsOf(
  file: string,
  chunks: Chunks,
): AsyncGenerator<readonly Found[], undefined> {
  const source = chunks[Symbol.asyncIterator]();
  const { head, isWhole } = await headOf(source);
  const rest = { [Symbol.asyncIterator]: () => source };
  if (isZip(head)) {
    yield await zipItems(file, head, rest);
    return;
  }
  const shape = shapeOf(head, isWhole);
  if (shape === "none") {
    const reason = head.length === 0 ? "no log: an empty file" : `no log: ${noLogReason(head)}`;
    yield [{ unread: { place: { file, line: null }, reason } }];
  } else if (shape === "lines") yield* lineItems(file, head, rest);
  else yield* documentItems(file, head, rest);
}

const noLogReason = (head: Buffer): string =>
  isUtf8(head.subarray(0, head.lastIndexOf(10) + 1)) ? "no JSON" : "bytes that are no UTF-8";

/** Enough of the file to tell what it is: whole lines, where it has any. */
async function headOf(
  source: AsyncIterator<Buffer>,
): Promise<{ readonly head: Buffer; readonly isWhole: boolean }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let hasLine = false;
  while (bytes < HEAD_BYTES || (!hasLine && bytes < LINE_BYTES_MAX)) {
    const next = await source.next();
    if (next.done === true) return { head: Buffer.concat(pieces), isWhole: true };
    pieces.push(next.value);
    bytes += next.value.length;
    hasLine ||= next.value.includes(10);
  }
  return { head: Buffer.concat(pieces), isWhole: false };
}

type Shape = "lines" | "document" | "none";

function shapeOf(head: Buffer, isWhole: boolean): Shape {
  const splitter = new ByteLines(Number.MAX_SAFE_INTEGER);
  const lines: TextLine[] = [];
  for (const line of splitter.push(head)) if (lines.push(line) > HEAD_LINES) break;
  if (lines.length <= HEAD_LINES && isWhole) lines.push(...splitter.end());
  const [first, ...others] = lines;
  if (first === undefined) return isWhole ? "none" : "document";
  const opening = (first.text ?? "").trim();
  const isJson = ({ text }: TextLine): boolean =>
    text !== null && /^\s*[[{]/.test(text) && "value" in parsedJson(text);
  if (isJson(first)) return others.length === 0 && isWhole ? "document" : "lines";
  if (/^[[{]/.test(opening) && /[[{,:]$/.test(opening)) return "document";
  if (others.some(isJson)) return "lines";
  return /^[[{]/.test(opening) ? "document" : "none";
}

async function* lineItems(
  file: string,
  head: Buffer,
  rest: Chunks,
): AsyncGenerator<readonly Found[], undefined> {
  const lines = new ByteLines();
  const batch = (from: Iterable<TextLine>): readonly Found[] =>
    Array.from(from, (line) => foundIn(file, line));
  yield batch(lines.push(head));
  for await (const chunk of rest) yield batch(lines.push(chunk));
  yield batch(lines.end());
}

function foundIn(file: string, { line, text, fault, isLast }: TextLine): Found {
  const place = { file, line };
  if (text === null) return { unread: { place, reason: fault ?? "no text" } };
  const parsed = parsedJson(text);
  if ("value" in parsed) return { item: { place, value: parsed.value, is: "line" } };
  const torn = isLast ? " (the last line, without an end: it may be torn)" : "";
  return { unread: { place, reason: `${parsed.fault}${torn}` } };
}

async function* documentItems(
  file: string,
  head: Buffer,
  rest: Chunks,
): AsyncGenerator<readonly Found[], undefined> {
  const place: Place = { file, line: null };
  const source = rest[Symbol.asyncIterator]();
  const { whole, isWhole } = await upTo(WHOLE_BYTES_MAX, head, source);
  if (isWhole) {
    const found = wholeItems(place, whole);
    if (found !== undefined) {
      yield found;
      return;
    }
  }
  const document = new WideDocument(MESSAGE_LISTS);
  const members = (bytes: Buffer): readonly Found[] =>
    document.push(bytes).map(({ of, is, value }) => ({
      item: {
        place,
        value,
        is: is === "rest" ? "rest" : of === null || of === "resourceSpans" ? "member" : "message",
      },
    }));
  for (let at = 0; at < whole.length; at += HEAD_BYTES)
    yield members(whole.subarray(at, at + HEAD_BYTES));
  for await (const chunk of { [Symbol.asyncIterator]: () => source }) {
    if (document.fault !== null) break;
    yield members(chunk);
  }
  const last = document.end().map(({ value }): Found => ({ item: { place, value, is: "rest" } }));
  const { fault } = document;
  yield fault === null
    ? last
    : [{ unread: { place, reason: `${fault}; nothing behind that place was read` } }];
}

async function upTo(bytesMax: number, head: Buffer, source: AsyncIterator<Buffer>) {
  const pieces = [head];
  for (let bytes = head.length; bytes <= bytesMax; ) {
    const next = await source.next();
    if (next.done === true) return { whole: Buffer.concat(pieces), isWhole: true };
    pieces.push(next.value);
    bytes += next.value.length;
  }
  return { whole: Buffer.concat(pieces), isWhole: false };
}

/** Undefined where the text is no JSON: what stands before the fault can still be read. */
function wholeItems(place: Place, bytes: Buffer): readonly Found[] | undefined {
  if (!isUtf8(bytes)) return [{ unread: { place, reason: "bytes that are no UTF-8" } }];
  const parsed = parsedJson(bytes.toString("utf8").replace(/^\uFEFF/, ""));
  if (!("value" in parsed))
    return parsed.fault.startsWith("no JSON")
      ? undefined
      : [{ unread: { place, reason: parsed.fault } }];
  const { value } = parsed;
  if (!Array.isArray(value)) return [{ item: { place, value, is: "whole" } }];
  if (value.length === 0) return [{ unread: { place, reason: "an empty list" } }];
  return (value as readonly Json[]).map((member) => ({
    item: { place, value: member, is: "member" },
  }));
}

/** The samples of an evaluation's log, each a member of an archive. */
async function zipItems(file: string, head: Buffer, rest: Chunks): Promise<readonly Found[]> {
  const place: Place = { file, line: null };
  const { whole, isWhole } = await upTo(ZIP_BYTES_MAX, head, rest[Symbol.asyncIterator]());
  const unread = (reason: string): Found => ({ unread: { place, reason } });
  if (!isWhole) return [unread(`an archive of more than ${ZIP_BYTES_MAX} bytes`)];
  const { members, fault } = zipMembers(whole, /^samples\/.*\.json$/);
  const found = members.flatMap(({ name, bytes }): readonly Found[] => {
    if (bytes === null) return [unread(`${name}: it cannot be taken out of the archive`)];
    const items = wholeItems(place, bytes);
    if (items === undefined) return [unread(`${name}: no JSON`)];
    return items.map((one) => ("item" in one ? { item: { ...one.item, is: "member" } } : one));
  });
  if (fault !== null) return [...found, unread(`no log: ${fault}`)];
  return found.length > 0 ? found : [unread("no log: an archive without samples")];
}

/** The names under which agent systems keep the messages of a conversation. */
export const MESSAGE_LISTS: ReadonlySet<string> = new Set([
  "messages",
  "history",
  "conversation",
  "conversations",
  "chat_history",
  "chat",
  "dialogue",
  "dialog",
  "trajectory",
  "traj",
  "transcript",
  "turns",
  "contents",
]);
