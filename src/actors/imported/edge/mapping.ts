/** Which field of a line is what, as `--map FILE` says it and `import --explain` prints it. Paths have dots: `data.tool.name`. */

/** What a mapping can name, in the order in which it is printed. */
export const MAPPED = [
  "time",
  "speaker",
  "role",
  "to",
  "text",
  "tool",
  "args",
  "result",
  "call",
  "error",
  "log",
  "step",
] as const;

export type Mapped = (typeof MAPPED)[number];

/** The path of each; what is absent the lines do not hold. */
export type Mapping = { readonly [field in Mapped]?: string };
