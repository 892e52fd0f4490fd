/** Vectors from an embedding model, as whole numbers, so that a recording holds them bit for bit. */
import type { Ollama } from "ollama";
import { Fault } from "./faults.ts";
import { type Server, withClient } from "./wire.ts";

/** Millionths of a unit vector: finer than the model's own half precision. */
const SCALE = 1_000_000;
/** Ours: the largest models give some thousand numbers. */
const LENGTH_MAX = 20_000;

/** The vectors by text. Throws a Fault only. */
export function embedAll(
  server: Server,
  model: string,
  texts: readonly string[],
  limits: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<{ readonly [text: string]: number[] }> {
  return withClient(server, limits, async (client) => {
    const rows = await rowsOf(client, model, texts);
    if (rows.length !== texts.length) throw new Fault("garbage", "not one vector for each text");
    return Object.fromEntries(rows.map((row, index) => [texts[index] ?? "", whole(row)]));
  });
}

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

function whole(row: unknown): number[] {
  const numbers = Array.isArray(row) ? (row as unknown[]) : [];
  const isVector =
    numbers.length > 0 && numbers.length <= LENGTH_MAX && numbers.every(Number.isFinite);
  if (!isVector) throw new Fault("garbage", "a vector that is none");
  return wholeVector(numbers as number[]);
}

/** The unit vector of finite numbers, in whole millionths; of nothing but zeros, zeros. */
export function wholeVector(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // Adding 0 turns −0, which JSON cannot write, into 0.
  return vector.map((value) => (length === 0 ? 0 : Math.round((value / length) * SCALE) + 0));
}
