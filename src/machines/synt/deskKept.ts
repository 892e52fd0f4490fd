/** The desk of synt as plain data, and back. */
import { apartIn, Entries, plainOf } from "../entries.ts";
import type { Kept } from "../service.ts";
import { indexOf } from "./deskIndex.ts";
import type { DeskState } from "./deskState.ts";

export const deskKept: Kept<DeskState> = {
  plain: ({ index: _index, ...state }) => ({
    ...plainOf(state),
    accounts: plainOf(state.accounts),
  }),
  restored: (plain) => {
    const saved = plain as Saved; // As `plain` made it.
    const { accounts } = saved;
    const requests = Entries.of(saved.requests);
    const facts = Entries.of(saved.facts);
    return {
      ...saved,
      accounts: {
        ...accounts,
        requests: Entries.of(accounts.requests),
        days: Entries.of(accounts.days),
      },
      requests,
      facts,
      index: indexOf(requests, facts),
    };
  },
  apart: (
    { index: _before, accounts: old, ...before },
    { index: _after, accounts: now, ...after },
  ) => {
    const [oldAccounts, nowAccounts] = apartIn(old, now);
    const [oldRest, nowRest] = apartIn(before, after);
    return [
      { accounts: oldAccounts, ...oldRest },
      { accounts: nowAccounts, ...nowRest },
    ];
  },
};

type Plain<T> = {
  readonly [K in keyof T]: T[K] extends Entries<infer V> ? { readonly [key: string]: V } : T[K];
};
type Saved = Plain<Omit<DeskState, "index" | "accounts">> & {
  readonly accounts: Plain<DeskState["accounts"]>;
};
