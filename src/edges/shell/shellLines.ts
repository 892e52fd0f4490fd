/**
 * How two processes tell one line of JSON from the next. Node's own reader of lines ends one at U+2028
 * and U+2029, too, which JSON leaves as they are: with it a text could take a line apart.
 */

const LINE_FEED = 10;

/** Ends when the stream does; throws at a line that is longer than this. */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  bytesMax: number,
): AsyncGenerator<string, undefined> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const bytes of stream) {
    let from = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...held, bytes.subarray(from, at)]).toString("utf8");
      [held, heldBytes, from] = [[], 0, at + 1];
    }
    held.push(bytes.subarray(from));
    heldBytes += bytes.length - from;
    if (heldBytes > bytesMax) throw new Error(`a line of more than ${bytesMax} bytes`);
  }
}
