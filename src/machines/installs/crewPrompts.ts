/** What the models of those who install read. Every text in it is cut to its share. Source: seed 003; the words are ours. */
import { cutText } from "../cutText.ts";
import { BUILDER_TOOLS } from "./builderRules.ts";
import type { IntentFields } from "./crewMail.ts";
import {
  type BuildView,
  type CrewView,
  type Did,
  fieldText,
  type JudgeView,
  PLANS,
  type PlanView,
  type TurnView,
} from "./crewViews.ts";

/** Ours: so that a prompt stays within a live model's context whatever an intent or an artifact holds. */
const SHOWN = { goal: 2_000, intent: 6_000, files: 12_000, flaws: 3_000, did: 3_000 };

export function renderCrew(view: CrewView): string {
  switch (view.purpose) {
    case "install.plan":
      return joined(planParts(view));
    case "install.build":
      return joined(buildParts(view));
    case "install.turn":
      return joined(turnParts(view));
    default:
      return joined(judgeParts(view));
  }
}

const planParts = (view: PlanView): readonly string[] => [
  "You are planner.default. You plan the install of an agent and do nothing of it yourself: coder.default builds, " +
    "evaluator.default and auditor.default judge, specialized_builder.default installs.",
  `It is for: ${cut(view.goal, SHOWN.goal)}`,
  intentText(view.intent),
  view.needsCode
    ? `It needs code. Artifact: ${view.artifact ?? "none yet"}.`
    : `It needs no code. Artifact: ${view.artifact ?? "none"}.`,
  listed("Loose files and handles, which cannot be installed", view.loose, SHOWN.flaws),
  `Your matrix asks for ${view.matrix.join(" and ") || "no judge"}. Said of gates: ${view.gating ?? "nothing"}.`,
  `Evaluator: ${view.judges.evaluator}. Auditor: ${view.judges.auditor}.`,
  listed("Reported", view.flaws, SHOWN.flaws),
  view.report === null
    ? ""
    : `The builder reported: ${view.report.outcome}${said(view.report.reason)}. Since then ${view.isChanged ? "something" : "nothing"} has changed.`,
  `Decisions left: ${view.decisionsLeft}.`,
  `next: one of ${PLANS.join(", ")}. gating: none or required, where you overrule the matrix. amend: fields of the intent that are to be otherwise.`,
  `${JSON_ONLY} {"next", "why"}, and where you want it "gating", "amend"`,
];

const buildParts = (view: BuildView): readonly string[] => [
  "You are coder.default. Write the files of this agent.",
  `It is for: ${cut(view.goal, SHOWN.goal)}`,
  intentText(view.intent),
  listed("What was wrong with the one before", view.flaws, SHOWN.flaws),
  "files: texts by name, without SKILL.md and runtime.lock, which the gateway writes. entrypoints: names of files.",
  `${JSON_ONLY} {"files", "entrypoints"}`,
];

const turnParts = (view: TurnView): readonly string[] => [
  "You are specialized_builder.default, and install agents: create a revision from the intent, then promote it. You write " +
    "no code, mend nothing and invent nothing. A failure is reported to the planner, and nothing is tried again. While an " +
    "approval is open you stop; once it is given you complete the install, and only then end your turn.",
  intentText(view.intent),
  listed("Handed over in place of an artifact", view.loose, SHOWN.flaws),
  `How far it is: ${view.phase}.${view.hint === null ? "" : ` workflow.state: ${view.hint}`}`,
  listed("Called so far", view.did.map(didText), SHOWN.did),
  `tool: the next one of ${BUILDER_TOOLS.join(", ")}. Its parameters are filled in.`,
  "about: for content.read the name of a file, for agent.revision.inspect a revision, for agent.revision.diff two.",
  `${JSON_ONLY} {"tool", "why"}, and for those "about"`,
];

const didText = ({ tool, ok, said: text }: Did): string =>
  `${tool}: ${ok ? "done" : "failed"}${said(text)}`;

function judgeParts(view: JudgeView): readonly string[] {
  const isAudit = view.purpose === "install.audit";
  const share = Math.floor(SHOWN.files / Math.max(1, view.files.length));
  return [
    isAudit
      ? "You are auditor.default. Judge whether this artifact is safe and says truly what it does."
      : "You are evaluator.default. Judge whether this artifact does what it is for.",
    `It is for: ${cut(view.goal, SHOWN.goal)}`,
    `Artifact ${view.artifact}, which declares ${view.declared.join(", ") || "nothing"}.`,
    ...view.files.map(({ name, text }) =>
      text === null
        ? `${cut(name, 200)} could not be read.`
        : `${cut(name, 200)}:\n${cut(text, share)}`,
    ),
    view.unread === 0 ? "" : `It has ${view.unread} more files, which you have not read.`,
    "Imports that you do not know, and code that hides what it calls or loads (computed names, reflection, loaders, what cannot " +
      "be read whole), are findings.",
    "record: whether your promotion.record is made. findings: what is wrong, each with its severity." +
      (isAudit
        ? " remote_access_detected is about capability and no threat: true where the code makes any network call."
        : ""),
    isAudit
      ? `${JSON_ONLY} {"pass", "record", "findings", "threats_detected", "remote_access_detected", "inferred_capabilities"}`
      : `${JSON_ONLY} {"pass", "record", "findings"}`,
  ];
}

const JSON_ONLY = "Answer with one JSON object and nothing else:";

const said = (text: string | null): string =>
  text === null || text === "" ? "" : `: ${cut(text, SHOWN.flaws)}`;

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${cutText(text, charsMax)} …`;

const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join("\n\n");

function intentText(intent: IntentFields): string {
  const fields = Object.keys(intent).sort();
  const share = Math.floor(SHOWN.intent / Math.max(1, fields.length));
  const lines = fields.map(
    (field) => `- ${cut(field, 100)}: ${cut(fieldText(intent[field] ?? null), share)}`,
  );
  return `The intent:\n${lines.slice(0, LINES_MAX).join("\n") || "- empty"}`;
}

/** Ours: more lines than this say nothing new. */
const LINES_MAX = 40;

function listed(title: string, items: readonly string[], charsMax: number): string {
  const shown = items.slice(-LINES_MAX);
  if (shown.length === 0) return "";
  const share = Math.floor(charsMax / shown.length);
  return `${title}:\n${shown.map((item) => `- ${cut(item, share)}`).join("\n")}`;
}
