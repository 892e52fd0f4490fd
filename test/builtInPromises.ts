/** What the parts that come with the program promise, and the worlds that put it to the test. */

import { edgeParts } from "../src/builtIn/edgeParts.ts";
import { parts } from "../src/builtIn/parts.ts";
import { scenarioParts } from "../src/builtIn/scenarioParts.ts";
import * as worlds from "../src/edges/pool/checkWorlds.ts";
import { propertiesOf } from "../src/run/check/catalogue.ts";
import * as checking from "../src/run/check/check.ts";

export const lists = await worlds.checkedLists({ parts, scenarioParts, edgeParts });
const { promised } = lists;

const bound =
  <L, A extends readonly unknown[], R>(own: L, verb: (own: L, ...given: A) => R) =>
  (...given: A): R =>
    verb(own, ...given);

export const properties = propertiesOf(promised);
export const firstViolation = bound(promised, checking.firstViolation);
export const randomWorlds = bound(lists, worlds.randomWorlds);
export const worldsNear = bound(lists, worlds.worldsNear);
