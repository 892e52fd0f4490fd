/** What reads scenarios and bundles, bound to the parts that come with the program. */

import { parts } from "../src/builtIn/parts.ts";
import { scenarioParts } from "../src/builtIn/scenarioParts.ts";
import * as reading from "../src/edges/bundle/bundleReader.ts";
import * as deriving from "../src/edges/bundle/derive.ts";
import type { ReadingLists } from "../src/edges/parts/partLists.ts";
import * as overrides from "../src/edges/scenario/policyOverrides.ts";
import * as files from "../src/edges/scenario/scenarioFile.ts";
import * as schemas from "../tools/scenarioJsonSchema.ts";

const lists: ReadingLists = { parts, scenarioParts };

const bound =
  <L, A extends readonly unknown[], R>(own: L, verb: (own: L, ...given: A) => R) =>
  (...given: A): R =>
    verb(own, ...given);

/** Scenarios by name and recordings: they change in no test, so each is read once. */
const KEPT = /^([\w-]+|(scenarios|recordings)\/.*)$/;

function kept<R, A extends readonly unknown[]>(read: (path: string, ...more: A) => R): typeof read {
  const known = new Map<string, R>();
  return (path, ...more) => {
    if (more.length > 0 || !KEPT.test(path)) return read(path, ...more);
    const value = known.get(path) ?? read(path, ...more);
    known.set(path, value);
    return value;
  };
}

export const parseScenario = bound(lists, files.parseScenario);
export const loadScenario = kept(bound(lists, files.loadScenario));
export const scenarioJsonSchema = bound(lists, schemas.scenarioJsonSchema);
export const readBundle = kept(bound(lists, reading.readBundle));
export const deliveriesOf = bound(parts, deriving.deliveriesOf);
export const playedAgain = bound(parts, deriving.playedAgain);
export const checkOverrides = bound(parts, overrides.checkOverrides);
export const parseOverride = bound(parts, overrides.parseOverride);
export const shownOverrides = bound(parts, overrides.shownOverrides);
