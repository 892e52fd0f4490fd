/**
 * Which braces of a scenario's texts are places that something is filled into: `{`, letters of a to z, `}`, where
 * the letters are one of a few words. A word that is filled in elsewhere only is a mistake wherever it stands; any other
 * word in braces stays as it is written, as JSON and code do, and a dry run says so.
 */

import type { Finding } from "../../../edges/scenario/finding.ts";
import { unquotedPlace } from "../../../edges/scenario/schemaFindings.ts";
import type { Path } from "../../../edges/scenario/yamlText.ts";
import type { Json } from "../../../machines/letter.ts";
import { nearest } from "../../../machines/nearest.ts";
import { GOAL_WORDS, PLAN_WORDS } from "../repertoire.ts";

/** Every word that is filled in somewhere. */
export const placeWords: readonly string[] = [...new Set([...GOAL_WORDS, ...PLAN_WORDS])];

const braced = (words: readonly string[]): string => words.map((word) => `{${word}}`).join(" ");

/** What of these words may stand in braces, for an error that names what is allowed. */
export const placesSaid = (allowed: readonly string[]): string =>
  allowed.length === 0
    ? `without ${braced(placeWords)}: it is compared as it stands`
    : `with no place but ${braced(allowed)}`;

/** Parameters whose braces are code. */
const CODE_PARAMS = ["code", "implementation", "command"];

const isCode = (path: Json | undefined): boolean =>
  typeof path === "string" && path.endsWith(".py");

/** Parameters of a step without those whose braces are code. */
export const texted = (params: {
  readonly [name: string]: Json;
}): readonly (readonly [string, Json])[] =>
  Object.entries(params).filter(
    ([key]) => !CODE_PARAMS.includes(key) && !(key === "content" && isCode(params["path"])),
  );

const placesIn = (text: string): string[] => text.match(/\{[a-z]+\}/g) ?? [];

/** Places that texts hold and `words` do not fill, each once. */
export const unfilled = (texts: readonly string[], words: readonly string[]): string[] => [
  ...new Set(texts.flatMap(placesIn).filter((place) => !words.includes(place.slice(1, -1)))),
];

/** The sentence of a dry run on a place that nothing fills. */
export function staysAsItIs(name: string, place: string, words: readonly string[]): string {
  const meant = nearest(place.slice(1, -1), words);
  const hint = meant === undefined ? "" : ` Did you mean {${meant}}?`;
  return `${name}: nothing fills ${place}; what there is: ${braced(words)}.${hint}`;
}

/** Texts of a plan's step that hold what only a goal's texts may, and `{artifact}` without quotes. */
export function paramFindings(params: { readonly [name: string]: Json }, base: Path): Finding[] {
  const others = placeWords.filter((word) => !PLAN_WORDS.some((own) => own === word));
  const within = (value: Json, path: Path): Finding[] => {
    const place = unquotedPlace(value);
    if (place !== undefined && placeWords.includes(place.slice(1, -1))) {
      const allowed = `a text that begins with { in quotes: "${place}"`;
      return [{ path, found: `${place}, which YAML reads as a map`, allowed }];
    }
    if (typeof value === "string") {
      const found = placesIn(value).find((one) => others.includes(one.slice(1, -1)));
      return found === undefined
        ? []
        : [
            {
              path,
              found,
              allowed: `a text ${placesSaid(PLAN_WORDS)}: ${found} is filled in only in what a goal says`,
            },
          ];
    }
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, member]) =>
      within(member as Json, [...path, Array.isArray(value) ? Number(key) : key]),
    );
  };
  return texted(params).flatMap(([key, value]) => within(value, [...base, key]));
}
