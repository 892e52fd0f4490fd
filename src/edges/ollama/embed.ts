/** Vectors from an embedding model of an Ollama server. */
import type { Ollama } from "ollama";
import { Fault } from "../live/faults.ts";
import type { Server, VectorLimits, Vectors } from "../live/liveSetup.ts";
import { vectorsOf } from "../live/vectors.ts";
import { withClient } from "./wire.ts";

/** The vectors by text. Throws a Fault only. */
export const embedAll = (
  server: Server,
  model: string,
  texts: readonly string[],
  limits: VectorLimits,
): Promise<Vectors> =>
  withClient(server, limits, async (client) =>
    vectorsOf(texts, await rowsOf(client, model, texts)),
  );

/** Servers before 0.3 know only the older way, one text at a time. */
async function rowsOf(client: Ollama, model: string, texts: readonly string[]): Promise<unknown[]> {
  try {
    return (await client.embed({ model, input: [...texts], truncate: true })).embeddings ?? [];
  } catch (thrown) {
    const isOld =
      thrown instanceof Fault && thrown.kind === "missing" && !/model/.test(thrown.message);
    if (!isOld) throw thrown;
    const rows: unknown[] = [];
    for (const prompt of texts) rows.push((await client.embeddings({ model, prompt })).embedding);
    return rows;
  }
}
