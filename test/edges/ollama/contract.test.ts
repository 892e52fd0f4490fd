// What we rely on of a real Ollama server. Runs when OLLAMA_HOST names one; else it says so here.
// OLLAMA_TEST_MODEL names the model, else the smallest one that the server has.

import { Ollama } from "ollama";
import { expect, it } from "vitest";
import { ollamaHost } from "../../../src/edges/live/hostOption.ts";
import { preflight } from "../../../src/edges/live/liveServer.ts";
import { identityOf } from "../../../src/edges/live/liveSetup.ts";
import { readGoalAnswer } from "../../../src/machines/agents/model/modelAnswers.ts";
import { answerFormat, policyWith, replay } from "../../builtIn.ts";
import { readBundle } from "../../builtInScenarios.ts";
import { newFolder } from "../../folders.ts";
import { recordLive } from "../live/liveSession.ts";

const env = process.env;
const isThere = (env["OLLAMA_HOST"] ?? "") !== "";
const why = isThere ? "" : " (left out: set OLLAMA_HOST to run it)";
const LONG = 600_000;

async function setup() {
  const host = ollamaHost(undefined, env);
  const { models } = await new Ollama({ host }).list();
  const smallest = models.toSorted((a, b) => a.size - b.size)[0]?.name ?? "none";
  const name = env["OLLAMA_TEST_MODEL"] ?? smallest;
  const names = {
    kind: "ollama" as const,
    tiers: { fast: name, middle: name, wise: name },
    embed: null,
  };
  const policy = policyWith({ "live.contextTokens": 2_048 }).live;
  return preflight({ server: { host }, names, policy, warm: true });
}

it.skipIf(!isThere)(
  `[LV10] a real server describes itself and its model${why}`,
  { timeout: LONG },
  async () => {
    const { server, models } = identityOf(await setup());

    expect(server).toMatch(/^ollama \d+\.\d+/);
    expect(models["middle"]?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(models["middle"]?.contextLength).toBeGreaterThan(0);
  },
);

it.skipIf(!isThere)(
  `[LV5] a real model keeps to the schema of a goal${why}`,
  { timeout: LONG },
  async () => {
    const { chat, models } = await setup();
    const said = await chat({
      model: models.middle,
      prompt: 'You are cedar. Rest. Answer with one JSON object: {"action": "rest"}',
      format: answerFormat("goal.choose") ?? "json",
      policy: policyWith({
        ...{ "live.timeoutMs": 290_000, "live.temperature": 0, "live.contextTokens": 2_048 },
      }).live,
      ...{ seed: 7, maxTokens: 200 },
      signal: new AbortController().signal,
    });

    expect(said.promptTokens).toBeGreaterThan(0);
    expect(said.stop === "length" || readGoalAnswer(said.text) !== undefined).toBe(true);
  },
);

it.skipIf(!isThere)(
  `[LV3] a run with a real model replays without it${why}`,
  { timeout: LONG },
  async () => {
    const folder = newFolder();
    const set = { "live.timeoutMs": 290_000, "live.contextTokens": 2_048 };
    await recordLive({ live: await setup(), folder, set, agents: ["cedar"], untilMs: 15_000 });

    expect(replay(readBundle(folder)).matches).toBe(true);
  },
);
