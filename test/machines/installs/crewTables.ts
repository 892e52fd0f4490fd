// What coverage.test.ts and the differential test send to those who install.
import fc from "fast-check";
import type { CoderContext } from "../../../src/machines/installs/crew/coder.ts";
import type { InstallerContext } from "../../../src/machines/installs/crew/installer.ts";
import type { JudgeContext } from "../../../src/machines/installs/crew/judge.ts";
import type { PlannerContext } from "../../../src/machines/installs/crew/planner.ts";
import type { MailEvent } from "../../../src/machines/letter.ts";
import type { Table } from "../coverageTable.ts";
import {
  APPROVAL,
  audit,
  building,
  created,
  delegated,
  delivered,
  done,
  evaluation,
  failed,
  INTENT,
  inspection,
  interrupted,
  judgement,
  judging,
  NO_RECORD,
  needsApproval,
  plan,
  report,
  ruled,
  said,
  standing,
  turn,
  wanted,
} from "./crewMachines.ts";

const CREATE = "agent.revision.create_from_intent";
const PROMOTE = "agent.revision.promote";
const away: MailEvent = { type: "llm.failed", error: "away" };
const bounced: MailEvent = { type: "ask.bounced", address: "nobody" };
const held: MailEvent = {
  ...{ type: "install.held", wish: "w1", rule: "INS95" },
  ...{ wanted: "promote", does: "end_turn", why: "nothing was created" },
};
const few = (list: readonly unknown[]): number => Math.min(list.length, 1);

const installer: Table = {
  worlds: [{ input: {}, policy: { "installs.crew.wakes": 1, "installs.crew.looks": 0 } }],
  events: [
    ...[delegated({ intent: INTENT }), interrupted, ruled(true), ruled(false)],
    ...[turn(CREATE), turn(PROMOTE), created, failed("no"), NO_RECORD, needsApproval],
    ...[standing(null), standing("created"), away, bounced],
    { type: "approval.expired", approval: APPROVAL, agent: "weather-fetcher" },
    { type: "rollback.wanted", agent: "weather-fetcher", to: null, reason: "it went wrong" },
    held,
  ],
  facts: ({ queue, phase, ruling, wakes, report: ended }: InstallerContext) => [
    ...[few(queue), phase, ruling?.isApproved, wakes, ended?.outcome],
  ],
};

const planner: Table = {
  worlds: [{ input: {}, policy: { "installs.crew.decisions": 4 } }],
  events: [
    ...[wanted(), plan("build"), plan("evaluate"), plan("install"), plan("stop"), delivered()],
    ...[judgement("evaluator"), report("installed"), report("gated"), away, bounced],
    { type: "install.planned", wish: "w1", next: "build", gates: [], contradiction: null, why: "" },
    {
      ...{ type: "install.closed", wish: "w1", agent: "weather-fetcher", isInstalled: false },
      ...{ reason: "stopped", revision: null },
    },
    held,
  ],
  facts: ({ queue, artifact, step, end, report: ended, decisions }: PlannerContext) => [
    ...[few(queue), artifact !== null, step?.next, end !== null, ended?.outcome, decisions],
  ],
};

const coder: Table = {
  worlds: [{ input: {} }],
  events: [
    ...[building, said({ files: { "main.py": "print(1)\n" } }), said("{"), away, bounced],
    ...[done({ alias: "0a1b2c3d", artifact_id: "art_a1b2c3d4" }), failed("no")],
  ],
  facts: ({ queue, written, aliases, fault }: CoderContext) => [
    ...[few(queue), written !== null, aliases.length, fault !== null],
  ],
};

const judge: Table = {
  worlds: [{ input: {} }],
  events: [judging, inspection, failed("no"), audit(), evaluation(), said("{"), away, bounced],
  facts: ({ queue, unread, files, fault }: JudgeContext) => [
    ...[few(queue), unread.length, Math.min(files.length, 2), fault !== null],
  ],
};

export const crewTables = { auditor: judge, coder, evaluator: judge, installer, planner };

const nothing = fc.constant({});

/** For the differential test: inputs, and events of which each may come at any moment. */
export const anyCrewEvent = (member: keyof typeof crewTables) => {
  const { events } = crewTables[member];
  return [nothing, fc.constantFrom(...events)] as const;
};
