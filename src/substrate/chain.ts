/**
 * The chain of digests over what the log says of each delivery, except its changes: they follow from the rest.
 * It is hashed by blocks, since for a few hundred bytes the call takes longer than the hashing.
 */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { type Chained, LINE_END, writeStart } from "./deliveryLine.ts";
import { GENESIS, sha256Hex } from "./digest.ts";
import { Utf8 } from "./utf8.ts";

/** Ours: deliveries in a block, whose last one has the digest on its line of the log. */
export const BLOCK = 64;

export interface SavedChain {
  /** The digest over all whole blocks. */
  readonly head: string;
  /** Deliveries in the block that is still open. */
  readonly count: number;
  /** Their bytes, in hex. */
  readonly open: string;
}

export class Chain {
  #head = GENESIS;
  #count = 0;
  /** The head, a newline, and the deliveries since. */
  readonly #block = new Utf8(32_768);
  /** Where in it the last delivery begins and ends. */
  #start = 0;
  #end = 0;

  constructor(saved: SavedChain = { head: GENESIS, count: 0, open: "" }) {
    this.#begin(saved.head);
    this.#block.bytes(hexToBytes(saved.open));
    this.#count = saved.count;
  }

  saved(): SavedChain {
    const open = bytesToHex(this.#block.part(this.#head.length + 1, this.#block.length));
    return { head: this.#head, count: this.#count, open };
  }

  /** Over every delivery so far. */
  get digest(): string {
    return this.#count === 0 ? this.#head : sha256Hex(this.#block.written());
  }

  /** Whether the last delivery ended a block, so that the log has the digest on its line. */
  get endsBlock(): boolean {
    return this.#count === 0;
  }

  /** What the log's line of the last delivery begins with, until there is another. */
  get start(): Uint8Array {
    return this.#block.part(this.#start, this.#end);
  }

  add(delivered: Chained): void {
    const block = this.#block;
    this.#start = block.length;
    writeStart(block, delivered);
    this.#end = block.length;
    this.#ended();
  }

  /** As `add`, of the start of a line that was read. */
  addWritten(start: string): void {
    this.#block.text(start);
    this.#ended();
  }

  #ended(): void {
    this.#block.piece(LINE_END);
    this.#count += 1;
    if (this.#count === BLOCK) this.#begin(this.digest);
  }

  #begin(head: string): void {
    this.#head = head;
    this.#count = 0;
    this.#block.clear();
    this.#block.text(`${head}\n`);
  }
}
