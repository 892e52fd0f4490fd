/**
 * Regular expressions of grep and sed, basic and extended, on an automaton: its time grows with
 * pattern times text and never explodes. Leftmost, then longest, as POSIX wants it. No back-references
 * in patterns, no counts above 255.
 */

import { type Node, PatternError, parsePattern } from "./patternSyntax.ts";
import type { Meter } from "./shellLimits.ts";

export interface Pattern {
  /** The leftmost match at or after `from`: begin and end of the whole and of each group, or −1. */
  search(text: readonly string[], from: number): readonly number[] | undefined;
}

export interface PatternOptions {
  readonly kind: "basic" | "extended" | "fixed";
  readonly ignoreCase: boolean;
  readonly steps: Meter;
}

type Test = (character: string) => boolean;

type Instruction =
  | { readonly kind: "test"; readonly accepts: Test }
  | { readonly kind: "split"; readonly first: number; readonly second: number }
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "save"; readonly slot: number }
  | { readonly kind: "assert"; readonly what: "^" | "$" | "\\b" | "\\<" | "\\>" }
  | { readonly kind: "match" };

interface Thread {
  readonly at: number;
  readonly slots: readonly number[];
}

/** Instructions, and parts looked at: counts of counts of nothing make no instruction. */
const PROGRAM_MAX = 4_000;

/** Throws PatternError when the text is no pattern. */
export function patternOf(source: string, options: PatternOptions): Pattern {
  const { ignoreCase, steps } = options;
  const { node, groups } = parsePattern(source, options.kind);
  const program = programOf(node, ignoreCase);
  const slots = new Array<number>(2 * (groups + 1)).fill(-1);
  return {
    search(text, from) {
      for (let start = from; start <= text.length; start++) {
        const found = matchAt(program, text, start, slots, steps);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** All threads side by side, in the order of preference; the longest match wins. */
function matchAt(
  program: readonly Instruction[],
  text: readonly string[],
  start: number,
  slots: readonly number[],
  steps: Meter,
): readonly number[] | undefined {
  let best: readonly number[] | undefined;
  let threads = follow(program, [{ at: 0, slots }], text, start, steps);
  for (let position = start; threads.length > 0; position++) {
    const next: Thread[] = [];
    for (const thread of threads) {
      const instruction = program[thread.at] as Instruction;
      if (instruction.kind === "match") {
        const isLonger = best === undefined || position > (best[1] ?? 0);
        if (isLonger) best = thread.slots.with(0, start).with(1, position);
      } else if (
        instruction.kind === "test" &&
        position < text.length &&
        instruction.accepts(text[position] ?? "")
      ) {
        next.push({ at: thread.at + 1, slots: thread.slots });
      }
    }
    threads = follow(program, next, text, position + 1, steps);
  }
  return best;
}

/** The threads after every jump, split and assertion, each instruction once. */
function follow(
  program: readonly Instruction[],
  starts: readonly Thread[],
  text: readonly string[],
  position: number,
  steps: Meter,
): Thread[] {
  const seen = new Set<number>();
  const waiting = [...starts].reverse();
  const reached: Thread[] = [];
  for (let thread = waiting.pop(); thread !== undefined; thread = waiting.pop()) {
    if (seen.has(thread.at)) continue;
    seen.add(thread.at);
    steps.spend(1);
    const { at, slots } = thread;
    const instruction = program[at] as Instruction;
    if (instruction.kind === "split") {
      waiting.push({ at: instruction.second, slots }, { at: instruction.first, slots });
    } else if (instruction.kind === "jump") waiting.push({ at: instruction.to, slots });
    else if (instruction.kind === "save") {
      steps.spend(slots.length);
      waiting.push({ at: at + 1, slots: slots.with(instruction.slot, position) });
    } else if (instruction.kind === "assert") {
      if (holds(instruction.what, text, position)) waiting.push({ at: at + 1, slots });
    } else reached.push(thread);
  }
  return reached;
}

function holds(what: string, text: readonly string[], position: number): boolean {
  const before = /\w/.test(text[position - 1] ?? "");
  const after = /\w/.test(text[position] ?? "");
  switch (what) {
    case "^":
      return position === 0;
    case "$":
      return position === text.length;
    case "\\<":
      return !before && after;
    case "\\>":
      return before && !after;
    default:
      return before !== after;
  }
}

function programOf(root: Node, ignoreCase: boolean): readonly Instruction[] {
  const compiler = new Compiler(ignoreCase);
  compiler.compile(root);
  compiler.emit({ kind: "match" });
  return compiler.program;
}

class Compiler {
  readonly program: Instruction[] = [];
  private readonly ignoreCase: boolean;
  private compiled = 0;

  constructor(ignoreCase: boolean) {
    this.ignoreCase = ignoreCase;
  }

  emit(instruction: Instruction): number {
    return this.program.push(instruction) - 1;
  }

  compile(node: Node): void {
    this.compiled += 1;
    if (this.compiled > PROGRAM_MAX) throw new PatternError("Regular expression too big");
    switch (node.kind) {
      case "test":
        this.emit({ ...node, accepts: this.ignoreCase ? eitherCase(node.accepts) : node.accepts });
        return;
      case "assert":
        this.emit(node);
        return;
      case "group":
        this.emit({ kind: "save", slot: 2 * node.index });
        this.compile(node.inner);
        this.emit({ kind: "save", slot: 2 * node.index + 1 });
        return;
      case "sequence":
        for (const part of node.parts) this.compile(part);
        return;
      case "either":
        this.either(node.options);
        return;
      case "repeat":
        for (let time = 0; time < node.min; time++) this.compile(node.inner);
        if (node.max === undefined) this.optional(node.inner, true);
        else for (let time = node.min; time < node.max; time++) this.optional(node.inner, false);
    }
  }

  /** Rather in than past; with `again`, back to the choice afterwards. */
  private optional(inner: Node, again: boolean): void {
    const choice = this.emit({ kind: "jump", to: 0 });
    this.compile(inner);
    if (again) this.emit({ kind: "jump", to: choice });
    this.program[choice] = { kind: "split", first: choice + 1, second: this.program.length };
  }

  private either(options: readonly Node[]): void {
    const exits: number[] = [];
    for (const option of options.slice(0, -1)) {
      const choice = this.emit({ kind: "jump", to: 0 });
      this.compile(option);
      exits.push(this.emit({ kind: "jump", to: 0 }));
      this.program[choice] = { kind: "split", first: choice + 1, second: this.program.length };
    }
    this.compile(options.at(-1) as Node);
    for (const exit of exits) this.program[exit] = { kind: "jump", to: this.program.length };
  }
}

const eitherCase =
  (accepts: Test): Test =>
  (one) =>
    accepts(one) || accepts(one.toLowerCase()) || accepts(one.toUpperCase());
