/** A part of another field, as small as a part can be in the YAML of a scenario. */
import * as Schema from "effect/Schema";
import { duration, id, says } from "../../src/edges/scenarioFields.ts";
import type { ScenarioPart, SectionSources } from "../../src/edges/scenarioPart.ts";

const guest = Schema.Struct({ id: says(id, "Its name."), at: says(duration, "When it comes.") });
const guests = Schema.Array(guest);

/** Guests who come to tea. */
export const tea: ScenarioPart = {
  name: "tea",
  fields: { behind: { tea: says(Schema.optionalKey(guests), "Who comes to tea.") } },
  events: {},
  // As above: its field is its own.
  peopledBy: "tea" as keyof SectionSources,
  sectionsOf: () => ({}),
  inputs: (source) =>
    // Its field is unknown to the types of a scenario, which the part does not extend for a test.
    ((source as { tea?: typeof guests.Type }).tea ?? []).map((one, index) => ({
      ...one,
      path: ["tea", index],
    })),
};
