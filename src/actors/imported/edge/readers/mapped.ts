/** Reader of lines of any shape, by a mapping that says which field is what. */
import type { Json } from "../../../../machines/letter.ts";
import type { LogPiece, Place } from "../../record.ts";
import type { Item } from "../input/items.ts";
import type { Mapped, Mapping } from "../mapping.ts";
import { hasWords, idOf, isEmpty, mapOf, textOf, wholeOf } from "./fields.ts";
import { nameById } from "./logNames.ts";
import { bare, OpenLog } from "./openLog.ts";
import { argumentsOf } from "./parts.ts";
import { atPath, leaves } from "./paths.ts";
import type { Reader, ReaderOf } from "./reader.ts";
import { knownRole } from "./speaker.ts";
import { timeOf } from "./time.ts";

/** A line as its mapping reads it; undefined where it lacks the field. */
type Line = { readonly [field in Mapped]: Json | undefined };

interface MappedLog {
  readonly log: OpenLog;
  /** How many calls of each tool, or under each id, have no result yet. */
  readonly open: Map<string, number>;
}

export class MappedReader implements Reader {
  readonly #of: ReaderOf;
  readonly #mapping: readonly (readonly [Mapped, string])[];
  readonly #logs = new Map<string, MappedLog>();
  /** Paths that the mapping does not name and were told of. */
  readonly #strange = new Set<string>();

  constructor(of: ReaderOf, mapping: Mapping) {
    this.#of = of;
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
    const own = this.#logOf(line);
    new Reading(own, place, line).read();
    return [...own.log.taken(), ...this.#strangers(place, fields)];
  }

  end(): readonly LogPiece[] {
    return [...this.#logs.values()].flatMap(({ log }) => {
      log.close();
      return log.taken();
    });
  }

  #logOf({ log: value }: Line): MappedLog {
    const id = idOf(value) ?? "";
    const known = this.#logs.get(id);
    if (known !== undefined) return known;
    const name = id === "" ? this.#of.stem : nameById(this.#of.stem, id);
    const own = {
      log: new OpenLog({ ...this.#of, name, format: "mapped" }),
      open: new Map<string, number>(),
    };
    this.#logs.set(id, own);
    return own;
  }

  /** Words that the mapping does not name, each path once. */
  #strangers(place: Place, fields: { readonly [name: string]: Json }): readonly LogPiece[] {
    const pieces: LogPiece[] = [];
    for (const [path, value] of leaves(fields)) {
      const isNamed = this.#mapping.some(
        ([, own]) => own === path || path.startsWith(`${own}.`) || own.startsWith(`${path}.`),
      );
      if (isNamed || this.#strange.has(path) || !hasWords(value) || mapOf(value) !== null) continue;
      this.#strange.add(path);
      pieces.push(
        unread(
          place,
          `the field ${JSON.stringify(path.slice(0, 80))} of this and of later lines, which the mapping does not name`,
        ),
      );
    }
    return pieces;
  }
}

const unread = (place: Place, reason: string): LogPiece => ({
  kind: "unread",
  unread: { place, reason },
});

const lacks = (value: Json | undefined): value is undefined | null =>
  value === undefined || value === null;

class Reading {
  readonly #own: MappedLog;
  readonly #line: Line;
  readonly #base;
  readonly #place: Place;

  constructor(own: MappedLog, place: Place, line: Line) {
    this.#own = own;
    this.#line = line;
    this.#place = place;
    const atMs = lacks(line.time) ? null : timeOf(line.time);
    this.#base = { ...bare(place), atMs, step: wholeOf(line.step) };
    if (!lacks(line.time) && atMs === null) own.log.unread(place, "a time that is none");
    if (!lacks(line.step) && this.#base.step === null)
      own.log.unread(place, "a step that is no whole number from 0");
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
      this.#own.log.unread(
        this.#place,
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
    this.#own.log.give({
      ...this.#base,
      kind: "said",
      speaker: this.#speaker(written),
      role,
      to,
      text,
      model: null,
      usage: null,
      latencyMs: null,
    });
  }

  #tool(result: Json | undefined, returns: boolean): void {
    const { tool: named, args, call: id, role, error } = this.#line;
    const tool = textOf(named);
    const own = idOf(id);
    // A line that holds both states which call its result is of.
    const isWhole = own === null && tool !== null && returns && !lacks(args);
    const call = isWhole ? `line ${this.#place.line ?? 1}` : own;
    const key = call === null ? `tool ${tool}` : `call ${call}`;
    const waits = this.#own.open.get(key) ?? 0;
    const isAnswer = returns && waits > 0 && lacks(args);
    if (!isAnswer && tool !== null) {
      this.#own.log.give({
        ...this.#base,
        kind: "called",
        agent: this.#speaker(knownRole(idOf(role) ?? "") === "tool" ? null : idOf(role)),
        tool,
        call,
        ...argumentsOf(args ?? null),
      });
    }
    const made = isAnswer || tool === null ? 0 : 1;
    this.#own.open.set(key, waits + made - (returns && waits + made > 0 ? 1 : 0));
    if (this.#own.open.get(key) === 0) this.#own.open.delete(key);
    if (!returns) return;
    const failed =
      error === true || (typeof error === "string" && error !== "") || mapOf(error) !== null;
    const ok = failed ? false : error === false ? true : null;
    const told = !failed
      ? null
      : typeof error === "string"
        ? error
        : error === true
          ? null
          : JSON.stringify(error);
    this.#own.log.give({
      ...this.#base,
      kind: "returned",
      tool,
      call,
      result: result ?? null,
      ok,
      error: told,
      latencyMs: null,
    });
  }
}
