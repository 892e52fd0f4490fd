/**
 * Finds what each record of a log rests on, record by record. It keeps numbers, names and hashes, no texts, and no more of
 * them than bounds.ts says.
 */
import type { LogLink } from "../../machines/imported/mail.ts";
import { isMap } from "../../machines/isMap.ts";
import type { Json } from "../../machines/letter.ts";
import { bounds, telling } from "./bounds.ts";
import { link, ordered } from "./links.ts";
import type { Called, LogRecord, Noted, Returned, Said } from "./record.ts";
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

// The values in a text that tell where they come from: numbers and ids that are no mere dates, addresses, long words.

const CANDIDATE = /[A-Za-z0-9][\w.@:/+-]*/g;
const END = /[.:/+@-]+$/;
const YEAR = /^(?:19|20)\d\d$/;
const DATE_OR_TIME = /^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?(?:T[\d:.+-]*)?(?:[+-]\d+)?$/;
const ROUND = /^[1-9]0+(?:\.0+)?$/;
const NUMBER = /^[\d.:/+-]+$/;
const LETTERS = /^[A-Za-z]+$/;

/** Whether it is likely to stand in two places because one has it from the other. */
export function isTelling(value: string): boolean {
  if (/\d/.test(value)) {
    if (value.length < telling.withDigit || YEAR.test(value) || ROUND.test(value)) return false;
    if (DATE_OR_TIME.test(value) && !/^\d+\.\d+$/.test(value)) return false;
    // Of a number, its digits; of a decimal, too.
    return !NUMBER.test(value) || value.replace(/\D/g, "").length >= telling.withDigit;
  }
  if (/[_@]/.test(value)) return value.length >= telling.joined;
  return value.length >= telling.word && LETTERS.test(value);
}

/** Each once, in the order of the text; names of fields in JSON are no values. */
export function tellingValues(text: string): readonly string[] {
  const searched = text.length > bounds.searchedChars ? text.slice(0, bounds.searchedChars) : text;
  const found = new Set<string>();
  CANDIDATE.lastIndex = 0;
  for (let hit = CANDIDATE.exec(searched); hit !== null; hit = CANDIDATE.exec(searched)) {
    const [raw] = hit;
    if (raw.length < telling.withDigit || raw.length > bounds.valueChars) continue;
    const end = hit.index + raw.length;
    if (searched[end] === '"' && searched[end + 1] === ":") continue;
    const value = END.test(raw) ? raw.replace(END, "") : raw;
    if (isTelling(value)) found.add(value);
  }
  return [...found];
}

/** A value as the text in which values are looked for. */
const searchable = (value: Json): string =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);

/** As `record` and `mcp` note it: `at` names the tool and the id of its call, or which answer of a model it was. */
export type Fault = { readonly fault: string; readonly at: string; readonly instead?: Json };
const ANSWER = "answer";

export const isFault = (
  noted: Pick<Noted, "what" | "data">,
): noted is Noted & { readonly data: Fault } =>
  noted.what === "fault" &&
  isMap(noted.data) &&
  typeof noted.data["fault"] === "string" &&
  typeof noted.data["at"] === "string";

export class Linker {
  readonly #heard = new Heard();
  readonly #calls = new OpenCalls();
  readonly #ids = new BoundedMap<string, Known>(bounds.ids);
  readonly #paths = new BoundedMap<string, number>(bounds.paths);
  readonly #values: ValueIndex;
  /** Of calls whose results were changed on purpose, where that is noted. */
  readonly #faults = new BoundedMap<number, number>(bounds.openCalls);
  #answerFault: (Pick<LogRecord, "place"> & { readonly seq: number }) | undefined;
  #unsearched = 0;
  /** The last message that an agent's calls may belong to. */
  #message: { readonly said: Said; readonly seq: number } | undefined;

  constructor(values = new ValueIndex()) {
    this.#values = values;
  }

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
      case "noted":
        if (isFault(record)) this.#fault(record, seq);
        return { links: record.what === "error" ? this.#faulted(record) : [] };
      default:
        return { links: [] };
    }
  }

  /** At the result of a call that is open, by its id or its tool; else at what is answered next. */
  #fault({ data, place }: Noted & { readonly data: Fault }, seq: number): void {
    const [, tool = "", id = ""] = /^(.*) (\S+)$/.exec(data.at) ?? [];
    const call = this.#calls.waiting(id, tool);
    if (call !== undefined) this.#faults.set(call.seq, seq);
    else if (tool === ANSWER) this.#answerFault = { seq, place };
  }

  #faulted({ place }: Pick<LogRecord, "place">): LogLink[] {
    const met = this.#answerFault;
    const isThere = met?.place.line === place.line && met.place.file === place.file;
    return isThere ? [link("faulted", met.seq)] : [];
  }

  #said(said: Said, seq: number): LogLink[] {
    const { speaker, role, to, text } = said;
    const links = role === "agent" ? [...this.#faulted(said), ...this.#lastHeard(speaker)] : [];
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
    const fault = call && this.#faults.get(call.seq);
    if (fault !== undefined) links.push(link("faulted", fault));
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

/** What each speaker of a log heard last, and what it said itself. */
interface Own {
  /** What was said to it alone, or came back to it. */
  readonly told?: number;
  readonly said?: number;
}

interface Aloud {
  readonly speaker: string;
  readonly seq: number;
}

class Heard {
  readonly #own = new BoundedMap<string, Own>(bounds.agents);
  /** What was said to everyone: the last, and the last of anyone but its speaker. */
  #last: Aloud | undefined;
  #lastOfOthers: Aloud | undefined;

  get forgotten(): number {
    return this.#own.forgotten;
  }

  said(speaker: string, to: string | null, seq: number): void {
    this.#own.set(speaker, { ...this.#own.get(speaker), said: seq });
    if (to !== null) {
      this.told(to, seq);
      return;
    }
    if (this.#last?.speaker !== speaker) this.#lastOfOthers = this.#last;
    this.#last = { speaker, seq };
  }

  told(to: string, seq: number): void {
    this.#own.set(to, { ...this.#own.get(to), told: seq });
  }

  lastSaid(speaker: string): number | undefined {
    return this.#own.get(speaker)?.said;
  }

  lastHeard(listener: string): number | undefined {
    const { told = -1 } = this.#own.get(listener) ?? {};
    const aloud = this.#last?.speaker === listener ? this.#lastOfOthers : this.#last;
    const last = Math.max(told, aloud?.seq ?? -1);
    return last < 0 ? undefined : last;
  }
}

/** The calls of a log that have no result yet, by their ids and by their tools. */
export interface OpenCall {
  readonly seq: number;
  readonly agent: string;
  readonly tool: string;
  /** By which its result names it. */
  readonly id: string | null;
  /** Paths that it writes. */
  readonly writes: readonly string[];
}

class OpenCalls {
  /** By seq, the oldest first. */
  readonly #open = new BoundedMap<number, OpenCall>(bounds.openCalls);
  /** The last call of each id: an id may come again once its call is answered. */
  readonly #byId = new BoundedMap<string, OpenCall>(bounds.openCalls);
  /** The open calls of each tool, the last one last. */
  readonly #byTool = new BoundedMap<string, number[]>(bounds.openCalls);

  get forgotten(): number {
    return this.#open.forgotten;
  }

  open(call: OpenCall): void {
    this.#open.set(call.seq, call);
    if (call.id !== null) this.#byId.set(call.id, call);
    for (const tool of [call.tool, ANY]) {
      const seqs = this.#byTool.get(tool) ?? [];
      // Of those that nothing ever answers, only the last ones can be meant.
      if (seqs.length >= OF_TOOL_MOST) seqs.shift();
      seqs.push(call.seq);
      this.#byTool.set(tool, seqs);
    }
  }

  /** The call that a result is of: as the log states it, else the last open one of its tool. */
  answered({ call: id, tool }: Pick<Returned, "call" | "tool">): {
    readonly call: OpenCall | undefined;
    readonly isStated: boolean;
  } {
    const named = id === null ? undefined : this.#byId.get(id);
    const call = named ?? (id === null ? this.#last(tool ?? ANY) : undefined);
    if (call !== undefined) this.#open.delete(call.seq);
    return { call, isStated: named !== undefined };
  }

  /** The one of that id, else the last of that tool, that has no result yet. */
  waiting(id: string, tool: string): OpenCall | undefined {
    const named = this.#byId.get(id);
    const seq = named?.tool === tool ? named.seq : this.#byTool.get(tool)?.at(-1);
    return seq === undefined ? undefined : this.#open.get(seq);
  }

  #last(tool: string): OpenCall | undefined {
    const seqs = this.#byTool.get(tool) ?? [];
    for (let seq = seqs.pop(); seq !== undefined; seq = seqs.pop()) {
      const call = this.#open.get(seq);
      // One that has an id is answered under it.
      if (call !== undefined && (call.id === null || tool !== ANY)) return call;
    }
    return undefined;
  }
}

/** No tool is called so. */
const ANY = "\0any";
const OF_TOOL_MOST = 64;

/** A map that lets go of what was set first once it holds too much. */
export class BoundedMap<K, V> {
  /** Entries that were let go of. */
  forgotten = 0;
  readonly #most: number;
  readonly #entries = new Map<K, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** The newest, also where the key is there already. */
  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      this.forgotten += 1;
      return;
    }
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
