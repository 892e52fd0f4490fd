/** A part of another field, as small as a part can be in the YAML of a scenario. */
import * as Schema from "effect/Schema";
import type { ScenarioPart, SectionSources } from "../../src/contract/edge/scenarioPart.ts";
import type { Part } from "../../src/contract/part.ts";
import type { Sections } from "../../src/contract/scenario.ts";
import { duration, id, says } from "../../src/edges/scenario/scenarioFields.ts";

const guest = Schema.Struct({ id: says(id, "Its name."), at: says(duration, "When it comes.") });
const guests = Schema.Array(guest);

/** The field of the part is unknown to the types of a scenario, which it does not extend for a test. */
const guestsIn = (world: object) => (world as { tea?: typeof guests.Type }).tea ?? [];

/** Guests who come to tea. */
export const tea: ScenarioPart = {
  name: "tea",
  fields: { behind: { tea: says(Schema.optionalKey(guests), "Who comes to tea.") } },
  events: {},
  // As above.
  peopledBy: "tea" as keyof SectionSources,
  sectionsOf: (source) => ({ tea: guestsIn(source) }) as Partial<Sections>,
  inputs: (source) => guestsIn(source).map((one, index) => ({ ...one, path: ["tea", index] })),
};

/** The same part, as runs know it: what each guest drinks is measured. */
export const teaParty: Part = {
  name: "tea",
  metrics: {
    "tea.cups": {
      ...{ unit: "cups", perAgent: false, says: "Cups that were drunk." },
      each: { kind: "guest", namesIn: (world) => guestsIn(world).map(({ id: name }) => name) },
    },
  },
};
