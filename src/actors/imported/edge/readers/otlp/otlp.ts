/** Reader of OpenTelemetry's GenAI spans: they come in any order, so that all are put aside before the first log is told. */
import { type LogPiece, type Place, unread } from "../../../record.ts";
import type { Item } from "../../input/items.ts";
import { idIn } from "../fields.ts";
import { nameById, type Reader, type ReaderOf } from "../reader.ts";
import { NAMES } from "./attributeNames.ts";
import { type Span, spansIn } from "./export.ts";
import { kindOf } from "./spanFields.ts";
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

/** What is known of each span before any is read again: to which log it belongs, when it began, and within which it lies. */
const LLM = 1;
const AROUND_LLM = 2;
const ANCESTORS_MAX = 200;

/** Numbers beside one another for each span: a million of them take little memory. */
class SpanIndex {
  readonly #seconds: number[] = [];
  readonly #nanos: number[] = [];
  readonly #ids: (string | null)[] = [];
  readonly #parents: (string | null)[] = [];
  readonly #traces: number[] = [];
  readonly #conversations: number[] = [];
  readonly #agents: number[] = [];
  readonly #kinds: number[] = [];
  readonly #names = new Table();
  /** The only conversation of each trace; null where it has several. */
  readonly #ofTrace = new Map<number, number | null>();

  get length(): number {
    return this.#ids.length;
  }

  add(span: Span, conversation: string | null, agent: string | null): void {
    const ns = (span.startNs ?? "0").padStart(19, "0");
    this.#seconds.push(Number(ns.slice(0, -9)));
    this.#nanos.push(Number(ns.slice(-9)));
    this.#ids.push(span.id);
    this.#parents.push(span.parent);
    const trace = this.#names.numberOf(`t${span.trace ?? ""}`);
    this.#traces.push(trace);
    const own = conversation === null ? NONE : this.#names.numberOf(`c${conversation}`);
    this.#conversations.push(own);
    this.#agents.push(agent === null ? NONE : this.#names.numberOf(`a${agent}`));
    this.#kinds.push(kindOf(span) === "model" ? LLM : 0);
    if (own === NONE) return;
    const known = this.#ofTrace.get(trace);
    this.#ofTrace.set(trace, known === undefined || known === own ? own : null);
  }

  /** The spans of each log, in the order in which they began; logs in the order of their first spans in the files. */
  *logs(): Generator<{ readonly id: string; readonly spans: readonly number[] }, undefined> {
    const logs = new Map<number, number[]>();
    for (let at = 0; at < this.length; at++) {
      const own = this.#conversations[at] ?? NONE;
      const trace = this.#traces[at] ?? NONE;
      const log = own === NONE ? (this.#ofTrace.get(trace) ?? trace) : own;
      const spans = logs.get(log);
      if (spans === undefined) logs.set(log, [at]);
      else spans.push(at);
    }
    const named = [...logs].map(([log, spans]) => ({
      id: this.#names.at(log).slice(1),
      spans: this.#sorted(spans),
    }));
    // By their beginning, so that the order of the lines does not matter.
    named.sort((a, b) => this.#order(a.spans[0] ?? 0, b.spans[0] ?? 0) || (a.id < b.id ? -1 : 1));
    yield* named;
  }

  /** By start; a parent before its children where both began at once. */
  #sorted(spans: readonly number[]): readonly number[] {
    const byId = this.#byId(spans);
    for (const at of spans) this.#marked(at, byId);
    const depths = new Map<number, number>();
    const depth = (at: number): number => {
      const known = depths.get(at);
      if (known !== undefined) return known;
      const found = this.#ancestors(at, byId).length;
      depths.set(at, found);
      return found;
    };
    return [...spans].sort(
      (a, b) => this.#start(a, b) || depth(a) - depth(b) || this.#idOrder(a, b),
    );
  }

  #order = (a: number, b: number): number => this.#start(a, b) || this.#idOrder(a, b);

  #start = (a: number, b: number): number =>
    (this.#seconds[a] ?? 0) - (this.#seconds[b] ?? 0) ||
    (this.#nanos[a] ?? 0) - (this.#nanos[b] ?? 0);

  #idOrder(a: number, b: number): number {
    const [one, other] = [this.#ids[a] ?? "", this.#ids[b] ?? ""];
    return one === other ? a - b : one < other ? -1 : 1;
  }

  #byId(spans: readonly number[]): ReadonlyMap<string, number> {
    const byId = new Map<string, number>();
    for (const at of spans) {
      const id = this.#ids[at] ?? null;
      if (id !== null && !byId.has(id)) byId.set(id, at);
    }
    return byId;
  }

  /** From the parent to the root; spans that are their own ancestors end it. */
  #ancestors(at: number, byId: ReadonlyMap<string, number>): readonly number[] {
    const found: number[] = [];
    let parent = this.#parents[at] ?? null;
    while (parent !== null && found.length < ANCESTORS_MAX) {
      const next = byId.get(parent);
      if (next === undefined || next === at || found.includes(next)) break;
      found.push(next);
      parent = this.#parents[next] ?? null;
    }
    return found;
  }

  /** Says of each span whose agent it is, and of models' spans whether they lie around others. */
  #marked(at: number, byId: ReadonlyMap<string, number>): void {
    const needsAgent = this.#agents[at] === NONE;
    const isLlm = ((this.#kinds[at] ?? 0) & LLM) !== 0;
    if (!needsAgent && !isLlm) return;
    const ancestors = this.#ancestors(at, byId);
    const owner = ancestors.find((one) => this.#agents[one] !== NONE);
    if (needsAgent && owner !== undefined) this.#agents[at] = this.#agents[owner] ?? NONE;
    if (isLlm) for (const one of ancestors) this.#kinds[one] = (this.#kinds[one] ?? 0) | AROUND_LLM;
  }

  /** Asked after `logs`. */
  agentOf(at: number): string | null {
    const agent = this.#agents[at] ?? NONE;
    return agent === NONE ? null : this.#names.at(agent).slice(1);
  }

  isAroundModel = (at: number): boolean => ((this.#kinds[at] ?? 0) & AROUND_LLM) !== 0;
}

const NONE = -1;

/** Texts by number, each once. */
class Table {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  at = (number: number): string => this.#texts[number] ?? "";
}
