/** Logs that others' agents left, read in place of a run: nothing of it lives in a world that is played. */

import type { Part } from "../../contract/part.ts";
import type {} from "../../machines/imported/mail.ts";
import { compared } from "./compared.ts";
import { importedMetrics, meter } from "./metrics.ts";
import { questions, trail } from "./questions.ts";
import { book } from "./story.ts";
import { trace } from "./trace.ts";
import { words } from "./words.ts";

declare module "../../contract/scenario.ts" {
  interface Sections {
    readonly imported?: ImportedSection;
  }
}

/** What is known of an imported log besides its records. */
export interface ImportedSection {
  readonly format: string;
  readonly clock: "log" | "steps";
}

export const imported = {
  name: "imported",
  ofLogs: true,
  isThere: (world) => world.imported !== undefined,
  words,
  questions,
  trail,
  trace,
  compared,
  metrics: importedMetrics,
  meter,
  book,
} as const satisfies Part;
