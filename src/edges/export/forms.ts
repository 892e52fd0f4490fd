/** The forms in which other tools take a run, by the name of the option that asks for it. */
import { chromeTrace } from "./chromeTrace.ts";
import type { ExportedRun, IsShown } from "./exportedRun.ts";
import { mermaidSequence } from "./mermaidSequence.ts";
import { otlpSpans } from "./otlpSpans.ts";

export const FORMS: {
  readonly [form in "perfetto" | "otlp" | "mermaid"]: {
    /** What opens it. */
    readonly says: string;
    /** The text of the file, piece by piece. */
    readonly pieces: (run: ExportedRun, isShown: IsShown) => Iterable<string>;
  };
} = {
  perfetto: { says: "open it at ui.perfetto.dev or chrome://tracing", pieces: chromeTrace },
  otlp: {
    says: "an export request of OpenTelemetry, which collectors and `import` read",
    pieces: otlpSpans,
  },
  mermaid: { says: "a sequence diagram of Mermaid", pieces: mermaidSequence },
};

export type Form = keyof typeof FORMS;
