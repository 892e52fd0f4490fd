/**
 * Step 1: from the name that an agent gave to the name of the files.
 * Source: seed 000, "Name sanitization"; ruling T2 (the real system also strips `_`; the seed does not).
 */

/** The seed's `[:60]`: characters of the sanitised name. */
export const NAME_CHARS_MAX = 60;

/**
 * Null when nothing but `_` is left: such a name says nothing. `__proto__` is one of those that
 * JavaScript keeps for itself; the registry takes no tool of that name, so none is deployed.
 */
export function sanitizedName(given: string): string | null {
  // One replacement for each code point, as Python counts them: an emoji becomes one `_`.
  const name = given
    .replaceAll(/[^a-zA-Z0-9_]/gu, "_")
    .slice(0, NAME_CHARS_MAX)
    .toLowerCase();
  return /^_*$/.test(name) || name === "__proto__" ? null : name;
}
