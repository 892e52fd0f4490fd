/** A tool that a scenario lists, decoded: what it says of itself, and what stands behind it. */
import type { Json } from "../../machines/letter.ts";
import type { Arguments, Latency, ToolTable } from "./toolTable.ts";

/** A synthesized tool that is there from the start: both of its files are written. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** What the scripted sandbox answers: this, what its code gives, or what its table says. One of them is there. */
  readonly returns?: Json;
  /** Code that the sandbox runs. */
  readonly python?: string;
  readonly table?: ToolTable;
  /** Of a thousand calls, how many fail, and what such a call says; null: it returns nothing. */
  readonly failsPerMille?: number;
  readonly failure?: string | null;
  /** Of Python, besides what the code takes. */
  readonly latencyMs?: Latency;
  /** The JSON Schema of its arguments. */
  readonly parameters?: Arguments;
}

/** The code of a tool that a scenario lists with what it returns. */
const standIn = (tool: string): string =>
  `def ${tool}(**kwargs):\n    return scripted("${tool}", kwargs)\n`;

/** The code of a tool that a scenario lists: its own, or the sandbox's stand-in. */
export const codeOf = ({ name, python }: Pick<Tool, "name" | "python">): string =>
  python ?? standIn(name);
