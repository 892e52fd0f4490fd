/**
 * Where a log may have gone wrong, as a ranking of what its agents said and did. The order is the best of the plain rules that were
 * measured (docs/suspects.md): what failed first, the longest, the first with code, then by length. What else speaks against each stands in its reason, and changes
 * no order: a ranking by that evidence was measured too, and did no better.
 */
import { failureOf } from "../contract/failure.ts";
import { emptyText } from "../contract/nothing.ts";
import { plainText, TEXT_CHARS_MAX } from "../contract/plainValue.ts";
import type { ToolCalled, ToolReturned, TraceFact, WordSaid } from "../contract/trace.ts";
import type { Exchange } from "./finding.ts";
import { KeptMap } from "./keptMap.ts";
import { Joined } from "./moments.ts";
import { FIGURE_CHARS_LEAST, LONG_CHARS_LEAST } from "./thresholds.ts";
import { exactText, quotedText } from "./valueText.ts";

/** What may speak against a step; the words of each stand in `reason`. */
export type Evidence =
  | "failed-first"
  | "failed"
  | "not-mended"
  | "repeated"
  | "empty-talked-over"
  | "figure-without-support"
  | "long-and-unchecked"
  | "long";

/** Something that an agent said or did, and what speaks against it. */
export interface Suspect {
  readonly seq: number;
  /** As the log counts; null where it does not. */
  readonly step: number | null;
  readonly agent: string;
  /** 1 for what failed first; else its length as a share of the longest. The order is not that of the scores alone. */
  readonly score: number;
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

/** What a plain rule names, to be held against the ranking: at most three steps, the first of which is its answer. */
export interface Guess {
  readonly rule: GuessRule;
  readonly places: readonly Pick<Suspect, "seq" | "step" | "agent">[];
}

export const GUESS_RULES = {
  longest: "the longest message of an agent",
  "failed-else-longest": "the message before the first failed exit, else the longest",
  last: "the last step",
  "most-frequent": "the agent that speaks and calls most often, at its first step",
  shipped: "the same, then the longest and the first with code: the order of the suspects",
  evidence: "the step against which most evidence speaks, by its length among equals",
} as const;
export type GuessRule = keyof typeof GUESS_RULES;

/** A ranking of what agents said and did in a log, and what plain rules name. */
export interface Suspects {
  /** The most suspect first; every step of an agent. */
  readonly suspects: readonly Suspect[];
  readonly guesses: readonly Guess[];
}

/** Where a suspect stands, as the log counts. */
export const standsText = ({ step, seq }: Pick<Suspect, "step" | "seq">): string =>
  step === null ? `#${seq}` : `step ${step} (#${seq})`;

/** Steps that a rule names. */
const GUESSED = 3;

/** Ours: of more steps the first are ranked. */
const STEPS_MAX = 100_000;

interface Step {
  readonly seq: number;
  readonly step: number | null;
  readonly agent: string;
  /** Of its words. */
  readonly chars: number;
  /** How often its agent had spoken or called before. */
  readonly before: number;
  readonly against: Map<Evidence, string>;
}

/** How much each piece of evidence counts; set before anything was measured, and fitted to nothing. */
const WEIGHTS: { readonly [name in Evidence]: number } = {
  "failed-first": 1,
  ...{ failed: 0.5, "not-mended": 0.5, repeated: 0.5, "empty-talked-over": 0.5 },
  ...{ "figure-without-support": 0.5, "long-and-unchecked": 0.5, long: 0 },
};

export function suspectsIn(facts: Iterable<TraceFact>): Suspects {
  const reading = new Reading();
  for (const fact of facts) reading.see(fact);
  return reading.suspects();
}

class Reading {
  readonly #joined = new Joined();
  readonly #steps: Step[] = [];
  readonly #bySeq = new KeptMap<number, Step>();
  readonly #acts = new Map<string, number>();
  /** Results that hold nothing, of which nobody has spoken yet, by who asked. */
  readonly #empty = new KeptMap<string, { readonly step: Step; readonly says: string }>();
  /** Failed calls that no later call of the same tool has mended, by who and what. */
  readonly #broken = new KeptMap<string, Step>();
  readonly #calls = new KeptMap<string, Step>();
  readonly #figures = new Figures();
  #failed: Step | undefined;
  #firstCode: Step | undefined;
  #last: Step | undefined;
  /** The longest message at hand that nobody has looked into. */
  #unchecked: { readonly step: Step; isChecked: boolean } | undefined;

  see(fact: TraceFact): void {
    for (const moment of this.#joined.of(fact)) {
      if (moment.is === "said") this.#said(moment.fact);
      else if (moment.is === "called") {
        const { seq, agent, args, raw, tool } = moment.fact;
        const own = this.#bySeq.get(seq) ?? this.#called(moment.fact);
        if (own === undefined) continue;
        this.#firstCode ??= own;
        const asked = raw ?? exactText(args) ?? "";
        this.#repeated(own, JSON.stringify([agent, tool, asked]));
        this.#figures.known(`${raw ?? ""} ${plainText(args)}`);
      } else this.#returned(moment.exchange);
    }
  }

  #said({ seq, step, speaker, role, text }: WordSaid): void {
    if (role !== "agent") {
      this.#figures.known(text);
      return;
    }
    const own = this.#added({ seq, step, agent: speaker, chars: text.length });
    if (own === undefined) return;
    if (CODE.test(text)) this.#firstCode ??= own;
    const waits = this.#empty.get(speaker);
    if (waits !== undefined) {
      this.#empty.delete(speaker);
      if (!SAYS_NOTHING.test(text.slice(0, TEXT_CHARS_MAX)))
        against(
          waits.step,
          "empty-talked-over",
          `${waits.says} for it, and ${speaker} went on as if it had`,
        );
    }
    if (
      this.#unchecked !== undefined &&
      this.#unchecked.step.agent !== speaker &&
      CHECKS.test(text)
    )
      this.#unchecked.isChecked = true;
    if (text.length >= LONG_CHARS_LEAST && own.before === 0) {
      this.#settle();
      this.#unchecked = { step: own, isChecked: false };
    }
    for (const [step, figure] of this.#figures.said(own, text))
      against(
        step,
        "figure-without-support",
        `its ${quotedText(figure)} stands in no result and no question before, and later steps use it`,
      );
    if (text.trim().length > 0) this.#repeated(own, JSON.stringify([speaker, text.trim()]));
  }

  #called({ seq, step, agent }: ToolCalled): Step | undefined {
    const last = this.#last;
    // A call belongs to the words that it stands beside.
    const isSame =
      last !== undefined &&
      last.agent === agent &&
      (step === null ? last.seq === seq - 1 : last.step === step);
    if (!isSame) return this.#added({ seq, step, agent, chars: 0 });
    this.#bySeq.set(seq, last);
    return last;
  }

  #added(one: Pick<Step, "seq" | "step" | "agent" | "chars">): Step | undefined {
    if (this.#steps.length >= STEPS_MAX) return undefined;
    const before = this.#acts.get(one.agent) ?? 0;
    this.#acts.set(one.agent, before + 1);
    const own: Step = { ...one, before, against: new Map() };
    this.#steps.push(own);
    this.#bySeq.set(own.seq, own);
    this.#last = own;
    return own;
  }

  #returned({ returned, call, isSpoken }: Exchange<ToolReturned>): void {
    this.#figures.known(plainText(returned.result));
    if (this.#unchecked !== undefined) this.#unchecked.isChecked = true;
    const own = call === null ? undefined : this.#bySeq.get(call.seq);
    if (own === undefined) return;
    const { agent, tool } = returned;
    const name = tool ?? "a tool";
    const error = failureOf(returned);
    const key = JSON.stringify([agent, tool]);
    if (error !== null) {
      const what = isSpoken ? "the code that it gave failed" : `its call of ${name} failed`;
      this.#failed ??= own;
      against(
        own,
        this.#failed === own ? "failed-first" : "failed",
        `${what}: ${quotedText(error)}`,
      );
      this.#broken.set(key, own);
      return;
    }
    this.#broken.delete(key);
    const empty = emptyText(returned.result);
    if (empty === null) this.#empty.delete(agent);
    else this.#empty.set(agent, { step: own, says: `${name} returned ${empty}` });
  }

  #repeated(own: Step, key: string): void {
    if (key.length > KEY_CHARS_MAX) return;
    const first = this.#calls.get(key);
    if (first === undefined) this.#calls.set(key, own);
    else if (first !== own)
      against(own, "repeated", `it repeats ${placeText(first)} to the letter`);
  }

  /** The message that was long is one that nobody looked into, as far as the log goes. */
  #settle(): void {
    const one = this.#unchecked;
    if (one === undefined || one.isChecked) return;
    against(
      one.step,
      "long-and-unchecked",
      `it is the first word of ${one.step.agent}, long, and nobody checked it`,
    );
  }

  suspects(): Suspects {
    this.#settle();
    for (const own of this.#broken.values())
      against(own, "not-mended", "nothing of that kind worked later");
    const byLength = this.#steps.toSorted((a, b) => b.chars - a.chars || a.seq - b.seq);
    const [longestOf] = byLength;
    const longest = Math.max(1, longestOf?.chars ?? 0);
    const rank = new Map(byLength.map((one, index) => [one, index + 1]));
    const told = (one: Step, score: number): Suspect => {
      const { seq, step, agent } = one;
      const place = rank.get(one) ?? 1;
      const long = `${place === 1 ? "the longest" : `number ${place} by length`} of what agents said (${one.chars} characters)`;
      const reasons = [...one.against.values(), ...(one.chars > 0 ? [long] : [])];
      const reason = reasons.join("; ") || "nothing speaks against it";
      const evidence: Evidence[] = [...one.against.keys()];
      if (place === 1) evidence.push("long");
      return { seq, step, agent, score, reason, evidence };
    };
    const failed = this.#failed;
    const order =
      failed === undefined ? byLength : [failed, ...byLength.filter((one) => one !== failed)];
    const share = (one: Step): number => Math.round((1000 * one.chars) / longest) / 1000;
    const shipped = [...new Set([failed, longestOf, this.#firstCode, ...byLength])].filter(
      (one) => one !== undefined,
    );
    const suspects = shipped.map((one) => told(one, one === failed ? 1 : share(one)));
    const weight = (one: Step): number =>
      [...one.against.keys()].reduce((sum, name) => sum + WEIGHTS[name], 0) + one.chars / longest;
    const weights = new Map(this.#steps.map((one) => [one, weight(one)]));
    const byEvidence = byLength.toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
    const guess = (rule: GuessRule, those: readonly Step[]): Guess => {
      const places = those.slice(0, GUESSED).map(({ seq, step, agent }) => ({ seq, step, agent }));
      return { rule, places };
    };
    const [busiest] = [...this.#acts].sort(([, a], [, b]) => b - a);
    return {
      suspects,
      guesses: [
        guess("longest", byLength),
        guess("failed-else-longest", order),
        guess("last", this.#steps.toReversed()),
        guess(
          "most-frequent",
          this.#steps.filter(({ agent }) => agent === busiest?.[0]),
        ),
        guess("shipped", shipped),
        guess("evidence", byEvidence),
      ],
    };
  }
}

/** Ours: what is longer is no repetition that anybody would see. */
const KEY_CHARS_MAX = 100_000;

/** A block of code, as models write it. */
const CODE = /^```\w/m;

/** That there is nothing, in words. */
const SAYS_NOTHING =
  /\b(no|none|nothing|not|empty|without|unable|could ?n[o'’]t|can ?n[o'’]t|missing|fail\w*|zero|0)\b/i;
/** That somebody looks into what another one said. */
const CHECKS =
  /\b(check\w*|verif\w*|wrong|incorrect|mistake\w*|error\w*|re-?check\w*|double[- ]check\w*|confirm\w*|actually|however|disagree)\b|\?/i;

const placeText = ({ step, seq }: Step): string => (step === null ? `#${seq}` : `step ${step}`);

/** The first word on each counts. */
function against({ against: told }: Step, name: Evidence, words: string): void {
  if (!told.has(name)) told.set(name, words);
}

/** Numbers of which it is known who brought them in. */
class Figures {
  readonly #known = new KeptMap<string, Step | null>();

  /** Of a question, a call or a result. */
  known(text: string): void {
    for (const figure of figuresIn(text))
      if (!this.#known.has(figure)) this.#known.set(figure, null);
  }

  /** Those that a message uses of another step that had them from nowhere. */
  said(own: Step, text: string): readonly (readonly [Step, string])[] {
    const used: (readonly [Step, string])[] = [];
    for (const figure of figuresIn(text)) {
      const of = this.#known.get(figure);
      if (of === undefined) this.#known.set(figure, own);
      else if (of !== null && of !== own) used.push([of, figure]);
    }
    return used;
  }
}

const FIGURE = /(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])/g;

/** Numbers with so many digits that they are hardly there by chance. */
function figuresIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [figure] of text.slice(0, TEXT_CHARS_MAX).matchAll(FIGURE)) {
    const plain = figure.replaceAll(",", "");
    if (plain.replace(".", "").length >= FIGURE_CHARS_LEAST && !/^(?:19|20)\d\d$/.test(plain))
      found.add(plain);
  }
  return found;
}
