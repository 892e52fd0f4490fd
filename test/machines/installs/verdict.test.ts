import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reasonsText } from "../../../src/machines/installs/fault.ts";
import { needsApproval, riskFactors } from "../../../src/machines/installs/gate/approval.ts";
import { evidenceFault, type PromotionGate } from "../../../src/machines/installs/gate/evidence.ts";
import type { Intent } from "../../../src/machines/installs/gate/intent.ts";
import { gatesOf, matrixGates } from "../../../src/machines/installs/gate/promotionGate.ts";
import {
  created,
  type InstallFacts,
  notesOn,
  refusals,
} from "../../../src/machines/installs/gate/verdict.ts";
import { GATEWAY_TOOLS } from "../../../src/machines/installs/gateway/gateway.ts";
import type { SeenThreat } from "../../../src/machines/installs/mail.ts";
import { ownerFault } from "../../../src/machines/installs/toolOwners.ts";
import type { Json } from "../../../src/machines/letter.ts";
import {
  analysis,
  facts,
  gate,
  gatePolicy,
  intentOf,
  moltbook,
  realPolicy,
  weather,
} from "./gateRules.ts";

type Fields = { readonly [field: string]: Json };
const ours = gatePolicy();
const verdict = (intent: Intent, known: InstallFacts, by = ours) => created(intent, known, by);
const refused = (intent: Intent, known: InstallFacts, by = ours) => {
  const told = verdict(intent, known, by);
  return told.outcome === "refused" ? [told.check, told.reason] : [told.outcome];
};
const threat = (severity: SeenThreat["severity"]): SeenThreat => ({
  ...{ pattern: "sudo", severity, file: "main.py", line: 3 },
});

describe("what grants nothing", () => {
  it.each([
    ["*.example.org", true],
    ["https://example.org", true],
    ["example.org:443", true],
    ["example.org/", true],
    ["example.org", false],
    ["EXAMPLE.org", false],
    ["10.0.0.1", false],
    ["[::1]", false],
    ["*", false],
  ])("[INS157] a host %j covers no host: %s", (host, isTold) => {
    const intent = intentOf(moltbook({ capabilities: [{ type: "NetworkAccess", hosts: [host] }] }));
    const notes = notesOn(intent, facts(), ours);

    expect(notes.some((note) => note.includes("covers no host"))).toBe(isTold);
  });

  it("[INS157] a scope that leads out of the agent's own folder is told, self.* is not", () => {
    const scopes = ["self.*", "self.../other"];
    const intent = intentOf(moltbook({ capabilities: [{ type: "ReadAccess", scopes }] }));

    expect(notesOn(intent, facts(), ours)).toEqual(['ReadAccess "self.../other" covers nothing']);
    expect(notesOn(intent, facts(), realPolicy())).toEqual([]);
  });
});

describe("who installs", () => {
  it("[INS1] the builder does, and whoever else asks is refused before anything is looked at", () => {
    expect(verdict(intentOf(weather()), facts())).toMatchObject({ outcome: "created" });
    for (const from of ["planner.default", "coder.default", "evolution-steward.default", ""]) {
      const known = facts({ from, artifact: { error: "gone" }, isApproved: false });

      expect(refused(intentOf(weather()), known)).toEqual([
        "caller",
        "Native tool 'agent.revision.create_from_intent' is not available or permitted",
      ]);
    }
  });

  it("[INS1, INS117] every tool of revisions is the builder's, promotion.record the judges', others nobody's", () => {
    const may = (tool: string, from: string, by = ours) => ownerFault(tool, from, by) === null;

    const ofRevisions = GATEWAY_TOOLS.filter((tool) => tool.startsWith("agent.revision."));
    expect(ofRevisions).toHaveLength(7);
    for (const tool of [...ofRevisions, "agent.install"]) {
      expect(may(tool, "specialized_builder.default")).toBe(true);
      expect(may(tool, "weather-fetcher")).toBe(false);
      expect(may(tool, "evolution-steward.default", realPolicy())).toBe(true);
    }
    expect(may("promotion.record", "auditor.default")).toBe(true);
    expect(may("promotion.record", "specialized_builder.default")).toBe(false);
    expect(may("content.read", "anyone")).toBe(true);
  });
});

describe("checks in their order", () => {
  const all = facts({
    artifact: { error: "artifact 'art_a1b2c3d4' not found" },
    analysis: analysis({
      inferred: ["CodeExecution", "WriteAccess"],
      threats: [threat("high")],
      passed: false,
    }),
  });
  const wrong = intentOf(weather({ promotion_gate: gate({ override_approval_ref: "x" }) }));

  it("[INS9] the first that fails ends it, and all of them are told together", () => {
    expect(refused(wrong, all)[0]).toBe("artifact");
    expect(refusals(wrong, all, ours).map(({ check }) => check)).toEqual([
      ...["artifact", "capabilities", "threats", "override", "evidence"],
    ]);
  });

  it("[INS9] where all of it is wrong, each check ends it before the next one", () => {
    const claims = { passed: true, threats_detected: [], remote_access_detected: false };
    let given: Fields = {
      ...{ execution_mode: "script", script_entry: "gone.py" },
      promotion_gate: gate({
        ...{ evaluator_pass: false, override_approval_ref: "x", security_analysis: claims },
      }),
    };
    let found = {
      inferred: ["NetworkAccess", "CodeExecution"],
      ...{ threats: [threat("high")], passed: false },
    };
    let known: Partial<InstallFacts> = { from: "planner.default", artifact: { error: "gone" } };
    const ended = () =>
      refused(
        intentOf(weather(given)),
        facts({ ...known, analysis: analysis(found), isApproved: false }),
      )[0];
    const mended: readonly (readonly [check: string, mend: () => unknown])[] = [
      ["caller", () => (known = { artifact: { error: "gone" } })],
      ["artifact", () => (known = {})],
      ["entry", () => (given = { ...given, script_entry: "main.py" })],
      ["capabilities", () => (found = { ...found, inferred: ["NetworkAccess"] })],
      ["threats", () => (found = { ...found, threats: [], passed: true })],
      [
        "override",
        () =>
          (given = {
            ...given,
            promotion_gate: gate({ evaluator_pass: false, security_analysis: claims }),
          }),
      ],
      ["gate", () => (given = { ...given, promotion_gate: gate({ security_analysis: claims }) })],
      ["evidence", () => (given = { ...given, promotion_gate: gate() })],
      ["approval-required", () => null],
    ];
    for (const [check, mend] of mended) {
      expect(ended()).toBe(check);
      mend();
    }
  });

  it("[INS9] an approval is asked for when everything else has passed; in the real system before", () => {
    const asked = facts({ isApproved: false });

    expect(verdict(intentOf(weather()), asked)).toEqual({
      ...{ outcome: "approval-required", factors: ["network_access"] },
    });
    expect(refused(wrong, { ...all, isApproved: false })[0]).toBe("artifact");
    expect(refused(wrong, { ...all, isApproved: false }, realPolicy())).toEqual([
      "approval-required",
    ]);
  });

  it("[INS9] nobody is asked about a stranger's install, not even first of all", () => {
    const known = facts({ from: "planner.default", isApproved: false });

    expect(refused(intentOf(weather()), known, realPolicy())[0]).toBe("caller");
  });

  it("[INS9] the real system wants its records at once, and of the digest that they name", () => {
    const early = gatePolicy({ "records.checkedAt": "creation" });
    const told = (digest?: string, pass = true) => {
      const judgement = { pass, by: "x", findings: [], ...(digest !== undefined && { digest }) };
      const judgements = { evaluator: judgement, auditor: judgement };
      const records = { art_a1b2c3d4: { artifactId: "art_a1b2c3d4", judgements } };
      return refused(intentOf(weather()), facts({ records }), early);
    };

    expect(refused(intentOf(weather()), facts(), early)).toEqual([
      "records",
      "promotion_gate.evaluator_pass=true but no passing evaluator promotion record exists for artifact 'art_a1b2c3d4'",
    ]);
    expect([told(), told("sha256:1")]).toEqual([["created"], ["created"]]);
    expect(told("sha256:2")[1]).toContain("has digest 'sha256:2' but current artifact has digest");
    expect(told("sha256:1", false)[0]).toBe("records");
    const half = { evaluator: { pass: true, by: "x", findings: [] } };
    const other = { auditor: { ...half.evaluator, digest: "sha256:2" } };
    const records = {
      art_a1b2c3d4: { artifactId: "art_a1b2c3d4", judgements: { ...half, ...other } },
    };
    expect(refused(intentOf(weather()), facts({ records }), early)[1]).toContain("digest mismatch");
    expect(refused(intentOf(weather()), facts(), ours)).toEqual(["created"]);
  });

  it("[INS9] nothing is created that any check refuses, or that needs an approval and has none", () => {
    const kinds = fc.subarray(["NetworkAccess", "ReadAccess", "WriteAccess", "CodeExecution"]);
    const any = fc.record({
      from: fc.constantFrom("specialized_builder.default", "planner.default"),
      inferred: kinds,
      severity: fc.constantFrom("low" as const, "high" as const, "critical" as const, null),
      remoteAccess: fc.boolean(),
      isApproved: fc.boolean(),
      gates: fc.subarray(["evaluator", "auditor"] as const),
      policy: fc.constantFrom(
        ours,
        gatePolicy({ asks: "first" }),
        gatePolicy({ approval: "always" }),
      ),
    });
    fc.assert(
      fc.property(any, ({ from, inferred, severity, remoteAccess, isApproved, gates, policy }) => {
        const threats = severity === null ? [] : [threat(severity)];
        const passed = severity === null || severity === "low";
        const known = facts({
          ...{ from, isApproved, gates },
          analysis: analysis({ inferred, threats, passed, remoteAccess }),
        });
        const intent = intentOf(weather());
        const isCreated = created(intent, known, policy).outcome === "created";

        expect(isCreated).toBe(refusals(intent, known, policy).length === 0 && isApproved);
      }),
    );
  });

  it("[INS6] the entry is a file of the artifact", () => {
    const script = (entry: string) =>
      intentOf(weather({ execution_mode: "script", script_entry: entry }));

    expect(refused(script("main.py"), facts())).toEqual(["created"]);
    expect(refused(script("other.py"), facts())[0]).toBe("entry");
    expect(refused(script("in.py"), facts())[0]).toBe("entry");
    expect(refused(script("other.py"), facts(), gatePolicy({ shape: "real" }))).toEqual([
      "created",
    ]);
  });

  it("[INS10] reasons stand in one line, in which a whole sentence keeps its end", () => {
    const reasons = ["It needs more. Add it.", "a.py:1 needs ReadAccess (open)", "no evidence"];

    expect(reasonsText(reasons)).toBe(
      "It needs more. Add it. a.py:1 needs ReadAccess (open); no evidence",
    );
    expect(reasonsText([])).toBe("");
  });

  it("[INS10] a mismatch is told in the seed's words, with the kinds sorted", () => {
    const needs = (...inferred: string[]) =>
      refused(intentOf(weather()), facts({ analysis: analysis({ inferred }) }));

    expect(needs("NetworkAccess")).toEqual(["created"]);
    expect(needs("NetworkAccess", "ReadAccess")[1]).toBe(
      "Capability mismatch: code requires ReadAccess but it was not declared in capabilities. Add these capabilities to your install request.",
    );
    expect(needs("WriteAccess", "CodeExecution")[1]).toContain(
      "requires CodeExecution, WriteAccess but they were not declared",
    );
  });

  it("[INS10] twenty places that show it follow as reasons, and not the next", () => {
    const evidence = Array.from({ length: 21 }, (_, at) => ({
      ...{ capability: "ReadAccess" as const, file: "main.py", line: at + 1, pattern: "open" },
    }));
    // What is declared needs no place.
    const declared = { ...{ capability: "NetworkAccess" as const, file: "a.py" }, line: 1 };
    const all = [{ ...declared, pattern: "requests" }, ...evidence];
    const known = facts({ analysis: analysis({ inferred: ["ReadAccess"], evidence: all }) });
    const told = verdict(intentOf(weather()), known);
    const { places = [] } = "places" in told ? told : {};

    expect(places).toHaveLength(20);
    expect(places.at(-1)).toBe("main.py:20 needs ReadAccess (open)");
  });

  it("[INS10] hosts are not compared, nor scopes", () => {
    const capabilities = [
      { type: "NetworkAccess", hosts: ["other.example"] },
      { type: "ReadAccess", scopes: ["/nowhere"] },
    ];
    const known = facts({ analysis: analysis({ inferred: ["NetworkAccess", "ReadAccess"] }) });
    const checks = refusals(intentOf(weather({ capabilities })), known, ours);

    expect(checks.map(({ check }) => check)).not.toContain("capabilities");
  });

  describe("a threat", () => {
    const with_ = (severity: SeenThreat["severity"], by = ours) => {
      const passed = severity === "low" || severity === "medium";
      const known = facts({
        gates: [],
        analysis: analysis({ threats: [threat(severity)], passed }),
      });
      return verdict(intentOf(weather({ promotion_gate: undefined, gating: "none" })), known, by);
    };

    it("[INS11] rejects from high on, also with gating: none", () => {
      expect(with_("high")).toMatchObject({
        ...{ outcome: "refused", check: "threats" },
        reason: "Security threats detected; install is blocked: sudo (high) at main.py:3",
      });
      expect(with_("critical")).toMatchObject({
        reason: expect.stringContaining("sudo (critical) at main.py:3"),
      });
      expect(with_("critical", realPolicy())).toMatchObject({ outcome: "created" });
    });

    it("[INS11] is a note below", () => {
      expect(with_("medium")).toEqual({ outcome: "created", notes: ["main.py:3: sudo (medium)"] });
    });
  });

  it("[INS21] what is declared and not seen is a note, and so is remote access that is claimed alone", () => {
    const intent = intentOf(weather());
    const known = facts({ analysis: analysis({ inferred: [], remoteAccess: false }) });

    expect(verdict(intent, known)).toEqual({
      outcome: "created",
      notes: [
        "declared, but not seen in the code: NetworkAccess",
        "remote_access_detected is true, but no network call was seen",
      ],
    });
    const each = [
      ...[{ type: "CodeExecution" }, { type: "NetworkAccess", hosts: ["*"] }],
      ...["ReadAccess", "WriteAccess"].map((type) => ({ type, scopes: ["self.*"] })),
    ];
    const wide = intentOf(weather({ capabilities: each, promotion_gate: undefined }));
    expect(verdict(wide, facts({ gates: [], analysis: analysis({ inferred: [] }) }))).toEqual({
      outcome: "created",
      notes: [`declared, but not seen in the code: ${each.map(({ type }) => type).join(", ")}`],
    });
    // What no code can show is no note.
    const capabilities = [{ type: "AgentSpawn", max_children: 1 }];
    const spawns = intentOf(weather({ capabilities, promotion_gate: undefined }));
    expect(verdict(spawns, facts({ gates: [], analysis: analysis({ inferred: [] }) }))).toEqual({
      outcome: "created",
      notes: [],
    });
  });

  it("[INS9] an agent that is there gets a new revision; in the real system it is refused", () => {
    const known = facts({ isThere: true });

    expect(refused(intentOf(weather()), known)).toEqual(["created"]);
    expect(refused(intentOf(weather()), known, gatePolicy({ existing: "refused" }))).toEqual([
      ...["existing", "child agent 'weather-fetcher' already exists"],
    ]);
  });

  it("[INS9] in the real system what must fit together within an intent is looked at last", () => {
    const real = realPolicy();
    const known = facts({ artifact: { error: "gone" } });
    const told = (changed: Fields, seen = facts()) =>
      refused(intentOf(weather(changed), real), seen, {
        ...real,
        records: { ...real.records, checkedAt: "promotion" },
      });

    for (const [changed, reason] of [
      [{ execution_mode: "script" }, "script_entry is required when execution_mode is script"],
      [
        { background: { enabled: false, interval_secs: 5 }, scheduled_action: { command: "x" } },
        "scheduled_action requires background.enabled = true",
      ],
      [{ background: { enabled: false } }, "background.interval_secs must be > 0"],
    ] as const) {
      expect(told(changed)).toEqual(["work", reason]);
      expect(told(changed, known)).toEqual(["artifact", "gone"]);
    }
  });
});

describe("gates", () => {
  it("[INS12] the matrix asks for both judges of network, code and spawn, and for none of a transform", () => {
    for (const type of ["NetworkAccess", "CodeExecution", "AgentSpawn"] as const) {
      expect(matrixGates([{ type }], ours)).toEqual(["evaluator", "auditor"]);
    }
    expect(matrixGates([{ type: "ReadAccess" }, { type: "WriteAccess" }], ours)).toEqual([]);
    expect(
      matrixGates([{ type: "CodeExecution" }], gatePolicy({ "matrix.code": ["auditor"] })),
    ).toEqual(["auditor"]);
  });

  it("[INS12] without artifact there is no gate, whatever is said, and the contradiction is told", () => {
    for (const said of [null, "none", "required"] as const) {
      expect(gatesOf(intentOf(moltbook()), said, ours)).toEqual({
        roles: [],
        contradiction:
          "the matrix asks for evaluator, auditor, but an install without artifact has no promotion gate",
      });
    }
  });

  it("[INS12] gating: none holds against the matrix, unless the gateway decides", () => {
    const intent = intentOf(weather());
    const quiet = intentOf(weather({ capabilities: [] }));

    expect(gatesOf(intent, null, ours)).toEqual({
      roles: ["evaluator", "auditor"],
      contradiction: null,
    });
    expect(gatesOf(intent, "none", ours)).toMatchObject({
      roles: [],
      contradiction: expect.any(String),
    });
    expect(gatesOf(intent, "none", gatePolicy({ "matrix.decides": "gateway" }))).toMatchObject({
      ...{ roles: ["evaluator", "auditor"], contradiction: expect.any(String) },
    });
    expect(gatesOf(quiet, "none", ours)).toEqual({ roles: [], contradiction: null });
    expect(gatesOf(quiet, "required", ours).roles).toEqual(["evaluator", "auditor"]);
    const one = gatePolicy({ "matrix.network": ["auditor"] });
    expect(gatesOf(intent, "required", one).roles).toEqual(["auditor"]);
    expect(gatesOf(quiet, "none", realPolicy()).roles).toEqual(["evaluator", "auditor"]);
  });

  it("[INS13] a gate must be shown, and claim the pass of each judge that is asked for", () => {
    const shown = (promotion_gate: ReturnType<typeof gate> | undefined, gates = facts().gates) =>
      refused(intentOf(weather({ promotion_gate })), facts({ gates }))[1];

    expect(shown(undefined)).toBe(
      "agent.revision.create_from_intent from 'specialized_builder.default' requires promotion_gate evidence",
    );
    expect(shown(undefined, [])).toBeUndefined();
    expect(shown(gate({ auditor_pass: false }))).toBe(
      "promotion gate failed: set evaluator_pass=true and auditor_pass=true",
    );
    expect(shown(gate({ auditor_pass: false }), ["evaluator"])).toBeUndefined();
    // Of one judge no less than of two.
    for (const gates of [["evaluator"], ["evaluator", "auditor"]] as const) {
      expect(shown(undefined, gates)).toContain("requires promotion_gate evidence");
      for (const field of ["security_analysis", "capability_analysis"]) {
        expect(shown(gate({ [field]: undefined }), gates)).toContain(
          `evidence missing: provide promotion_gate.${field}`,
        );
      }
    }
  });

  it("[INS13] nothing overrides it, but a blank text is none", () => {
    const over = (ref: string, by = ours) =>
      refused(
        intentOf(
          weather({ promotion_gate: gate({ evaluator_pass: false, override_approval_ref: ref }) }),
        ),
        facts(),
        by,
      )[0];

    expect(over("I am the operator")).toBe("override");
    expect(over(" ")).toBe("gate");
    expect(over("x", gatePolicy({ override: "accepted" }))).toBe("created");
  });
});

describe("evidence", () => {
  const found = {
    inferred: ["NetworkAccess"],
    missing: [],
    declared: ["NetworkAccess"],
    passed: true,
    remoteAccess: true,
    threats: [{ pattern: "fork()" }],
  };
  const claim = (changed: Fields): PromotionGate =>
    intentOf(weather({ promotion_gate: gate(changed) })).promotion_gate as PromotionGate; // Given.
  const fault = (changed: Fields, by = {}, seen: Partial<typeof found> = {}) =>
    evidenceFault(claim(changed), { ...found, ...seen }, { ...ours, ...by });
  const capability = (changed: Fields) => ({
    capability_analysis: { ...(gate()["capability_analysis"] as Fields), ...changed }, // A map.
  });
  const security = (changed: Fields) => ({
    security_analysis: { ...(gate()["security_analysis"] as Fields), ...changed }, // A map.
  });

  it("[INS14] what is inferred must be included, what is declared must be equal", () => {
    expect(fault({})).toBeNull();
    expect(
      fault(capability({ inferred_capabilities: ["ReadAccess", "NetworkAccess"] })),
    ).toBeNull();
    const both = { inferred: ["NetworkAccess", "WriteAccess"] };
    expect(fault({}, {}, both as never)).toContain(
      '(expected subset ["NetworkAccess", "WriteAccess"], got ["NetworkAccess"])',
    );
    expect(fault(capability({ inferred_capabilities: ["ReadAccess"] }))).toContain(
      '(expected subset ["NetworkAccess"], got ["ReadAccess"])',
    );
    expect(fault(capability({ declared_capabilities: [" NetworkAccess "] }))).toBeNull();
    expect(fault(capability({ declared_capabilities: ["NetworkAccess", "ReadAccess"] }))).toContain(
      "declared_capabilities mismatch",
    );
    expect(fault({}, {}, { missing: ["ReadAccess"] as never })).toContain(
      'expected ["ReadAccess"], got []',
    );
  });

  it("[INS14] each part in turn, in the dossier's order", () => {
    const none = { security_analysis: null, capability_analysis: null };

    expect(fault(none)).toContain("promotion_gate.security_analysis with concrete");
    expect(fault({ capability_analysis: null })).toContain(
      "promotion_gate.capability_analysis with concrete",
    );
    expect(fault(none, { isRequired: false })).toBeNull();
    expect(
      fault({ ...security({ passed: false }), ...capability({ analysis_passed: false }) }),
    ).toContain("security_analysis.passed");
    expect(fault(capability({ analysis_passed: false, missing_capabilities: ["X"] }))).toContain(
      "analysis_passed must",
    );
    expect(fault(capability({ missing_capabilities: ["X"] }), {}, { passed: false })).toContain(
      "missing_capabilities must be empty",
    );
    expect(fault(security({ remote_access_detected: false }), {}, { passed: false })).toBe(
      "gateway security analysis failed; install is blocked",
    );
    expect(
      fault({
        ...security({ remote_access_detected: false }),
        ...capability({ inferred_capabilities: [] }),
      }),
    ).toContain("remote_access_detected must be true");
    expect(
      fault(security({ remote_access_detected: false, threats_detected: ["another"] })),
    ).toContain("remote_access_detected must be true");
    const missing = { missing: ["ReadAccess"] as never };
    const undeclared = { declared_capabilities: [] };
    expect(fault(capability({ ...undeclared, inferred_capabilities: [] }), {}, missing)).toContain(
      "inferred_capabilities must include",
    );
    expect(fault(capability(undeclared), {}, missing)).toContain("missing_capabilities mismatch");
  });

  it("[INS14] what is shown where nothing is required must still be true", () => {
    for (const claim of [
      security({ remote_access_detected: false }),
      security({ passed: false }),
      capability({ analysis_passed: false }),
      capability({ declared_capabilities: [] }),
    ]) {
      const lie = weather({ promotion_gate: gate(claim) });
      expect(refused(intentOf(lie), facts({ gates: [] }))[0]).toBe("evidence");
    }
    const half = weather({ promotion_gate: gate({ capability_analysis: null }) });
    expect(refused(intentOf(half), facts({ gates: [] }))).toEqual(["created"]);
    expect(refused(intentOf(half), facts())[0]).toBe("evidence");
  });

  it("[INS14] evidence names no threat that the gateway did not find, whatever else it says", () => {
    const naming = (...threats_detected: string[]) => security({ threats_detected });

    expect(fault(naming())).toBeNull();
    expect(fault(naming(" fork() ", ""))).toBeNull();
    expect(fault(naming("fork()", "an API key"))).toBe(
      'promotion_gate.security_analysis.threats_detected mismatch: ["an API key"] not among gateway-detected ["fork()"]',
    );
    expect(fault(naming("fork()"), {}, { threats: [] })).toContain("threats_detected mismatch");
    expect(fault(naming("an API key"), { isRequired: false })).toContain("mismatch");
    expect(fault(naming("an API key"), { threatClaims: "unread" })).toBeNull();
  });

  it("[INS15] remote access may be claimed where none is seen, and not denied where it is", () => {
    const remote = (isClaimed: boolean, isSeen: boolean, remoteClaim = ours.remoteClaim) =>
      fault(
        security({ remote_access_detected: isClaimed }),
        { remoteClaim },
        { remoteAccess: isSeen },
      );

    expect([remote(true, true), remote(true, false), remote(false, false)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(remote(false, true)).toContain(
      "must be true when gateway analysis detects remote access",
    );
    expect(remote(true, false, "strict")).toContain("must be false");
  });

  it("[INS15] a claim that lists a threat denies remote access no more than any other", () => {
    const denied = (...threats_detected: string[]) =>
      fault(security({ threats_detected, remote_access_detected: false }));

    expect(denied("fork()")).toContain("remote_access_detected must be true");
    expect(denied()).toContain("remote_access_detected must be true");
    expect(
      fault(
        security({ threats_detected: ["fork()"], remote_access_detected: false }),
        {},
        {
          remoteAccess: false,
        },
      ),
    ).toBeNull();
  });
});

describe("risk", () => {
  const agent_id = "scribe";
  const risk = (...capabilities: Intent["capabilities"]) =>
    riskFactors({ agent_id, capabilities }, ours);
  const writing = (...scopes: string[]) => ({ type: "WriteAccess" as const, scopes });
  const broad = ["broad_write_access"];

  it("[INS16] what makes an install risky, and one step before it", () => {
    expect(risk({ type: "CodeExecution" })).toEqual(["code_execution"]);
    expect(risk({ type: "NetworkAccess", hosts: [] })).toEqual([]);
    expect(risk({ type: "NetworkAccess", hosts: ["localhost"] })).toEqual(["network_access"]);
    expect(risk(writing("a", "b"))).toEqual([]);
    expect(risk(writing("a", "b", "c"))).toEqual(broad);
    expect(risk(writing("a*", "self.*"))).toEqual([]);
    expect(risk(writing("*"))).toEqual(broad);
    expect(
      risk({ type: "AgentSpawn", max_children: 9 }, { type: "ReadAccess", scopes: ["*"] }),
    ).toEqual([]);
    expect(
      riskFactors(
        {
          ...{ agent_id, capabilities: [] },
          background: { enabled: true, interval_secs: 1 },
          scheduled_action: "write_file",
        },
        ours,
      ),
    ).toEqual(["background_execution", "scheduled_action"]);
    const background = { enabled: false, interval_secs: 1 };
    expect(riskFactors({ agent_id, capabilities: [], background }, ours)).toEqual([]);
  });

  it("[INS16] a scope is broad where it reaches beyond the agent's own folder, with or without a star", () => {
    for (const scope of [
      ...["/", "/agentOS", "/agentOS*", "/agentOS/tools/dynamic", "/agentOS/tools/dynamic/*"],
      ...["/agentOS/workspace", "/agentOS/workspace/scribe*", "/agentOS/workspace/scribe-2", "../"],
      ...["/agentOS/workspace/scribe/../x", "a/../../b", "/*"],
    ]) {
      expect([scope, risk(writing(scope))]).toEqual([scope, broad]);
    }
    for (const scope of [
      "self.*",
      "a/*",
      "/agentOS/workspace/scribe",
      "notes/a.md",
      "./",
      "self.x",
    ]) {
      expect([scope, risk(writing(scope))]).toEqual([scope, []]);
    }
  });

  it("[INS16] scopes count together, however they are spread over capabilities; what covers nothing does not", () => {
    expect(risk(writing("a"), writing("b"))).toEqual([]);
    expect(risk(writing("a"), writing("b"), writing("c"))).toEqual(broad);
    expect(risk(writing("a", "b", "", "self.../../x"))).toEqual([]);
  });

  it("[INS16] under the real system's rule a scope is broad by its words", () => {
    const real = realPolicy();
    const words = (...capabilities: Intent["capabilities"]) =>
      riskFactors({ agent_id, capabilities }, real);

    expect(words(writing("/agentOS"), writing("a"), writing("b"))).toEqual([]);
    expect(words(writing("a/*"))).toEqual(broad);
    expect(words(writing("a", "b", "c"))).toEqual(broad);
  });

  it("[INS16] factors are sorted, and whether any of them counts is policy", () => {
    const capabilities = [
      { type: "NetworkAccess" as const, hosts: ["*"] },
      { type: "CodeExecution" as const },
      { type: "CodeExecution" as const },
    ];

    expect(risk(...capabilities)).toEqual(["code_execution", "network_access"]);
    expect(needsApproval({ agent_id, capabilities }, ours)).toBe(true);
    expect(needsApproval({ agent_id, capabilities: [] }, ours)).toBe(false);
    expect(needsApproval({ agent_id, capabilities: [] }, gatePolicy({ approval: "always" }))).toBe(
      true,
    );
    expect(needsApproval({ agent_id, capabilities }, gatePolicy({ approval: "never" }))).toBe(
      false,
    );
  });
});
