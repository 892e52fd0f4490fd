/** Of all pieces that readers give, those of one log. */
import { BadInput, hintFor, quoted } from "../../../../edges/errors.ts";
import type { LogPiece } from "../../record.ts";

/** Names that an error lists, and of which the nearest one is told. */
const most = { shown: 10, known: 10_000 } as const;

export class OnlyLog {
  readonly #name: string;
  readonly #others: string[] = [];
  #isThere = false;

  constructor(name: string) {
    this.#name = name;
  }

  async *of(pieces: AsyncIterable<LogPiece>): AsyncGenerator<LogPiece, undefined> {
    for await (const piece of pieces) {
      const log =
        piece.kind === "opened" ? piece.head.name : "log" in piece ? piece.log : undefined;
      if (log === this.#name) this.#isThere = true;
      else if (piece.kind === "opened" && this.#others.length < most.known) {
        this.#others.push(piece.head.name);
      }
      if (log === undefined || log === this.#name) yield piece;
    }
  }

  /** Once everything is read. Throws BadInput. */
  mustBeThere(): void {
    if (this.#isThere) return;
    const shown = this.#others.slice(0, most.shown).join(", ");
    const more = this.#others.length > most.shown ? ", …" : "";
    throw new BadInput({
      where: { path: "--only" },
      found: quoted(this.#name),
      allowed:
        shown === "" ? "the name of a log, and there is none" : `one of the logs: ${shown}${more}`,
      ...hintFor(this.#name, this.#others),
      todo: "Omit --only: logs.json in the folder of the import lists all.",
    });
  }
}
