/** How much of a log a scenario holds. What the schema of scenarios allows is the outer bound; the rest is ours. */
export const worldBounds = {
  agents: 50,
  tools: 1_000,
  goals: 500,
  events: 2_000,
  files: 200,
  /** Of one plan: what the reader of a model's answer takes. */
  steps: 20,
  /** Characters of the file: what a person still opens. */
  fileChars: 400_000,
  /** Of a schema of a tool's arguments. */
  schemaChars: 20_000,
  /** Of a text from outside by which a goal knows it. */
  heardChars: 200,
  errorChars: 9_000,
  /** A tool that takes longer is taken to have taken so long. */
  latencyMs: 600_000,
  /** Of pauses between two words of people, in a log that lasts longer than two hours. */
  pauseMs: 60_000,
  longMs: 7_200_000,
} as const;

/** How much is kept whole: what is tried first, and what next where the file would be too long. */
export const KEPT: readonly { readonly chars: number; readonly calls: number }[] = [
  { chars: 100_000, calls: 5_000 },
  { chars: 20_000, calls: 5_000 },
  { chars: 4_000, calls: 5_000 },
  { chars: 1_000, calls: 2_000 },
  { chars: 400, calls: 1_000 },
  { chars: 200, calls: 500 },
  { chars: 200, calls: 100 },
];

/** Virtual milliseconds of the played world. */
export const pace = { heartbeatMs: 5_000, aroundTurnMs: 12_000, aroundCallMs: 200 } as const;
