import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultText } from "../../../src/machines/installs/fault.ts";
import {
  CAPABILITY_KINDS,
  type CapabilityKind,
  widest,
} from "../../../src/machines/installs/gate/capability.ts";
import { decodedIntent, intentError } from "../../../src/machines/installs/gate/intent.ts";
import type { Json } from "../../../src/machines/letter.ts";
import { gate, gatePolicy, moltbook, realPolicy, weather } from "./gateRules.ts";

const faultsOf = (json: Json, by = gatePolicy()) => {
  const decoded = decodedIntent(json, by);
  return "faults" in decoded ? decoded.faults : [];
};
const fields = (json: Json) => faultsOf(json).map(({ field }) => field);
const fieldsOf = (kind: CapabilityKind) =>
  Object.keys(widest(kind) as object).filter((name) => name !== "type");
const capable = (...capabilities: readonly Json[]) => fields(weather({ capabilities }));

describe("an intent as a whole", () => {
  it("[INS2] the seed's examples are intents", () => {
    expect(fields(moltbook())).toEqual([]);
    expect(fields(weather())).toEqual([]);
  });

  it("[INS2] names all that is wrong, in the order of the fields, and tells the first", () => {
    const faults = faultsOf({ agent_id: "A", capabilities: [{ type: "NetworkAccess" }], x: 1 });

    expect(faults.map(({ field }) => field)).toEqual([
      "agent_id",
      "description",
      "instructions",
      "llm_config",
      "capabilities[0].hosts",
      "x",
    ]);
    for (const { found, allowed, todo } of faults) {
      expect([found, allowed, todo].every((text) => text !== "")).toBe(true);
    }
    const [first, ...rest] = faults;
    expect(first && intentError([first, ...rest], gatePolicy())).toBe(
      'agent_id: found "A"; allowed: lowercase letters and digits with hyphens between, at most 64 characters. Write it as "weather-fetcher".',
    );
  });

  it("[INS2, INS5] a kind that needs review is named though its fields are wrong", () => {
    const faulty = [{ type: "AgentSpawn" }, { type: "CodeExecution", patterns: 1 }];
    const faults = faultsOf(moltbook({ capabilities: faulty }));

    expect(faults.map(({ field }) => field)).toEqual([
      ...["artifact_id", "capabilities[0].max_children", "capabilities[1].patterns"],
    ]);
    expect(faults[0]?.allowed).toContain("AgentSpawn, CodeExecution");
  });

  it("[INS2, INS4] a mode that is none is the one fault: no model is asked for", () => {
    const given = weather({ execution_mode: "scripts", llm_config: null });

    expect(fields(given)).toEqual(["execution_mode"]);
  });

  it("[INS2] what is no object is one fault, with the whole shape", () => {
    for (const json of [null, 7, "x", [], true]) {
      expect(faultsOf(json)).toEqual([expect.objectContaining({ field: "intent" })]);
    }
  });

  it("[INS2] what was found is shown in one short line", () => {
    const found = (id: Json) => faultsOf(weather({ agent_id: id }))[0]?.found;

    expect(found("a\nB")).toBe('"a\\nB"');
    expect(found("x".repeat(1_000_000))).toBe(`"${"x".repeat(59)}…`);
    expect(found({ deep: ["x".repeat(100)] })).toHaveLength(61);
  });

  it("[INS2] a field that is not known is a fault, and none in the real system", () => {
    expect(fields(weather({ capabilties: [] }))).toEqual(["capabilties"]);
    const llm_config = { provider: "p", model: "m", temprature: 1 };
    expect(fields(weather({ llm_config }))).toEqual(["llm_config.temprature"]);
    const claims = { passed: true, threats_detected: [], remote_access_detected: true, x: 1 };
    const needs = { ...(gate()["capability_analysis"] as object), x: 1 } as Json;
    const promotion_gate = gate({
      ...{ auditor_pas: true, security_analysis: claims, capability_analysis: needs },
    });
    expect(fields(weather({ promotion_gate })).sort()).toEqual([
      "promotion_gate.auditor_pas",
      "promotion_gate.capability_analysis.x",
      "promotion_gate.security_analysis.x",
    ]);
    expect(faultsOf(weather({ source_content_handle: "sha256:x" }), realPolicy())).toEqual([]);
  });

  it("[INS2] whatever JSON it is given, it answers with an intent or with faults, twice the same", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        const given = json as Json; // As drawn.
        for (const by of [gatePolicy(), realPolicy()]) {
          expect(decodedIntent(given, by)).toEqual(decodedIntent(given, by));
        }
      }),
    );
  });

  it("[INS2] an intent that is broken in one field has a fault in that field alone", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("agent_id", "description", "instructions", "summary", "execution_mode"),
        fc.constantFrom<Json>(7, [], {}, true, " "),
        (field, value) => {
          expect(fields(weather({ [field]: value }))).toEqual([field]);
        },
      ),
    );
  });

  it("[INS2] the order of keys changes nothing", () => {
    const json = weather() as { readonly [field: string]: Json };
    const turned = Object.fromEntries(Object.entries(json).reverse());

    expect(decodedIntent(turned, gatePolicy())).toEqual(decodedIntent(json, gatePolicy()));
  });
});

describe("fields of an intent", () => {
  it("[INS3] an agent_id that is none is told what it may be", () => {
    expect(fields(weather({ agent_id: "weather" }))).toEqual([]);
    expect(fields(weather({ agent_id: "weather.fetcher" }))).toEqual(["agent_id"]);
    expect(faultsOf(weather({ agent_id: "weather.fetcher" }), realPolicy())).toEqual([]);
  });

  it("[INS4] description and instructions are required, and not blank", () => {
    for (const field of ["description", "instructions"]) {
      expect(fields(weather({ [field]: undefined }))).toEqual([field]);
      expect(fields(weather({ [field]: " \n" }))).toEqual([field]);
      expect(fields(weather({ [field]: "x" }))).toEqual([]);
    }
  });

  it("[INS4] whoever reasons needs a model; null is absent", () => {
    for (const execution_mode of [undefined, null, "reasoning"]) {
      expect(fields(weather({ llm_config: undefined, execution_mode }))).toEqual(["llm_config"]);
    }
    expect(fields(weather({ llm_config: null }))).toEqual(["llm_config"]);
    expect(
      fields(weather({ llm_config: null, execution_mode: "script", script_entry: "a.py" })),
    ).toEqual([]);
  });

  it("[INS4] a model has a provider and a name, and a temperature from 0 to 2", () => {
    const llm = (changed: object) =>
      fields(weather({ llm_config: { provider: "p", model: "m", ...changed } as Json }));

    expect(llm({ fallback_provider: null, fallback_model: null, chat_only: false })).toEqual([]);
    expect(llm({ model: "" })).toEqual(["llm_config.model"]);
    expect(llm({ temperature: 2 })).toEqual([]);
    expect(llm({ temperature: 2.1 })).toEqual(["llm_config.temperature"]);
    expect(llm({ temprature: 1 })).toEqual(["llm_config.temprature"]);
  });

  it("[INS5] without an artifact it reasons, and has no capability that needs a review", () => {
    const review = (type: string) => ({ type, ...(type === "AgentSpawn" && { max_children: 1 }) });

    expect(fields(moltbook({ execution_mode: "script", script_entry: "a.py" }))).toEqual([
      "artifact_id",
    ]);
    for (const type of ["CodeExecution", "AgentSpawn"]) {
      expect(fields(moltbook({ capabilities: [review(type)] }))).toEqual(["artifact_id"]);
      expect(fields(weather({ capabilities: [review(type)] }))).toEqual([]);
    }
    expect(fields(moltbook({ capabilities: [{ type: "SandboxFunctions" }] }))).toEqual([]);
  });

  it("[INS6] a script agent names its entry, within its folder", () => {
    const script = (entry?: Json) =>
      fields(weather({ execution_mode: "script", script_entry: entry, llm_config: undefined }));

    expect(script()).toEqual(["script_entry"]);
    expect(script("scripts/main.py")).toEqual([]);
    expect(script("../main.py")).toEqual(["script_entry"]);
    expect(script("/main.py")).toEqual(["script_entry"]);
  });

  it("[INS8] raw handles, aliases and loose files are sent back", () => {
    for (const id of [
      "sha256:abc",
      "a1b2c3d4",
      "art_a1b2c3d",
      "art_a1b2c3d4e",
      "art_A1B2C3D4",
      "main.py",
    ]) {
      const [first] = faultsOf(weather({ artifact_id: id }));

      expect(first?.field).toBe("artifact_id");
      expect(first?.todo).toContain("ask coder to build one first");
    }
    expect(fields(weather({ files: [] }))).toEqual(["files"]);
  });
});

describe("capabilities", () => {
  it("[INS7] each kind has its fields", () => {
    expect(capable({ type: "CodeExecution" }, { type: "SandboxFunctions" })).toEqual([]);
    expect(capable({ type: "CodeExecution", patterns: ["python3 "] })).toEqual([]);
    expect(capable({ type: "AgentSpawn" })).toEqual(["capabilities[0].max_children"]);
    expect(capable({ type: "BackgroundReevaluation" })).toEqual([
      "capabilities[0].min_interval_secs",
      "capabilities[0].allow_reasoning",
    ]);
    expect(capable({ type: "Teleport" })).toEqual(["capabilities[0].type"]);
    expect(capable("NetworkAccess")).toEqual(["capabilities[0]"]);
    const newer = weather({ capabilities: [{ type: "SchedulerAccess" }] });
    expect([faultsOf(newer), faultsOf(newer, realPolicy())].map((all) => all.length)).toEqual([
      0, 1,
    ]);
    const ofKind = CAPABILITY_KINDS.map((kind) => [kind, fieldsOf(kind)]);
    expect(Object.fromEntries(ofKind)).toEqual({
      ...{ SandboxFunctions: ["allowed"], ReadAccess: ["scopes"], WriteAccess: ["scopes"] },
      ...{ NetworkAccess: ["hosts"], AgentSpawn: ["max_children"], AgentMessage: ["patterns"] },
      BackgroundReevaluation: ["min_interval_secs", "allow_reasoning"],
      ...{ CodeExecution: ["patterns"], EmergencyStop: [], CredentialAccess: ["services"] },
      ...{ MemoryAccess: ["scopes"], SchedulerAccess: [] },
    });
  });

  it("[INS7] NetworkAccess without hosts is told what it must include", () => {
    const [fault] = faultsOf(weather({ capabilities: [{ type: "NetworkAccess" }] }));

    expect(fault && faultText(fault)).toContain('You MUST include "hosts": ["*"]');
    expect(capable({ type: "NetworkAccess", hosts: [] })).toEqual([]);
  });

  it("[INS7] a field of another kind is refused, a number one step too far too", () => {
    expect(capable({ type: "ReadAccess", scopes: [], hosts: [], services: [] })).toEqual([
      ...["capabilities[0].hosts", "capabilities[0].services"],
    ]);
    expect(capable({ type: "AgentSpawn", max_children: 4_294_967_295 })).toEqual([]);
    expect(capable({ type: "AgentSpawn", max_children: 4_294_967_296 })).toEqual([
      "capabilities[0].max_children",
    ]);
    expect(capable({ type: "AgentSpawn", max_children: -1 })).toHaveLength(1);
    const waits = (secs: number) =>
      capable({ type: "BackgroundReevaluation", min_interval_secs: secs, allow_reasoning: true });
    expect([waits(1), waits(0)].map((faults) => faults.length)).toEqual([0, 1]);
  });

  it("[INS7] a blank scope would hold everywhere, and is refused", () => {
    expect(capable({ type: "WriteAccess", scopes: [""] })).toEqual(["capabilities[0].scopes"]);
  });
});

it("[INS2, INS9] the real system's errors are in its words, all fields read first", () => {
  const error = (json: Json) => {
    const [first, ...rest] = faultsOf(json, realPolicy());
    return first && intentError([first, ...rest], realPolicy());
  };

  expect(error({ agent_id: "w", instructions: "x" })).toBe(
    "Invalid JSON arguments for 'agent.install': missing field `artifact_id`",
  );
  expect(error(weather({ instructions: "" }))).toBe("instructions must not be empty");
  expect(error(weather({ capabilities: [{ type: "CodeExecution" }] }))).toBe(
    "Invalid JSON arguments for 'agent.install': missing field `patterns`",
  );
  expect(error(weather({ capabilities: [{ type: "NetworkAccess" }] }))).toContain(
    "HELP: NetworkAccess capability requires 'hosts' field.",
  );
  // Fields are read before any is looked at.
  expect(error(weather({ agent_id: "", scheduled_action: { z: 1 } }))).toContain(
    "scheduled_action must include",
  );
  expect(error({ agent_id: "", instructions: "" })).toContain("missing field `artifact_id`");
  expect(error(weather({ instructions: "", agent_id: "" }))).toBe("agent_id must not be empty");
  // A blank ref is none.
  expect(error(weather({ promotion_gate: gate({ install_approval_ref: " " }) }))).toBeUndefined();
  // It is asked for only behind every other check.
  expect(error(weather({ execution_mode: "script" }))).toBeUndefined();
});
