/** Reader of OpenTelemetry's GenAI spans: they come in any order, so that all are put aside before the first log is told. */
import { type LogPiece, type Place, unread } from "../../../record.ts";
import type { Item } from "../../input/items.ts";
import { idIn } from "../fields.ts";
import { nameById } from "../logNames.ts";
import type { Reader, ReaderOf } from "../reader.ts";
import { NAMES } from "./attributeNames.ts";
import { type Span, spansIn } from "./export.ts";
import { SpanIndex } from "./spanIndex.ts";
import { Spool } from "./spool.ts";
import { TraceLog } from "./traceLog.ts";

export class OtlpReader implements Reader {
  readonly #of: ReaderOf;
  readonly #spool: Spool;
  readonly #index = new SpanIndex();
  readonly #lines: (number | null)[] = [];
  readonly #spansIn: typeof spansIn;

  /** `spans`: those of another format than OTLP. */
  constructor(of: ReaderOf, memoryBytes?: number, spans = spansIn) {
    this.#of = of;
    this.#spool = new Spool(memoryBytes);
    this.#spansIn = spans;
  }

  take({ place, value, is }: Item): readonly LogPiece[] {
    // Around spans that were given one by one nothing is left but empty lists.
    if (is === "rest") return [];
    const pieces: LogPiece[] = [];
    for (const span of this.#spansIn(value)) {
      if ("fault" in span) pieces.push(unread(place, span.fault));
      else this.#add(span, place);
    }
    return pieces;
  }

  #add(span: Span, place: Place): void {
    const conversation = idIn(span.attributes, ...NAMES.conversation);
    this.#index.add(span, conversation, idIn(span.attributes, ...NAMES.agent, ...NAMES.agentId));
    this.#spool.add(JSON.stringify(span));
    this.#lines.push(place.line);
  }

  *end(): Generator<LogPiece, undefined> {
    const { file, stem } = this.#of;
    try {
      for (const { id, spans } of this.#index.logs()) {
        const log = new TraceLog({
          ...{ file, format: this.#of.format },
          name: id === "" ? `${stem}.no-trace` : nameById(stem, id),
        });
        for (const at of spans) {
          const place: Place = { file, line: this.#lines[at] ?? null };
          const around = {
            place,
            agent: this.#index.agentOf(at),
            isAroundModel: this.#index.isAroundModel(at),
          };
          yield* log.take(JSON.parse(this.#spool.at(at)) as Span, around);
        }
        yield* log.close();
      }
    } finally {
      this.#spool.close();
    }
  }
}
