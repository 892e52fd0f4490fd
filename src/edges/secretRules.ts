/**
 * Where secretlint's rules find a secret in a text. Left out are rules whose place holds more than the secret (addresses, Amazon's), or that
 * read files: `redaction.ts` has rows for those.
 */
import { rules } from "@secretlint/secretlint-rule-preset-recommend";

interface Reported {
  readonly range: readonly [number, number];
}

/** What of a rule is used here; the package has no types without a further one. */
interface Rule {
  readonly meta: { readonly id: string };
  create(
    context: {
      readonly createTranslator: () => () => string;
      readonly report: (one: Reported) => void;
    },
    options: object,
  ): { file(source: object): unknown };
}

const OMITTED = /-(?:aws|gcp|privatekey|basicauth|database-connection-string|filter-comments)$/;

const used = (rules as unknown as readonly Rule[]).filter(({ meta }) => !OMITTED.test(meta.id));

/** How what they look for begins: without one of these no rule is asked. */
const BEGINNING =
  /npm_|xox|xapp-|hooks\.slack|sk-|gsk_|hf_|lin_api_|ntn_|secret_|SG\.|shp(?:pa|ca|at|ss)_|gh[opsur]_|github_pat_|glpat-|glc_|glsa_|eyJ|ops_ey|hv[sbr]\.|vc[piark]_|vck_|dapi|dckr_pat_|figd_/i;

/** In order; places that overlap are one. */
export function ruledSecrets(text: string): readonly (readonly [number, number])[] {
  if (!BEGINNING.test(text)) return [];
  const found: (readonly [number, number])[] = [];
  const context = {
    createTranslator: () => () => "",
    report: ({ range }: Reported) => void found.push(range),
  };
  const source = { content: text, filePath: "log.txt", ext: ".txt", contentType: "text" };
  for (const rule of used) rule.create(context, {}).file(source);
  const places: (readonly [number, number])[] = [];
  for (const [from, end] of found.sort(([a], [b]) => a - b)) {
    const last = places.at(-1);
    if (last === undefined || from >= last[1]) places.push([from, end]);
    else places[places.length - 1] = [last[0], Math.max(last[1], end)];
  }
  return places;
}
