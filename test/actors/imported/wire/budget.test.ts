// What the runs of a trial may take, and what calls took.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  Budget,
  moneyFor,
  takenBy,
  withinBudget,
} from "../../../../src/actors/imported/edge/trial/budget.ts";
import type { Exchange } from "../../../../src/actors/imported/edge/wire/exchangeLog.ts";
import type { Asked, Reply } from "../../../../src/actors/imported/edge/wire/gateway.ts";
import { newFolder } from "../../../folders.ts";

const price = { input: 1_000, output: 10_000 };

it("[WR27] a budget is spent by the last token that it has, asked and answered, and by the last of its money", () => {
  const over = (most: object, input: number, output: number) => {
    const budget = new Budget(join(newFolder(), "spent.jsonl"), most as never);
    budget.add({ input, output });
    return budget.isOver;
  };

  expect([over({ tokens: 330 }, 300, 29), over({ tokens: 330 }, 300, 30)]).toEqual([false, true]);
  // 1,000 of input and 100 of output cost two.
  const dear = { money: 2, price };
  expect([over(dear, 1_000, 99), over(dear, 1_000, 100), over({}, 1e9, 1e9)]).toEqual([
    ...[false, true, false],
  ]);
  expect(moneyFor({ input: 1, output: 1 }, {})).toBeUndefined();
});

it("[WR27] once the budget is spent no call is passed on, however often a program asks", async () => {
  const budget = { isOver: false };
  const [passed, codes]: [string[], number[]] = [[], []];
  const answering = withinBudget(
    budget,
    async ({ path }) => void passed.push(path),
    () => codes.push(0),
  );
  const reply: Reply = { head: (status) => codes.push(status), piece: () => {}, end: () => {} };
  for (const path of ["/a", "/b", "/c"]) {
    await answering({ path } as Asked, reply);
    budget.isOver = true;
  }

  expect([passed, codes]).toEqual([["/a"], [0, 402, 0, 402]]);
});

it("[WR27] what was spent before a kill counts, also where its last line is torn", () => {
  const file = join(newFolder(), "spent.jsonl");
  const first = new Budget(file, {} as never);
  first.add({ input: 10, output: 1 });
  first.add({ input: 20, output: 2 });
  appendFileSync(file, '{"input":5');

  expect(new Budget(file, { tokens: 33 } as never)).toMatchObject({
    ...{ spent: { input: 30, output: 3 }, isOver: true },
  });
});

it("[WR27] a call took what its answer says, else by its length; an error without a word of it nothing", () => {
  const taken = (response: object, status = 200) =>
    takenBy({ request: "12345678", response, status } as unknown as Exchange);

  expect(taken({ usage: { prompt_tokens: 7, completion_tokens: 3 } })).toEqual({
    ...{ input: 7, output: 3 },
  });
  // Ten characters with their marks, and two: four are a token.
  expect(taken({})).toEqual({ input: 3, output: 1 });
  expect(taken({}, 400)).toEqual({ input: 0, output: 0 });
  expect(taken({}, 399)).toEqual({ input: 3, output: 1 });
});
