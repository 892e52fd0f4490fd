/** What the parts that come with the program promise. */
import * as checking from "../src/check.ts";
import { parts } from "../src/parts.ts";
import { propertiesOf } from "../src/properties/catalogue.ts";
import { promisedBy } from "../src/properties/promises.ts";

const promised = await promisedBy(parts);

export const properties = propertiesOf(promised);

type Searched =
  Parameters<typeof checking.firstViolation> extends [unknown, ...infer R] ? R : never;

export const firstViolation = (...given: Searched) => checking.firstViolation(promised, ...given);
