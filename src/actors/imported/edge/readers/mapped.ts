/** Reader of lines of any shape, by a mapping that says which field is what. */
import type { Json } from "../../../../machines/letter.ts";
import { type LogPiece, type Place, unread } from "../../record.ts";
import type { Item } from "../input/items.ts";
import type { Mapped, Mapping } from "../mapping.ts";
import { atPath, hasWords, idOf, isEmpty, leaves, mapOf, textOf, wholeOf } from "./fields.ts";
import { knownRole } from "./messageFields.ts";
import { type At, called, type OpenLog, returned, said } from "./openLog.ts";
import { argumentsOf } from "./parts.ts";
import { LogsById, type Reader, type ReaderOf } from "./reader.ts";
import { timeOf } from "./time.ts";

/** A line as its mapping reads it; undefined where it lacks the field. */
type Line = { readonly [field in Mapped]: Json | undefined };

export class MappedReader implements Reader {
  readonly #mapping: readonly (readonly [Mapped, string])[];
  readonly #logs: LogsById;
  /** Of each log, how many calls of each tool, or under each id, have no result yet. */
  readonly #open = new Map<OpenLog, Map<string, number>>();
  /** Paths that the mapping does not name and were told of. */
  readonly #strange = new Set<string>();

  constructor(of: ReaderOf, mapping: Mapping) {
    this.#logs = new LogsById(of);
    this.#mapping = Object.entries(mapping) as [Mapped, string][];
  }

  take({ place, value, is }: Item): readonly LogPiece[] {
    const fields = mapOf(value);
    if (fields === null) return [unread(place, "a value that is no object")];
    if (is === "rest")
      return Object.values(fields).every(isEmpty)
        ? []
        : [unread(place, "what stands around the list")];
    const line = Object.fromEntries(
      this.#mapping.map(([field, path]) => [field, atPath(fields, path)]),
    ) as Line;
    const log = this.#logs.of(idOf(line.log));
    const open = this.#open.get(log) ?? new Map<string, number>();
    this.#open.set(log, open);
    new Reading(log, open, place, line).read();
    return [...log.taken(), ...this.#strangers(place, fields)];
  }

  end = (): readonly LogPiece[] => this.#logs.end();

  /** Words that the mapping does not name, each path once. */
  #strangers(place: Place, fields: { readonly [name: string]: Json }): readonly LogPiece[] {
    const pieces: LogPiece[] = [];
    for (const [path, value] of leaves(fields)) {
      const isNamed = this.#mapping.some(
        ([, own]) => own === path || path.startsWith(`${own}.`) || own.startsWith(`${path}.`),
      );
      if (isNamed || this.#strange.has(path) || !hasWords(value) || mapOf(value) !== null) continue;
      this.#strange.add(path);
      const shown = JSON.stringify(path.slice(0, 80));
      const reason = `the field ${shown} of this and of later lines, which the mapping does not name`;
      pieces.push(unread(place, reason));
    }
    return pieces;
  }
}

const lacks = (value: Json | undefined): value is undefined | null =>
  value === undefined || value === null;

class Reading {
  readonly #log: OpenLog;
  readonly #open: Map<string, number>;
  readonly #line: Line;
  readonly #at: At;

  constructor(log: OpenLog, open: Map<string, number>, place: Place, line: Line) {
    this.#log = log;
    this.#open = open;
    this.#line = line;
    const atMs = lacks(line.time) ? null : timeOf(line.time);
    const step = wholeOf(line.step);
    this.#at = { place, atMs, step };
    if (!lacks(line.time) && atMs === null) log.unread(place, "a time that is none");
    if (!lacks(line.step) && step === null)
      log.unread(place, "a step that is no whole number from 0");
  }

  read(): void {
    const { text, tool, result, error, role } = this.#line;
    const written = idOf(role);
    const known = written === null ? null : knownRole(written);
    const isResult = known === "tool" && lacks(result);
    const hasTool = textOf(tool) !== null;
    if (!lacks(text) && text !== "" && !isResult) this.#said(text, known, written);
    const returns = !lacks(result) || (isResult && !lacks(text)) || (hasTool && !isEmpty(error));
    if (hasTool || returns) this.#tool(isResult ? text : result, returns);
    else if (lacks(text) || text === "")
      this.#log.unread(
        this.#at.place,
        "a line without a text, a tool and a result where the mapping looks for them",
      );
  }

  #speaker(written: string | null): string {
    return idOf(this.#line.speaker) ?? written ?? "agent";
  }

  #said(value: Json, known: ReturnType<typeof knownRole>, written: string | null): void {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const role = known === "user" || known === "system" ? known : "agent";
    const to = idOf(this.#line.to);
    this.#log.give(said(this.#at, { speaker: this.#speaker(written), role, to, text }));
  }

  #tool(result: Json | undefined, returns: boolean): void {
    const { tool: named, args, call: id, role, error } = this.#line;
    const tool = textOf(named);
    const own = idOf(id);
    // A line that holds both states which call its result is of.
    const isWhole = own === null && tool !== null && returns && !lacks(args);
    const call = isWhole ? `line ${this.#at.place.line ?? 1}` : own;
    const key = call === null ? `tool ${tool}` : `call ${call}`;
    const waits = this.#open.get(key) ?? 0;
    const isAnswer = returns && waits > 0 && lacks(args);
    if (!isAnswer && tool !== null) {
      const agent = this.#speaker(knownRole(idOf(role) ?? "") === "tool" ? null : idOf(role));
      this.#log.give(called(this.#at, { agent, tool, call, ...argumentsOf(args ?? null) }));
    }
    const made = isAnswer || tool === null ? 0 : 1;
    this.#open.set(key, waits + made - (returns && waits + made > 0 ? 1 : 0));
    if (this.#open.get(key) === 0) this.#open.delete(key);
    if (!returns) return;
    const failed =
      error === true || (typeof error === "string" && error !== "") || mapOf(error) !== null;
    const ok = failed ? false : error === false ? true : null;
    const told = typeof error === "string" ? error : error === true ? null : JSON.stringify(error);
    const fault = failed ? (told ?? null) : null;
    this.#log.give(returned(this.#at, { tool, call, result: result ?? null, ok, error: fault }));
  }
}
