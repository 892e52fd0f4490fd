/** The rows of deliveries, which come in pieces, on their first look. */
import type { Columns, ViewCharts, ViewHead, ViewRow } from "./viewData.ts";

/** Rows that stand together, and the bytes of their text. */
export interface Piece {
  readonly rows: readonly ViewRow[];
  readonly bytes: number;
}

export interface Source {
  readonly head: ViewHead;
  columns(): Promise<Columns>;
  /** Undefined where the page leaves it out. */
  piece(number: number): Promise<Piece | undefined>;
  /** The rows of these pieces without what they carry; absent of a page that holds everything. */
  readonly words?: (numbers: readonly number[]) => Promise<readonly Piece[]>;
  /** The statecharts of its actors; undefined where the page leaves them out. */
  charts(): Promise<ViewCharts | undefined>;
}

/** Ours: bytes of pieces that are kept, as text; in memory they take some three times as much. */
const KEPT_BYTES_MOST = 64_000_000;

/** Whatever was looked at longest ago goes, but for what has just come. */
class Kept extends Map<number, Piece | undefined> {
  #bytes = 0;

  keep(number: number, piece: Piece | undefined): void {
    this.set(number, piece);
    this.#bytes += piece?.bytes ?? 0;
    for (const [oldest, old] of this) {
      if (this.#bytes <= KEPT_BYTES_MOST || oldest === number) break;
      this.delete(oldest);
      this.#bytes -= old?.bytes ?? 0;
    }
  }
}

/** Rows by place; a piece that was read is there at once. */
export class Rows {
  readonly #source: Source;
  readonly #kept = new Kept();
  /** Without what they carry. */
  readonly #words = new Kept();
  /** What somebody waits for. */
  #wanted: { readonly numbers: readonly number[]; readonly isWanted: () => boolean }[] = [];
  #turn: Promise<void> = Promise.resolve();
  readonly #asked = new Map<number, Promise<readonly ViewRow[] | undefined>>();

  #charts: Promise<ViewCharts | undefined> | undefined;
  /** What was read of the run when it was shorter; it stands until it is read again. */
  readonly #older: ReadonlyMap<number, Piece | undefined> | undefined;

  constructor(source: Source, before?: Rows) {
    this.#source = source;
    this.#older = before && new Map([...before.#words, ...before.#kept]);
  }

  charts(): Promise<ViewCharts | undefined> {
    this.#charts ??= this.#source.charts();
    return this.#charts;
  }

  /** As `now`, also where what was read may be a little old; it may lack what it carries where that is not said to be needed. */
  lately(place: number, isWhole = false): ViewRow | null | undefined {
    const { pieceSize } = this.#source.head;
    const [number, at] = [Math.floor(place / pieceSize), place % pieceSize];
    const row = this.now(place);
    const words = isWhole ? undefined : this.#words.get(number)?.rows[at];
    return row ?? words ?? this.#older?.get(number)?.rows[at] ?? row;
  }

  /** The row, where its piece was read; undefined where it was not yet, null where it was left out. */
  now(place: number): ViewRow | null | undefined {
    const { pieceSize } = this.#source.head;
    const number = Math.floor(place / pieceSize);
    if (!this.#kept.has(number)) return undefined;
    return this.#kept.get(number)?.rows[place % pieceSize] ?? null;
  }

  piece(number: number): Promise<readonly ViewRow[] | undefined> {
    if (this.#kept.has(number)) {
      const piece = this.#kept.get(number);
      // It was looked at last.
      this.#kept.delete(number);
      this.#kept.set(number, piece);
      return Promise.resolve(piece?.rows);
    }
    let asked = this.#asked.get(number);
    if (asked === undefined) {
      asked = this.#source.piece(number).then((piece) => {
        this.#asked.delete(number);
        this.#kept.keep(number, piece);
        return piece?.rows;
      });
      this.#asked.set(number, asked);
    }
    return asked;
  }

  /** The pieces of all these places, read. Words are asked for one request at a time; what nobody wants any more by then is not. */
  async reading(
    places: readonly number[],
    isWhole = false,
    isWanted = (): boolean => true,
  ): Promise<void> {
    const { head, words } = this.#source;
    const numbers = [...new Set(places.map((place) => Math.floor(place / head.pieceSize)))];
    if (isWhole || words === undefined) {
      await Promise.all(numbers.map((number) => this.piece(number)));
      return;
    }
    this.#wanted.push({ numbers, isWanted });
    const ask = async (): Promise<void> => {
      const wanted = this.#wanted.filter((one) => one.isWanted()).flatMap((one) => one.numbers);
      this.#wanted = [];
      const missing = [...new Set(wanted)].filter(
        (number) => !this.#kept.has(number) && !this.#words.has(number),
      );
      const found = missing.length === 0 ? [] : await words(missing);
      for (const [at, number] of missing.entries()) this.#words.keep(number, found[at]);
    };
    this.#turn = this.#turn.then(ask, ask);
    await this.#turn;
  }

  isHere(places: readonly number[], isWhole = false): boolean {
    const { pieceSize } = this.#source.head;
    return places.every(
      (place) =>
        this.now(place) !== undefined ||
        (!isWhole && this.#words.has(Math.floor(place / pieceSize))),
    );
  }
}
