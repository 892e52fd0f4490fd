/** Parts of a program's own beside those that are there: what they call their own must be theirs alone. */
import { leavesOf } from "../actors/policy.ts";
import { groupedBy } from "../machines/grouped.ts";
import { policyWith } from "../policy.ts";
import { promisedBy } from "../properties/promises.ts";
import { runProperties } from "../properties/runProperties.ts";
import { BadInput, type Problem } from "./errors.ts";
import { type OwnPart, withOwn } from "./ownPart.ts";
import type { PartLists } from "./partLists.ts";
import { coreEvents, coreFields, eventName } from "./scenarioSchema.ts";

/** Something that only one part can have. */
interface Named {
  readonly what: string;
  readonly name: string;
  /** The part whose it is; the core has names of its own. */
  readonly of: string;
}

/** Throws BadInput that names both parts wherever a name is taken twice. */
export function joinedParts(lists: PartLists, own: readonly OwnPart[]): PartLists {
  const joined = withOwn(lists, own);
  if (own.length > 0) refuseTwice(namesIn(joined));
  return joined;
}

/** The ids of promises, which are known once they are loaded. Throws BadInput likewise. */
export async function refusePromisedTwice({ parts }: Pick<PartLists, "parts">): Promise<void> {
  const own = await Promise.all(
    parts.map(async (part) => {
      const { properties = [] } = (await part.promises?.()) ?? {};
      return properties.map(({ id }) => ({ what: "property", name: id, of: part.name }));
    }),
  );
  const ofRuns = runProperties.map(({ id }) => ({ what: "property", name: id, of: CORE }));
  await promisedBy(parts);
  refuseTwice([...ofRuns, ...own.flat()]);
}
