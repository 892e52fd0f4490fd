/** What agents were offered so far. */
import type { ToolOffered } from "../contract/trace.ts";
import type { Json } from "../machines/letter.ts";
import { type ArgumentSchema, argumentSchema } from "./argumentSchema.ts";
import { KeptMap } from "./keptMap.ts";
import { exactText } from "./valueText.ts";

interface Tool {
  readonly seq: number;
  readonly schema: ArgumentSchema | null;
  /** The schema as it stood, so that the same offer again costs nothing. */
  readonly text: string | null;
}

export class ToolCatalogue {
  readonly #tools = new KeptMap<string, Tool>();

  /** A tool that is offered anew has its latest schema. */
  add({ tool, schema, seq }: ToolOffered): void {
    const text = exactText(schema);
    const before = this.#tools.get(tool);
    if (before !== undefined && before.text === text) return;
    this.#tools.set(tool, { seq, text, schema: text === null ? null : argumentSchema(schema) });
  }

  get size(): number {
    return this.#tools.size;
  }

  readonly has = (tool: string): boolean => this.#tools.has(tool);

  get(tool: string): Tool | undefined {
    return this.#tools.get(tool);
  }

  /** What is wrong with the arguments by the tool's schema; null when nothing is, or it has none. */
  faultOf(tool: string, args: Json): string | null {
    return this.#tools.get(tool)?.schema?.faultOf(args) ?? null;
  }

  /**
   * The one tool that takes these arguments by name, all that must be there included; undefined where none does, or
   * several do.
   */
  onlyTaker(args: { readonly [name: string]: Json }): string | undefined {
    const names = Object.keys(args);
    const fitting: string[] = [];
    for (const name of this.#tools.keys()) {
      const schema = this.#tools.get(name)?.schema;
      if (!schema || schema.required.length === 0) continue;
      if (!names.every((one) => schema.known.includes(one))) continue;
      if (schema.faultOf(args) === null) fitting.push(name);
      if (fitting.length > 1) return undefined;
    }
    return fitting[0];
  }
}
