/** `1 step`, `2 steps`: so many of one thing, in words. */
export const countOf = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? "" : "s"}`;

/** A share of 1, in whole percent. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;
