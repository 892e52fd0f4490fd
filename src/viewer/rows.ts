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
  /** The statecharts of its actors; undefined where the page leaves them out. */
  charts(): Promise<ViewCharts | undefined>;
}

/** Ours: bytes of pieces that are kept, as text; in memory they take some three times as much. */
const KEPT_BYTES_MOST = 64_000_000;

/** Rows by place; a piece that was read is there at once. */
export class Rows {
  readonly #source: Source;
  readonly #kept = new Map<number, Piece | undefined>();
  #keptBytes = 0;
  readonly #asked = new Map<number, Promise<readonly ViewRow[] | undefined>>();

  #charts: Promise<ViewCharts | undefined> | undefined;
  /** What was read of the run when it was shorter; it stands until it is read again. */
  readonly #older: ReadonlyMap<number, Piece | undefined> | undefined;

  constructor(source: Source, before?: Rows) {
    this.#source = source;
    this.#older = before === undefined ? undefined : before.#kept;
  }

  charts(): Promise<ViewCharts | undefined> {
    this.#charts ??= this.#source.charts();
    return this.#charts;
  }

  /** As `now`, also where what was read may be a little old. */
  lately(place: number): ViewRow | null | undefined {
    const { pieceSize } = this.#source.head;
    const row = this.now(place);
    return row ?? this.#older?.get(Math.floor(place / pieceSize))?.rows[place % pieceSize] ?? row;
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
        this.#keep(number, piece);
        return piece?.rows;
      });
      this.#asked.set(number, asked);
    }
    return asked;
  }

  /** Whatever was looked at longest ago goes, but for what has just come. */
  #keep(number: number, piece: Piece | undefined): void {
    this.#kept.set(number, piece);
    this.#keptBytes += piece?.bytes ?? 0;
    for (const [oldest, old] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES_MOST || oldest === number) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= old?.bytes ?? 0;
    }
  }

  /** The pieces of all these places, read. */
  async reading(places: Iterable<number>): Promise<void> {
    const { pieceSize } = this.#source.head;
    const numbers = new Set([...places].map((place) => Math.floor(place / pieceSize)));
    await Promise.all([...numbers].map((number) => this.piece(number)));
  }

  isHere(places: Iterable<number>): boolean {
    for (const place of places) if (this.now(place) === undefined) return false;
    return true;
  }
}
