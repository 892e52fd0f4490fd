// A world with synt whose models are live, against the server on loopback.

import { afterEach, describe, expect, it } from "vitest";
import { liveTiers } from "../../../src/actors/synt/liveTiers.ts";
import { auditLines } from "../../auditLines.ts";
import { metricChecks, replay } from "../../builtIn.ts";
import { recordRun } from "../../builtInRuns.ts";
import { loadScenario, readBundle } from "../../builtInScenarios.ts";
import { json } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import type { Loopback } from "../ollama/loopbackServer.ts";
import { syntServer, tasks } from "./syntServer.ts";

const { scenario, text } = loadScenario("synt-format-json", metricChecks);

const servers: Loopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function opened(parameters: string) {
  const { server, live } = await syntServer(scenario, parameters);
  servers.push(server);
  return { server, live };
}

const recorded = async (parameters: string) => {
  const { server, live } = await opened(parameters);
  const folder = newFolder();
  const run = await recordRun({
    ...{ scenario, text, variant: null, seed: 1, set: {}, untilMs: null, folder, live },
    withLog: true,
  });
  return { server, folder, ...run };
};

describe("synt in live mode", () => {
  it("[LV20, ST90] each call goes to the model of its tier, and an executor is born, on a person's word", async () => {
    const { server, folder, deliveries } = await recorded("35B");

    expect(auditLines([...deliveries]).map(({ state }) => state)).toContain("born");
    const models = server.chats.map(({ model, messages }) => [
      tasks.find(([words]) => messages[0]?.content.includes(words))?.[1],
      model,
    ]);
    expect(models).toContainEqual(["synt.propose", "large"]);
    expect(models).toContainEqual(["synt.judge", "small"]);
    expect(models).toContainEqual(["synt.plan", "small"]);
    expect(server.chats.at(-1)?.options["num_predict"]).toBeLessThanOrEqual(1024);
    await server.close();
    expect(replay(readBundle(folder))).toMatchObject({ matches: true });
    const { decisions } = await json(["synt", "audit", "--decisions", folder]);
    expect(decisions).toMatchObject([
      { bundle: folder, request: "req-0001", strategy: "generate", verdict: "approve" },
    ]);
  });

  it("[LV20, SN68] a model below the floor writes nothing, in the recording too", async () => {
    const { folder, deliveries } = await recorded("8B");
    const last = auditLines([...deliveries]).at(-1);

    expect(last).toMatchObject({ state: "abandoned", error: "PolicyVeto" });
    expect(last?.rationale).toContain("large");
    expect(replay(readBundle(folder))).toMatchObject({ matches: true });
  });

  it("[LV20] prices are the scenario's, and what it takes away stays away", () => {
    const model = (name: string) => ({
      ...{ name, digest: "", parameters: "35.5B", quantization: "Q4" },
      contextLength: 0,
    });
    const models = { fast: model("f"), middle: model("m"), wise: model("w") };
    const price = { asked: 5, answered: 9 };
    const given = {
      middle: { provider: "anthropic", model: "claude-opus", price },
      wise: { provider: "none" },
    };

    expect(liveTiers({ server: "", models, embed: null }, given)).toEqual({
      "local-fast": { provider: "ollama", model: "f", billions: 35.5 },
      middle: { provider: "ollama", model: "m", billions: 35.5, price },
      wise: { provider: "none" },
    });
  });
});
