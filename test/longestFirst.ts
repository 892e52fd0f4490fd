// What takes longest begins first, so that no worker waits for another at the end.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of these names in this order, then all others. */
export const longestFirst = (names: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification): number => {
        const found = names.findIndex((name) => moduleId.includes(`/${name}.`));
        return found < 0 ? names.length : found;
      };
      return (await super.sort(specifications)).toSorted((a, b) => place(a) - place(b));
    }
  };
