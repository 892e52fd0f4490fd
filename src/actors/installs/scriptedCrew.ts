/**
 * The scripted models of those who install. Each answers from what it is shown: what the scenario says it may think of, drawn by
 * weight among what fits; where nothing fits, what is sensible, with a slip now and then by the seed and `installs.crew.slips`. Ours.
 */
import { drawnFrom } from "../../contract/drawn.ts";
import type { Scripted } from "../../contract/part.ts";
import { ROLES, type Role } from "../../machines/installs/addresses.ts";
import type { BuilderTool, InstallPhase } from "../../machines/installs/crew/builderRules.ts";
import {
  type CrewView,
  type JudgeView,
  type Plan,
  type PlanView,
  renderCrew,
  type SlipPolicy,
  type TurnView,
} from "../../machines/installs/crew/crewModel.ts";
import {
  INFERABLE,
  isBarring,
  patternHits,
  threatHits,
} from "../../machines/installs/detection/patterns.ts";
import type { Json } from "../../machines/letter.ts";
import type { View } from "../../machines/portMail.ts";
import type { PromptProvider } from "../../substrate/port.ts";
import type { Stream } from "../../substrate/random.ts";
import { isCrewView } from "./purposes.ts";

export const CREW_PURPOSES = ["plan", "build", "turn", "evaluate", "audit"] as const;

/** What one of those who install may think of. */
export interface CrewThought {
  /** `crew:<id>` is the choice's name. */
  readonly id: string;
  readonly to: (typeof CREW_PURPOSES)[number];
  /** Only of this wish; of any when null. */
  readonly wish: string | null;
  /** Only when what it is shown holds this text; whatever it holds when null. */
  readonly match: string | null;
  readonly weight: number;
  readonly answer: { readonly [member: string]: Json };
}

export function scriptedModel({
  scenario,
  policy,
  random,
  without,
}: Scripted): PromptProvider<"llm.asked"> {
  const all = (scenario.installs?.crew ?? []).filter(({ id }) => !without.has(`crew:${id}`));
  const think = (view: CrewView, draw: Stream): Thought => {
    const shown = JSON.stringify(view);
    const fits = all.filter(
      ({ to, wish, match }) =>
        view.purpose === `install.${to}` &&
        (wish === null || wish === view.wish) &&
        (match === null || shown.includes(match)),
    );
    const found = drawnFrom(fits, draw);
    return found === undefined
      ? ownThought(view, mindOf(draw, policy.installs.crew.slips, without))
      : { answer: found.answer, choice: `crew:${found.id}` };
  };
  const { latency } = policy.installs.crew;
  return {
    text: ({ view }) => renderCrew(own(view)),
    answer: ({ from, purpose, nth, event }) => {
      const view = own(event.view);
      const draw = random.at(from, purpose, nth);
      const { answer, choice } = think(view, draw);
      const middleMs = latency[LATENCIES[view.purpose]];
      const spread = Math.floor((middleMs * policy.model.jitter) / 1_000);
      const latencyMs = middleMs + draw.integer(-spread, spread);
      return {
        event: { type: "llm.replied", text: JSON.stringify(answer) },
        ...{ latencyMs, choice },
      };
    },
  };
}

function own(view: View): CrewView {
  if (!isCrewView(view)) throw new Error(`${view.purpose} is no purpose of installs`);
  return view;
}

const LATENCIES = {
  "install.plan": "planMs",
  "install.build": "buildMs",
  "install.turn": "turnMs",
  "install.evaluate": "evaluateMs",
  "install.audit": "auditMs",
} as const;

/** What comes to mind without an idea of the scenario's; a coder without one writes nothing. */
function ownThought(view: CrewView, mind: Mind): Thought {
  switch (view.purpose) {
    case "install.plan":
      return planned(view, mind);
    case "install.build":
      return { answer: {}, choice: "build:nothing" };
    case "install.turn":
      return turned(view, mind);
    case "install.evaluate":
      return evaluated(view, mind);
    case "install.audit":
      return audited(view, mind);
  }
}

interface Thought {
  readonly answer: Json;
  /** Several with a space between. */
  readonly choice: string;
}

interface Mind {
  /** How often it slips, in thousandths. */
  readonly habits: SlipPolicy;
  /** Names of choices that are not made. */
  readonly without: ReadonlySet<string>;
  /** Whether it slips this time, unless the slip is left out. */
  readonly slips: (name: string, thousandths: number) => boolean;
}

const mindOf = (draw: Stream, habits: SlipPolicy, without: ReadonlySet<string>): Mind => ({
  ...{ habits, without },
  // Drawn before it is looked up, so that a slip that is left out moves no other draw.
  slips: (name, thousandths) => draw.integer(1, 1_000) <= thousandths && !without.has(name),
});

const JUDGING: { readonly [role in Role]: Plan } = { evaluator: "evaluate", auditor: "audit" };

/** What a planner does who overlooks nothing. */
function sensible(view: PlanView): { readonly next: Plan; readonly why: string } {
  const { needsCode, artifact, matrix, gating, judges, report, isChanged } = view;
  if (needsCode && artifact === null) return { next: "build", why: "there is no artifact yet" };
  const asked = gating === "required" && matrix.length === 0 ? ROLES : matrix;
  const gates = artifact === null || gating === "none" ? [] : asked;
  const open = gates.find((role) => judges[role] === "open" || judges[role] === "unrecorded");
  if (open !== undefined) return { next: JUDGING[open], why: `${open} has not recorded yet` };
  const failed = gates.find((role) => judges[role] === "failed");
  const mended: Plan = needsCode ? "build" : "stop";
  if (failed !== undefined) return { next: mended, why: `${failed} did not pass it` };
  if (report === null || isChanged) return { next: "install", why: "all that it needs is there" };
  if (report.outcome === "broken") return { next: "install", why: "the install broke off" };
  // What a person declines, no code mends.
  const next = report.outcome === "unapproved" ? "stop" : mended;
  return { next, why: report.reason ?? `the builder reported: ${report.outcome}` };
}

function planned(view: PlanView, mind: Mind): Thought {
  const { slips, habits } = mind;
  const { skipsJudges, saysNone, installsLoose, givesUp } = habits;
  const { next, why } = sensible(view);
  const isJudging = next === "evaluate" || next === "audit";
  const asked = (
    plan: Plan,
    name: string,
    reason: string,
    more: { readonly gating?: "none" } = {},
  ): Thought => ({
    answer: { next: plan, why: reason, ...more },
    choice: `plan:${name}`,
  });
  // All are drawn, whichever can be made now.
  const slipped = {
    skips: slips("plan:skips-judges", skipsJudges),
    none: slips("plan:says-none", saysNone),
    loose: slips("plan:installs-loose", installsLoose),
    gives: slips("plan:gives-up", givesUp),
  };
  if (isJudging && slipped.none && view.gating === null) {
    return asked("install", "says-none", "it is simple enough", { gating: "none" });
  }
  if (isJudging && slipped.skips) return asked("install", "skips-judges", "it looks good");
  if (next === "build" && view.artifact === null && slipped.loose) {
    return asked("install", "installs-loose", "the files are known");
  }
  if (view.report !== null && next !== "stop" && slipped.gives) {
    return asked("stop", "gives-up", "it has failed once");
  }
  return asked(next, next, why);
}

const CREATE = "agent.revision.create_from_intent";
const PROMOTE = "agent.revision.promote";

const SENSIBLE: { readonly [phase in InstallPhase]: readonly [tool: BuilderTool, why: string] } = {
  loose: ["report", "there is no artifact to install"],
  given: ["artifact.inspect", "the artifact comes first"],
  inspected: [CREATE, "the artifact is whole"],
  "approval-pending": ["end_turn", "a person has to approve it"],
  approved: [CREATE, "it was approved"],
  created: [PROMOTE, "its revision is there"],
  refused: ["report", "the install was refused"],
  gated: ["report", "the judges have to record first"],
  done: ["report", "it is installed"],
};

interface Slip {
  readonly name: keyof SlipPolicy;
  readonly in: readonly InstallPhase[];
  readonly tool: (phase: InstallPhase) => BuilderTool;
  readonly why: string;
  readonly changes?: { readonly [field: string]: Json };
}

const SLIPS: readonly Slip[] = [
  {
    ...{ name: "retries", in: ["refused", "gated", "approval-pending"] },
    tool: (phase) => (phase === "gated" ? PROMOTE : CREATE),
    why: "it may go well this time",
  },
  {
    ...{ name: "records", in: ["gated"], tool: () => "promotion.record" },
    why: "the record is all that is missing",
  },
  {
    ...{ name: "mends", in: ["loose", "refused"], tool: () => "artifact.build" },
    why: "it is quickly put right",
  },
  {
    ...{ name: "ends", in: ["approved", "created"], tool: () => "end_turn" },
    why: "the user has approved it",
  },
  {
    ...{ name: "invents", in: ["inspected", "approved"], tool: () => CREATE },
    ...{ why: "the description can be better", changes: { description: "A helpful agent" } },
  },
  {
    ...{ name: "looks", in: ["given", "inspected", "created"], tool: () => "workflow.state" },
    why: "to be sure of where it stands",
  },
];

function turned({ phase }: TurnView, { slips, habits }: Mind): Thought {
  // All are drawn, whichever can be made now.
  const made = SLIPS.filter(({ name }) => slips(`turn:${name}`, habits[name]));
  const slip = made.find((one) => one.in.includes(phase));
  if (slip !== undefined) {
    const { name, tool, why, changes } = slip;
    const answer = { tool: tool(phase), why };
    return {
      answer: changes === undefined ? answer : { ...answer, changes },
      choice: `turn:${name}`,
    };
  }
  const [tool, why] = SENSIBLE[phase];
  return { answer: { tool, why }, choice: `turn:${tool}` };
}

interface Found {
  readonly severity: "warning" | "error" | "critical";
  readonly description: string;
}

/** What a file that is not finished says of itself. */
const UNFINISHED: readonly (readonly [sign: RegExp, flaw: string])[] = [
  [/\bTODO\b/, "something is left to do"],
  [/\bNotImplementedError\b/, "a part is not written"],
  [/(?<![^\r\n])[ \t]*pass[ \t]*(?:#[^\r\n]*)?(?![^\r\n])/, "a function does nothing"],
];

/*
 * Evaluator and auditor judge by the words of the files that they are shown, as a hurried reader does, so that they miss what is
 * said otherwise, and now and then what is plain.
 */

function evaluated(view: JudgeView, { slips, habits, without }: Mind): Thought {
  const { misses, forgets, strict } = habits;
  const flaws = view.files.flatMap(({ name, text }) => {
    if (text === null) return [`${name} cannot be read`];
    if (text.trim() === "") return [`${name} is empty`];
    return UNFINISHED.filter(([sign]) => sign.test(text)).map(([, flaw]) => `${name}: ${flaw}`);
  });
  const seen = flaws.filter(() => !slips("evaluate:misses", misses));
  const isStrict = slips("evaluate:strict", strict);
  const isForgotten = slips("evaluate:forgets", forgets);
  const findings: Found[] = [
    ...seen.map((description) => ({ severity: "error", description }) as const),
    ...(isStrict && seen.length === 0
      ? [{ severity: "error", description: "it could be done more simply" } as const]
      : []),
  ];
  const pass = findings.length === 0 || without.has("evaluate:fails");
  const choices = [
    pass ? "evaluate:passes" : "evaluate:fails",
    ...(seen.length < flaws.length ? ["evaluate:misses"] : []),
    ...(isStrict && seen.length === 0 ? ["evaluate:strict"] : []),
    ...(isForgotten ? ["evaluate:forgets"] : []),
  ];
  return {
    answer: {
      pass,
      record: !isForgotten,
      findings: findings.map(plain),
    },
    choice: choices.join(" "),
  };
}

function audited(view: JudgeView, { slips, habits, without }: Mind): Thought {
  const { misses, misreads, forgets, deniesRemote } = habits;
  const texts = view.files.map(({ name, text }) => ({ name, text: text ?? "" }));
  const threats = texts.flatMap(({ name, text }) =>
    threatHits(text).map((threat) => ({ ...threat, name })),
  );
  const seen = threats.filter(() => !slips("audit:misses", misses));
  const needed = INFERABLE.filter((kind) =>
    texts.some(({ text }) =>
      patternHits(text, "seed").some(({ capability }) => capability === kind),
    ),
  );
  const inferred = needed.filter(() => !slips("audit:misreads", misreads));
  const isForgotten = slips("audit:forgets", forgets);
  const usesNetwork = inferred.includes("NetworkAccess");
  const denies = slips("audit:denies-remote", deniesRemote) && usesNetwork;
  const undeclared = inferred.filter((kind) => !view.declared.includes(kind));
  const findings: Found[] = [
    ...seen.map(({ name, line, pattern, severity }) => ({
      severity: isBarring({ severity }) ? ("critical" as const) : ("warning" as const),
      description: `${name}:${line}: ${pattern}`,
    })),
    ...undeclared.map((kind) => ({
      severity: "error" as const,
      description: `it needs ${kind}, which is not declared`,
    })),
    ...texts
      .filter((_, index) => view.files[index]?.text === null)
      .map(({ name }) => ({ severity: "error" as const, description: `${name} cannot be read` })),
  ];
  const isSafe = findings.every(({ severity }) => severity === "warning");
  const pass = isSafe || without.has("audit:fails");
  const choices = [
    pass ? "audit:passes" : "audit:fails",
    ...(seen.length < threats.length ? ["audit:misses"] : []),
    ...(inferred.length < needed.length ? ["audit:misreads"] : []),
    ...(denies ? ["audit:denies-remote"] : []),
    ...(isForgotten ? ["audit:forgets"] : []),
  ];
  return {
    answer: {
      ...{ pass, record: !isForgotten },
      findings: findings.map(plain),
      threats_detected: seen.filter(isBarring).map(({ pattern }) => pattern),
      ...{ remote_access_detected: usesNetwork && !denies, inferred_capabilities: inferred },
    },
    choice: choices.join(" "),
  };
}

const plain = ({ severity, description }: Found) => ({ severity, description });
