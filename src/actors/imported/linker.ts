/**
 * Finds what each record of a log rests on, record by record. It keeps numbers, names and hashes, no texts, and no more of
 * them than bounds.ts says.
 */
import type { LogLink } from "../../machines/imported/mail.ts";
import { BoundedMap } from "./boundedMap.ts";
import { bounds } from "./bounds.ts";
import { Heard } from "./heard.ts";
import { link, ordered } from "./links.ts";
import { type OpenCall, OpenCalls } from "./openCalls.ts";
import type { Called, LogRecord, Returned, Said } from "./record.ts";
import { searchable, tellingValues } from "./tellingValues.ts";
import { type Holder, ValueIndex } from "./valueIndex.ts";
import { type PathUse, pathUse, shownPath } from "./writtenPaths.ts";

/** What is known of one record. */
export interface Linked {
  readonly links: readonly LogLink[];
  /** Of a result: the call that it is of. */
  readonly call: OpenCall | undefined;
}

/** A record that others may name as what they belong to. */
interface Known {
  readonly seq: number;
  /** The span of an agent's run explains less than a message or a call. */
  readonly isNote: boolean;
}

export class Linker {
  readonly #heard = new Heard();
  readonly #calls = new OpenCalls();
  readonly #ids = new BoundedMap<string, Known>(bounds.ids);
  readonly #paths = new BoundedMap<string, number>(bounds.paths);
  readonly #values = new ValueIndex();
  #unsearched = 0;
  /** The last message that an agent's calls may belong to. */
  #message: { readonly said: Said; readonly seq: number } | undefined;

  /** In the order of the log; `seq` grows. */
  linked(record: LogRecord, seq: number): Linked {
    const { links, call } = this.#of(record, seq);
    const known = record.parent === null ? undefined : this.#ids.get(record.parent);
    if (known !== undefined) links.push(link(known.isNote ? "parent" : "made-by", known.seq));
    if (record.id !== null) this.#ids.set(record.id, { seq, isNote: record.kind === "noted" });
    return { links: ordered(links), call };
  }

  /** What was let go of, or not looked at, by what it is. */
  get forgotten(): { readonly [what: string]: number } {
    const all = {
      "calls that waited for a result": this.#calls.forgotten,
      "ids of records": this.#ids.forgotten,
      "paths that were written": this.#paths.forgotten,
      "values that may be quoted": this.#values.forgotten,
      "agents and what they heard": this.#heard.forgotten,
      "texts that were searched in part": this.#unsearched,
    };
    return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
  }

  #of(record: LogRecord, seq: number): { links: LogLink[]; call?: OpenCall | undefined } {
    switch (record.kind) {
      case "said":
        return { links: this.#said(record, seq) };
      case "called":
        return { links: this.#called(record, seq) };
      case "returned":
        return this.#returned(record, seq);
      case "offered":
        this.#hold(`${record.tool} ${record.description ?? ""}`, seq, "other");
        this.#hold(searchable(record.schema), seq, "other");
        return { links: [] };
      default:
        return { links: [] };
    }
  }

  #said(said: Said, seq: number): LogLink[] {
    const { speaker, role, to, text } = said;
    const links = role === "agent" ? this.#lastHeard(speaker) : [];
    const values = this.#valuesIn(text);
    if (role === "agent") links.push(...this.#quotes(values, ["result"]));
    this.#note(values, seq, role === "user" ? "person" : "other");
    this.#heard.said(speaker, to, seq);
    if (role === "agent") this.#message = { said, seq };
    return links;
  }

  #called(called: Called, seq: number): LogLink[] {
    const { agent, tool, args, raw } = called;
    const use = pathUse(tool, args);
    const links = [...this.#decided(called), ...this.#written(use)];
    const values = this.#valuesIn(raw ?? searchable(args));
    links.push(...this.#quotes(values, ["result", "person"]));
    this.#note(values, seq, "other");
    const writes = use?.does === "writes" ? use.paths : [];
    for (const path of writes) this.#paths.set(path, seq);
    this.#calls.open({ seq, agent, tool, id: called.call, writes });
    return links;
  }

  /** What made the agent call: its message, what it said right before, or what it heard. */
  #decided({ agent, step, place, parent }: Called): LogLink[] {
    const message = this.#message;
    if (message !== undefined && message.said.speaker === agent) {
      const { said } = message;
      const isSame = step !== null && said.step === step && said.place.file === place.file;
      if (isSame || (parent !== null && said.id === parent)) return [link("made-by", message.seq)];
    }
    const said = this.#heard.lastSaid(agent) ?? -1;
    const isNext = said > (this.#heard.lastHeard(agent) ?? -1);
    return isNext ? [link("next-call", said)] : this.#lastHeard(agent);
  }

  /** The last write of what a call reads: its result, which may say that nothing was written, or the call itself. */
  #written(use: PathUse | undefined): LogLink[] {
    if (use?.does !== "reads") return [];
    return use.paths.flatMap((path) => {
      const wrote = this.#paths.get(path);
      return wrote === undefined ? [] : [link("wrote-then-read", wrote, shownPath(path))];
    });
  }

  #returned(returned: Returned, seq: number): { links: LogLink[]; call: OpenCall | undefined } {
    const { call, isStated } = this.#calls.answered(returned);
    const links = call === undefined ? [] : [link(isStated ? "result-of" : "open-call", call.seq)];
    for (const path of call?.writes ?? []) {
      if (this.#paths.get(path) === call?.seq) this.#paths.set(path, seq);
    }
    const { result, error } = returned;
    this.#hold(searchable(result), seq, "result");
    if (error !== null) this.#hold(error, seq, "result");
    if (call === undefined) this.#heard.said(`tool ${returned.tool ?? ""}`, null, seq);
    else this.#heard.told(call.agent, seq);
    return { links, call };
  }

  #lastHeard(agent: string): LogLink[] {
    const seq = this.#heard.lastHeard(agent);
    return seq === undefined ? [] : [link("last-heard", seq)];
  }

  /** The most telling first: results before what people said, and of these the last one. Of each its longest value. */
  #quotes(values: readonly string[], of: readonly Holder[]): LogLink[] {
    const links = new Map<number, LogLink>();
    const results = new Set<number>();
    for (const value of values) {
      const first = this.#values.first(value);
      if (first === undefined || !of.includes(first.holder)) continue;
      if (first.results > bounds.quotedResults) continue;
      if (first.holder === "result") results.add(first.seq);
      const known = links.get(first.seq)?.value ?? "";
      if (value.length > known.length) links.set(first.seq, link("quotes", first.seq, value));
    }
    const rank = ({ seq }: LogLink): number => (results.has(seq) ? 1 : 0);
    return [...links.values()]
      .sort((a, b) => rank(b) - rank(a) || b.seq - a.seq)
      .slice(0, bounds.quotesOfRecord);
  }

  #hold(text: string, seq: number, holder: Holder): void {
    this.#note(this.#valuesIn(text), seq, holder);
  }

  #note(values: readonly string[], seq: number, holder: Holder): void {
    for (const value of values) this.#values.note(value, seq, holder);
  }

  #valuesIn(text: string): readonly string[] {
    if (text.length > bounds.searchedChars) this.#unsearched += 1;
    return tellingValues(text);
  }
}
