/** `$EPOCHREALTIME` and `$EPOCHSECONDS`, which the shell does not know: read from its own `date`. */
import type { Bash } from "./justBash.ts";

type Plugin = Parameters<Bash["registerTransformPlugin"]>[0];
type Script = Parameters<Plugin["transform"]>[0]["ast"];

const FORMATS: { readonly [name: string]: string } = {
  EPOCHREALTIME: "+%s.%N | cut -c1-17",
  EPOCHSECONDS: "+%s",
};

/** To be registered with the shell that is given. */
export function withEpoch(bash: Bash): Plugin {
  const reads = new Map(
    Object.entries(FORMATS).map(([name, format]) => [
      name,
      substitutionIn(bash.transform(`: $(date ${format})`).ast),
    ]),
  );
  return {
    name: "epoch",
    transform: ({ ast }) => ({ ast: replaced(ast, reads) as Script }),
  };
}

function substitutionIn(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return undefined;
  if ((node as { type?: unknown }).type === "CommandSubstitution") return node;
  for (const part of Object.values(node)) {
    const found = substitutionIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

function replaced(node: unknown, reads: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((part) => replaced(part, reads));
  if (typeof node !== "object" || node === null) return node;
  const { type, parameter } = node as { type?: unknown; parameter?: unknown };
  if (type === "ParameterExpansion" && typeof parameter === "string") {
    const read = reads.get(parameter);
    if (read !== undefined) return read;
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, part]) => [name, replaced(part, reads)]),
  );
}
