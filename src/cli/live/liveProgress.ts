/** What a person sees while a live run goes on: a display on a terminal, now and then a line elsewhere. */
import stringWidth from "string-width";
import type { Part, Waits } from "../../contract/part.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { MILLION } from "../../machines/units.ts";
import type { Run } from "../../run/simulate.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import type { Input } from "../../substrate/port.ts";
import { clearProgress, isScreen, note, screenSize, showLines } from "../output.ts";
import { displayLines, type LiveState, plainLine, summaryLine } from "./liveDisplay.ts";
import { liveCount } from "./liveFigures.ts";

/** Ours: how often a log gets a line. */
const LINE_MS = 10_000;

/** Ours: ten times a second is as much as a person can follow. */
const DRAW_MS = 100;

/** Ours: of the time of a run, drawing takes at most one part in so many, however many live there. */
const SHARE = 20;

export interface LiveProgress {
  readonly input: (input: Input) => void;
  readonly delivery: (delivery: SeenDelivery) => void;
  readonly slice: (run: Run) => void;
  /** Nothing of the display is left but one line; `endedMs` is where the run ended. */
  readonly summary: (endedMs: number) => void;
}

interface Watched {
  readonly scenario: string;
  /** Virtual milliseconds. */
  readonly endMs: number;
  readonly model: string;
}

/** A run with these live models, to its end. */
export const watched = (
  { name, runsForMs }: Pick<Scenario, "name" | "runsForMs">,
  untilMs: number | null,
  { models }: { readonly models: { readonly middle: { readonly name: string } } },
): Watched => ({ scenario: name, endMs: untilMs ?? runsForMs, model: models.middle.name });

export function liveProgress(
  parts: readonly Part[],
  { scenario, endMs, model }: Watched,
  counting: Parameters<typeof liveCount>[0] = {},
): LiveProgress {
  const count = liveCount(counting);
  const startMs = performance.now();
  let wroteMs = startMs;
  let restMs = 0;
  let played: Run | undefined;
  const stateNow = (glances: readonly string[]): LiveState => {
    const figures = count.figures();
    const nowMs = played?.kernel.nowMs ?? 0;
    const price = played?.policy.live.pricePerMillion ?? 0;
    const tokens = figures.promptTokens + figures.answerTokens;
    const cost = price === 0 ? null : (tokens * price) / MILLION / MILLION;
    const realMs = performance.now() - startMs;
    return { ...{ scenario, nowMs, endMs, realMs }, ...{ figures, cost, glances } };
  };
  return {
    input: count.input,
    delivery: count.delivery,
    slice(run) {
      played = run;
      const beganMs = performance.now();
      const onScreen = isScreen();
      if (beganMs - wroteMs < (onScreen ? restMs : Math.max(restMs, LINE_MS))) return;
      const state = stateNow(glances(parts, run, count.waits()));
      if (onScreen) {
        const lines = displayLines(state, screenSize());
        showLines(lines.map((text) => ({ text, columns: stringWidth(text) })));
      } else note(plainLine(state));
      wroteMs = performance.now();
      restMs = Math.max(DRAW_MS, (wroteMs - beganMs) * SHARE);
    },
    summary(endedMs) {
      clearProgress();
      note(summaryLine(model, { ...stateNow([]), nowMs: endedMs }));
    },
  };
}

/** What those who live there are doing, in the words of their parts. */
function glances(
  parts: readonly Part[],
  { kernel }: Run,
  waits: ReadonlyMap<string, Waits>,
): string[] {
  const contexts = kernel.contexts();
  return parts.flatMap(({ glance }) => glance?.(contexts, kernel.nowMs, waits) ?? []);
}
