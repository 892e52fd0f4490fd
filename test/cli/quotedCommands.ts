// The commands that a page of docs shows, and what it says that they print.
import { readFileSync } from "node:fs";
import path from "node:path";

export interface Quoted {
  readonly args: readonly string[];
  /** `…` stands for what is omitted. */
  readonly lines: readonly string[];
}

/** In the order of the page: every `$ npx ghostlight …` of its blocks, with the lines below it. */
export const quotedCommands = (page: string): readonly Quoted[] =>
  [
    ...readFileSync(path.resolve(import.meta.dirname, "../..", page), "utf8").matchAll(
      /^```(?:console)?\n(\$ [\s\S]*?)^```$/gm,
    ),
  ].flatMap(([, block = ""]) =>
    block
      .split(/^\$ npx ghostlight /m)
      .slice(1)
      .map((one) => {
        const [command = "", ...lines] = one.trimEnd().split("\n");
        const args = command.match(/"[^"]*"|\S+/g) ?? [];
        return { args: args.map((arg) => arg.replaceAll('"', "")), lines };
      }),
  );
