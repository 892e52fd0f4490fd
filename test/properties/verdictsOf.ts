// What a property of worlds says of each delivery of a log: a sentence, that it was put to the test, or nothing.
import type { WorldProperty } from "../../src/contract/property.ts";
import { firstViolation } from "../builtInPromises.ts";

type Checked = Parameters<typeof firstViolation>;

export function verdictsOf(property: WorldProperty, policy: Checked[1], log: Checked[2]) {
  const verdicts: ReturnType<ReturnType<WorldProperty["watch"]>>[] = [];
  const listening: WorldProperty = {
    ...property,
    watch: (given) => {
      const watch = property.watch(given);
      return (seen) => {
        verdicts.push(watch(seen));
        return undefined;
      };
    },
  };
  firstViolation(listening, policy, log);
  return verdicts;
}
