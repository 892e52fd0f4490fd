// The examples of docs/import-formats.md.
import { readFileSync } from "node:fs";

export const formatsPage = readFileSync("docs/import-formats.md", "utf8");

/** In their order there; the last one has a mapping of its own. */
export const examples = [
  ...formatsPage.matchAll(
    /^### ([\w-]+)\n\n```json\n([\s\S]*?)```\n(?:\n```yaml\n([\s\S]*?)```)?/gm,
  ),
].map(([, format = "", text = "", map]) => ({ format, text, map }));
