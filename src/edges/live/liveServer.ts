/**
 * Before a live run: is the server there, are the models, do they fit? What is not is told in one
 * sentence with what to do, and nothing has been written yet. Each kind of server has a folder of its
 * own, whose client is loaded only when it is asked for.
 */
import type { LiveSetup } from "./liveSetup.ts";
import type { PreflightOptions } from "./preflight.ts";

/** Throws LiveUnavailable (exit 2). */
export async function preflight(options: PreflightOptions): Promise<LiveSetup> {
  return options.names.kind === "ollama"
    ? (await import("../ollama/preflight.ts")).preflightOllama(options)
    : (await import("../openai/preflight.ts")).preflightOpenAi(options);
}
