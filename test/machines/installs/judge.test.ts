// Evaluator and auditor alone: what they read, what they record, and what opens no gate.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MailEvent } from "../../../src/machines/letter.ts";
import {
  ARTIFACT,
  alone,
  audit,
  done,
  evaluation,
  failed,
  inspection,
  judging,
  said,
} from "./crewMachines.ts";

const text = done({ content: "import urllib.request\n" });
const reading = (role: "evaluator" | "auditor") => alone(role).send(judging, inspection, text);

describe("a judge", () => {
  it("[INS99] looks the artifact over, reads its files, records as its own role and says what it found", () => {
    const here = reading("evaluator").send(evaluation(), done());

    expect(here.calls()).toEqual(["artifact.inspect", "content.read", "promotion.record"]);
    expect(here.of("llm.asked")[0]?.view).toMatchObject({
      purpose: "install.evaluate",
      files: [{ name: "main.py", text: "import urllib.request\n" }],
    });
    expect(here.of("gateway.asked").at(-1)?.params).toMatchObject({
      ...{ artifact_id: ARTIFACT, role: "evaluator", pass: true, artifact_digest: "sha256:00" },
    });
    expect(here.of("judging.given")).toMatchObject([{ pass: true, recorded: true, reason: null }]);
  });

  it("[INS99] that makes no record opens no gate, and it is said", () => {
    const here = reading("evaluator").send(evaluation({ record: false }));

    expect(here.calls()).not.toContain("promotion.record");
    expect(here.of("judging.given")).toMatchObject([
      { recorded: false, reason: "evaluator.default made no promotion.record" },
    ]);
  });

  // It is open, and so asked for again, where nothing was judged that could be.
  it.each<[string, readonly MailEvent[], string, isOpen?: true]>([
    ["the artifact was tampered with", [failed("digest mismatch")], "digest mismatch"],
    ["its model does not judge", [inspection, text, said("Fine!")], "no judgement", true],
    ["its model is away", [inspection, text, { type: "llm.failed", error: "away" }], "away", true],
    ["the gateway refuses its record", [inspection, text, evaluation(), failed("no")], "no"],
  ])("[INS99] gives none where %s", (_, events, reason, isOpen) => {
    const [given] = alone("evaluator")
      .send(judging, ...events)
      .of("judging.given");

    expect(given?.recorded).toBe(false);
    expect(given?.reason).toContain(reason);
    expect(given?.isOpen).toBe(isOpen);
  });

  it("[INS99] is shown a file that it cannot read as such, and how many it does not read", () => {
    const many = done({
      files: Array.from({ length: 3 }, (_, n) => ({ name: `f${n}.py`, alias: "0a1b2c3d" })),
    });
    const here = alone("auditor", { "installs.crew.files": 2 });
    here.send(judging, many, failed("not there"), text);

    expect(here.of("llm.asked")[0]?.view).toMatchObject({
      ...{ files: [{ text: null }, { text: "import urllib.request\n" }], unread: 1 },
    });
  });
});

describe("an audit", () => {
  it("[INS99] that tells of a threat has not passed by its security, whatever else it says", () => {
    const [given] = reading("auditor")
      .send(audit({ threats_detected: ["fork()"], remote_access_detected: false }), done())
      .of("judging.given");

    expect(given?.security).toEqual({
      ...{ passed: false, threats_detected: ["fork()"], remote_access_detected: false },
    });
    // What it needs is declared: that is no matter of threats.
    expect(given?.capability?.analysis_passed).toBe(true);
  });

  it("[INS99] tells threats and remote access apart, and what is needed from what is declared", () => {
    const more = { inferred_capabilities: ["NetworkAccess", "WriteAccess"] };
    const [given] = reading("auditor").send(audit(more), done()).of("judging.given");

    expect(given?.security).toEqual({
      ...{ passed: true, threats_detected: [], remote_access_detected: true },
    });
    expect(given?.capability).toMatchObject({
      ...{ missing_capabilities: ["WriteAccess"], declared_capabilities: ["NetworkAccess"] },
      analysis_passed: false,
    });
  });
});

it("[INS99] whatever it hears, a judge answers once and records for its own role alone", () => {
  const heard = fc.constantFrom<MailEvent>(
    ...[judging, inspection, text, audit(), audit({ pass: false }), evaluation(), done()],
    ...[failed("no"), said("{"), { type: "llm.failed", error: "away" } as const],
  );
  fc.assert(
    fc.property(
      fc.constantFrom("evaluator" as const, "auditor" as const),
      fc.array(heard, { maxLength: 40 }),
      (role, events) => {
        const here = alone(role).send(...events);
        const asked = events.filter(({ type }) => type === "judging.wanted").length;
        const records = here.of("gateway.asked").filter(({ tool }) => tool === "promotion.record");

        expect(here.of("judging.given").length).toBeLessThanOrEqual(asked);
        if (here.isIdle()) expect(here.of("judging.given")).toHaveLength(asked);
        expect(records.every(({ params }) => params["role"] === role)).toBe(true);
        expect(here.calls().some((tool) => tool.startsWith("agent."))).toBe(false);
      },
    ),
    { numRuns: 60 },
  );
});
