/** What reports and pictures say of skills, lessons and macros. */
import type { EdgePart } from "../../../contract/edge/edgePart.ts";
import { skillsPicture } from "./picture.ts";
import { lifeTables, skillsColumns, skillsSummary } from "./report.ts";

export const skills = {
  name: "skills",
  report: {
    summary: ({ story }, figures) =>
      figures.skills === undefined ? "" : skillsSummary(story.skills, figures.skills),
    after: ({ observed }) => lifeTables(observed.story.skills),
    variants: { title: "What else could have happened", columns: skillsColumns },
    picture: skillsPicture,
  },
} as const satisfies EdgePart;
