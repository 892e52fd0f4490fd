/**
 * What can go wrong at an edge, as tagged errors. Each says where, what was found, what is allowed
 * and what to do next; `message` is the whole text for people and ends with what to do next.
 * A bug of ours is an assertion instead, and a failure inside the modelled world is an event.
 */
import { nearest } from "../machines/nearest.ts";
import { EXIT } from "./exit.ts";

/** A place in the user's or the program's input. Lines and columns count from 1. */
export interface Where {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Like `events[1].at`, or the option: `--seed`. */
  readonly path?: string;
}

export interface Problem {
  readonly where: Where;
  /** What stands there, in words or as quoted text. */
  readonly found: string;
  /** What may stand there. Empty when there is nothing to choose from. */
  readonly allowed: string;
  /** One more sentence, such as `Did you mean "agents"?`. */
  readonly hint?: string;
}

export interface Facts extends Problem {
  /** One sentence: what to do next. */
  readonly todo: string;
  /** Further problems of the same input, in the order of its lines. */
  readonly more?: readonly Problem[];
  /** Of what a part's own code threw; no message holds it. */
  readonly stackOfPart?: string;
}

/** How many problems of one input a message spells out. */
export const SHOWN_MAX = 5;

/** One kind of error at an edge: `_tag` is its name. */
type Kind<Tag extends string> = new (
  facts: Facts,
) => Error & Facts & { readonly _tag: Tag; readonly exitCode: number };

function kind<const Tag extends string>(tag: Tag, exitCode: number): Kind<Tag> {
  class EdgeFailure extends Error {
    override readonly name = tag;
    readonly _tag = tag;
    readonly exitCode = exitCode;
    constructor(facts: Facts) {
      super(messageOf(facts));
      Object.assign(this, facts);
    }
    toJSON(): object {
      return { ...this, message: this.message };
    }
  }
  return EdgeFailure as unknown as Kind<Tag>; // The compiler does not see the facts that were assigned.
}

/** A scenario, an option, a name or a bundle that we cannot take. */
export class BadInput extends kind("BadInput", EXIT.badInput) {}

/** One, said in the order in which its message says it. `where`: a text is the path of a field, or an option. */
export const badInput = (
  where: string | Where,
  found: string,
  allowed: string,
  todo: string,
  hint?: Pick<Problem, "hint">,
): BadInput =>
  new BadInput({
    ...{ where: typeof where === "string" ? { path: where } : where, found, allowed },
    ...{ ...hint, todo },
  });

/** All that is wrong with one input, as one error; nothing where nothing is. */
export function refuse([first, ...more]: readonly Problem[], todo: string): void {
  if (first !== undefined) throw new BadInput({ ...first, more, todo });
}

/** The output folder cannot be written, or an explicit one is not empty. */
export class OutputRefused extends kind("OutputRefused", EXIT.badInput) {}

/** A bundle that a newer version of the program wrote. */
export class NewerFormat extends kind("NewerFormat", EXIT.badInput) {}

/** A replay differs from its recording, or a recording's chain is broken. */
export class Divergence extends kind("Divergence", EXIT.divergence) {}

/** A strict replay asked for a reply that the recording does not hold. */
export class RecordingMissing extends kind("RecordingMissing", EXIT.miss) {}

/** Python does not start on this machine. */
export class SandboxFailed extends kind("SandboxFailed", EXIT.badInput) {}

/** The model of a live run is not there, or not what it must be. */
export class LiveUnavailable extends kind("LiveUnavailable", EXIT.badInput) {}

/** What a program put behind a port of a run gave no answer that the port can take. */
export class PortFailed extends kind("PortFailed", EXIT.badInput) {}

/** The code of a part of a program's own threw, or its machine wrote where nobody reads. */
export class PartThrew extends kind("PartThrew", EXIT.badInput) {}

const edgeErrors = [
  BadInput,
  OutputRefused,
  NewerFormat,
  Divergence,
  RecordingMissing,
  SandboxFailed,
  LiveUnavailable,
  PortFailed,
  PartThrew,
] as const;

/** Any of them; `_tag` says which. */
export type EdgeError = InstanceType<(typeof edgeErrors)[number]>;

/** Whether an error is about input, output or this machine, and no bug of ours. It has a `_tag`. */
export const isEdgeError = (thrown: unknown): thrown is EdgeError =>
  edgeErrors.some((kind) => thrown instanceof kind);

/** `Did you mean "agents"?`, as a part of a Problem. */
export function hintFor(
  word: string,
  candidates: Iterable<string>,
): { readonly hint: string } | undefined {
  const candidate = nearest(word, candidates);
  return candidate === undefined || candidate === word
    ? undefined
    : { hint: `Did you mean ${quoted(candidate)}?` };
}

/** The one of these that was given. Throws BadInput that names them all, and the nearest. */
export function oneOf<const K extends string>(
  path: string,
  given: string,
  known: readonly K[],
  todo: string,
): K {
  const found = known.find((one) => one === given);
  if (found !== undefined) return found;
  throw badInput(path, quoted(given), known.join(" | "), todo, hintFor(given, known));
}

/** Throws unless a command was given either what it is about or --batch. `what`: as in `Give the path of a file`. */
export function eitherOrBatch(
  path: string,
  isGiven: boolean,
  isBatch: boolean | undefined,
  thing: string,
  what = thing,
): void {
  if (isGiven !== (isBatch === true)) return;
  const found = isGiven ? `${thing} and --batch` : `neither ${thing} nor --batch`;
  const todo = `Give ${what}, or --batch with JSON lines on standard input.`;
  throw badInput(path, found, "one of the two", todo);
}

/** A value as it may stand in a sentence: JSON on one line, cut to a readable length. */
export function quoted(value: unknown): string {
  if (Array.isArray(value) && value.length > QUOTED_ITEMS_MAX) {
    return `a list of ${value.length} items`;
  }
  if (typeof value === "number" || value === undefined) return String(value);
  if (typeof value === "string") return JSON.stringify(cut(value));
  return cut(JSON.stringify(value) ?? String(value));
}

const QUOTED_ITEMS_MAX = 20;
const QUOTED_CHARS_MAX = 80;

function cut(text: string): string {
  if (text.length <= QUOTED_CHARS_MAX) return text;
  return `${text.slice(0, QUOTED_CHARS_MAX).toWellFormed()}…`;
}

function messageOf({ todo, more = [], ...first }: Facts): string {
  const problems = [first, ...more];
  const shown = problems.slice(0, SHOWN_MAX).map(problemText);
  const rest = problems.length - shown.length;
  return [...shown, ...(rest > 0 ? [`… and ${rest} more.`] : []), todo].join("\n");
}

/** `x.yaml:12:9 events[1].at: found "soon"; allowed: a duration`. */
function problemText({ where, found, allowed, hint }: Problem): string {
  const { file, line, column, path } = where;
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const start = [place, path].filter((part) => part !== undefined && part !== "").join(" ");
  const allows = allowed === "" ? "" : `; allowed: ${allowed}`;
  return `${start}${start === "" ? "" : ": "}found ${found}${allows}${hint ? `. ${hint}` : ""}`;
}
