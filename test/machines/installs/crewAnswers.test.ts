// What the models of those who install answer: taken whole or not at all.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Read,
  readAudit,
  readBuild,
  readEvaluation,
  readPlan,
  readTurn,
  wantedIn,
} from "../../../src/machines/installs/crew/crewModel.ts";

const READERS: readonly ((text: string) => Read<unknown>)[] = [
  ...[readPlan, readBuild, readTurn, readEvaluation, readAudit],
];

const AUDIT = {
  ...{ pass: false, record: true, threats_detected: ["eval("], remote_access_detected: true },
  findings: [{ severity: "critical", description: "It runs what it is sent." }],
  inferred_capabilities: ["NetworkAccess", "CodeExecution", "NetworkAccess"],
};

describe("an answer", () => {
  it("[INS101] is read out of the words around it", () => {
    const plan = { next: "install", why: "all have passed" };
    const said = `Here it is:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\`\nGood luck.`;

    expect(readPlan(said).value).toEqual({ ...plan, gating: null, amend: {} });
  });

  it("[INS101] that names its fields is taken whole, and members that nobody asked for are not", () => {
    expect(readAudit(JSON.stringify({ ...AUDIT, install_now: true })).value).toEqual({
      ...{ pass: false, record: true, threats: ["eval("], remoteAccess: true },
      findings: AUDIT.findings,
      inferred: ["CodeExecution", "NetworkAccess"],
    });
    expect(readBuild('{"files": {"main.py": "x = 1", "b.py": ""}}').value).toEqual({
      files: { "main.py": "x = 1", "b.py": "" },
      entrypoints: [],
    });
    const most = { "a.py": "x".repeat(199_996) };
    expect(readBuild(JSON.stringify({ files: most })).value?.files).toEqual(most);
  });

  it("[INS95, INS101] that cannot be used is told by its field, with what was found and what is allowed", () => {
    const cases: readonly (readonly [(text: string) => Read<unknown>, object, string, string])[] = [
      [readPlan, { next: "fix", why: "x" }, "next", "build, evaluate, audit, install, stop"],
      [readPlan, { next: "stop", why: "x", amend: [] }, "amend", "an object of fields"],
      [readTurn, { tool: "fs_write", why: "x" }, "tool", "agent.revision.promote"],
      [readBuild, { files: { "a.py": 1 } }, "files", "one text or more"],
      [readBuild, { files: { "a.py": "x", "b.py": 1 } }, "files", "one text or more"],
      [readBuild, { files: { "a.py": "x".repeat(199_997) } }, "files", "200000 characters"],
      [readEvaluation, { record: true, findings: [] }, "pass", "true or false"],
      [readAudit, { ...AUDIT, findings: [{ severity: "odd" }] }, "findings[0]", "critical"],
      [readAudit, { ...AUDIT, findings: ["bad"] }, "findings[0]", "an object"],
      [readAudit, { ...AUDIT, inferred_capabilities: ["Flying"] }, "inferred", "NetworkAccess"],
    ];
    for (const [read, given, field, allowed] of cases) {
      const { fault } = read(JSON.stringify(given));
      expect(fault?.field).toContain(field);
      expect(fault?.allowed).toContain(allowed);
      expect(fault?.todo).not.toBe("");
    }
  });

  it("[INS95] of the builder becomes what it wants, or a fault in words that its report can bear", () => {
    expect(wantedIn('{"tool": "end_turn", "changes": {"b": 1, "a": 2}, "why": "done"}')).toEqual({
      ...{ tool: "end_turn", changes: ["a", "b"], about: [], why: "done" },
    });
    expect(wantedIn("I am done.")).toMatchObject({ fault: expect.stringContaining("JSON object") });
  });

  it("[INS101] is a value or a fault, and never both, whatever is said", () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((one) => `so: ${one}.`),
    );
    fc.assert(
      fc.property(fc.constantFrom(...READERS), text, (read, said) => {
        const { value, fault } = read(said);
        expect((value === undefined) !== (fault === undefined)).toBe(true);
      }),
    );
  });
});
