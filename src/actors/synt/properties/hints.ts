/** What leads to what is missed, worked out a second time from the words. Source: SPEC SN29. */

/** Words of letters and digits in lower case: what makes two texts the same. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

export const plain = (text: string): string => wordsOf(text).join(" ");

/** Whether a chain for a need may end at a name: by the hints, the missing name, words of affinity. */
export function endsFor(
  need: { readonly from: string | null; readonly hints: readonly string[]; readonly name: string },
  executors: readonly { readonly name: string; readonly affinity?: readonly string[] }[],
): (name: string) => boolean {
  const { from, hints: given, name: gap } = need;
  const hints = [...given, gap].map(wordsOf).filter(({ length }) => length > 0);
  return (name) => {
    const { affinity = [] } = executors.find((one) => one.name === name) ?? {};
    const parts = wordsOf(name);
    const isAffine = (hint: string) => affinity.some((word) => plain(word) === hint);
    return (
      name !== from &&
      hints.some(
        (hint) => hint.every((word, index) => word === parts[index]) || isAffine(hint.join(" ")),
      )
    );
  };
}
