/** What the runs of a trial may take, and what they took: a line for each call of a model, so that no kill forgets one. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { readJson } from "../../../../machines/readJson.ts";
import { MILLION } from "../../../../machines/units.ts";
import { mapIn, wholeOf } from "../readers/fields.ts";
import { usageIn } from "../readers/messageFields.ts";
import type { Exchange } from "../wire/exchangeLog.ts";
import { type Answering, refuse } from "../wire/gateway.ts";
import type { Trial } from "./trialFile.ts";

export interface Tokens {
  readonly input: number;
  readonly output: number;
}

const NO_TOKENS: Tokens = { input: 0, output: 0 };
const plus = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  output: a.output + b.output,
});

/** Ours, where an answer does not say what it took: so many characters are a token. */
const TOKEN_CHARS = 4;
const tokensOf = (value: Json): number => Math.ceil(JSON.stringify(value).length / TOKEN_CHARS);

/** What a call took: as its answer says, else by its length. What never reached a model took nothing. */
export function takenBy({ request, response, status }: Exchange): Tokens {
  const said = usageIn(mapIn(response));
  if (said !== null) return { input: said.promptTokens ?? 0, output: said.answerTokens ?? 0 };
  return status >= 400 ? NO_TOKENS : { input: tokensOf(request), output: tokensOf(response) };
}

export const tokensTaken = (exchanges: readonly Exchange[]): Tokens =>
  exchanges.map(takenBy).reduce(plus, NO_TOKENS);

/** Undefined where nobody said what tokens cost. */
export const moneyFor = (
  { input, output }: Tokens,
  { price }: Trial["budget"],
): number | undefined => price && (input * price.input + output * price.output) / MILLION;

export class Budget {
  readonly #file: string;
  readonly #most: Trial["budget"];
  spent: Tokens = NO_TOKENS;

  /** `file` holds what was spent before. */
  constructor(file: string, most: Trial["budget"]) {
    this.#file = file;
    this.#most = most;
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const one = readJson(line);
      if (!isMap(one)) continue;
      const [input, output] = [wholeOf(one["input"]), wholeOf(one["output"])];
      this.spent = plus(this.spent, { input: input ?? 0, output: output ?? 0 });
    }
  }

  add(tokens: Tokens): void {
    appendFileSync(this.#file, `${JSON.stringify(tokens)}\n`);
    this.spent = plus(this.spent, tokens);
  }

  get isOver(): boolean {
    const { tokens, money } = this.#most;
    const { input, output } = this.spent;
    if (tokens !== undefined && input + output >= tokens) return true;
    return money !== undefined && (moneyFor(this.spent, this.#most) ?? 0) >= money;
  }
}

/** Passes calls on until the budget is spent; from then on each is refused, and `onOver` hears of it. */
export const withinBudget =
  (budget: Pick<Budget, "isOver">, answering: Answering, onOver: () => void): Answering =>
  async (asked, reply) => {
    if (!budget.isOver) return answering(asked, reply);
    onOver();
    refuse(reply, 402, "the budget of this trial is spent");
  };
