/**
 * A call of a skill: its file is read from the store and run in the sandbox, and what came of it is counted. Source: seed
 * 001, Routing (the runner) and Telemetry; rulings K6, K7, K11.
 */
import { defined } from "../defined.ts";
import { type FolderPolicy, pathsIn } from "../folders.ts";
import { ask, type Delivered, type Json, type Letter, type Mail, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { readJson } from "../readJson.ts";
import { listLetters } from "./keeperRouting.ts";
import {
  answerTo,
  askerOf,
  type Called,
  type Done,
  done,
  type KeeperState,
  type OpenCall,
  registryLetter,
  toSkill,
  withoutKey,
} from "./keeperState.ts";
import { trimPython } from "./pythonText.ts";
import { scriptResult, scriptRun } from "./scriptRun.ts";
import { type CallOutcome, countCall, rowOf } from "./skillBook.ts";
import { skillPath } from "./skillFolders.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";
import { executionText, runCause, skillResultClass } from "./tdd.ts";

/** Ours: a call's view of the virtual files. */
const VIEW_FILES_MAX = 50;

/** The source of truth is the file in the store; a view of the files that the call names comes with it. */
export function callSkill(
  state: KeeperState,
  event: Called,
  policy: SkillsPolicy,
  beyond: FolderPolicy,
): Done {
  const { agent, capability: skill, params, at } = event;
  const row = rowOf(state.book, skill);
  if (row?.status !== "active") {
    const why = row === undefined ? "no skill of this name is registered" : "it is degraded";
    return done(state, answer(at, { ok: false, error: `SkillError: ${skill}: ${why}` }));
  }
  const key = `call:${at.seq}`;
  const open: OpenCall = { asker: askerOf(at), skill, agent, params };
  const folders = [skillPath(skill, policy.store), ...namedIn(params, beyond)];
  return done({ ...state, calls: { ...state.calls, [key]: open } }, [
    ask({ to: "files", key, event: { type: "files.snapshot", folders }, because: [at.seq] }),
  ]);
}

const answer = (at: Called["at"], said: Mail["capability.answered"]): Letter[] => [
  answerTo(askerOf(at), said),
];

function namedIn(params: OpenCall["params"], folders: FolderPolicy): readonly string[] {
  const paths = pathsIn(JSON.stringify(params), folders);
  return [...new Set(paths)].slice(0, VIEW_FILES_MAX);
}

/** Its code is there, or it has failed. */
export function runSkill(
  state: KeeperState,
  { files = {}, at }: Delivered<"files.replied">,
  policy: SkillsPolicy,
): Done {
  const key = at.key ?? "";
  const open = ownValue(state.calls, key);
  if (open === undefined) return done(state);
  const path = skillPath(open.skill, policy.store);
  const code = ownValue(files, path);
  if (code === undefined) {
    const cause = "FileNotFoundError: its file is gone from the store";
    return endCall(state, key, { outcome: "failure", cause, fact: at.seq }, policy);
  }
  const event: MailOf<"sandbox.run"> = {
    ...{ type: "sandbox.run", purpose: "skill", limitMs: policy.callLimitMs },
    ...scriptRun(code, path, [JSON.stringify(open.params)]),
    files: Object.fromEntries(Object.entries(files).filter(([one]) => one !== path)),
  };
  return done(state, [ask({ to: "port/sandbox.run", key, event, because: [at.seq] })]);
}

/** How the script ended, in the classes of the real system: `infra` is charged to neither side. */
export function judgeRun(
  state: KeeperState,
  event: Delivered<"sandbox.replied">,
  policy: SkillsPolicy,
): Done {
  const { at, changed, created } = event;
  const result = scriptResult(event);
  const outcome = OUTCOMES[skillResultClass(executionText(result))];
  const end: End =
    outcome === "success"
      ? { outcome, cause: null, fact: at.seq, result: resultOf(result.stdout), changed, created }
      : { outcome, cause: runCause(result), fact: at.seq };
  return endCall(state, at.key ?? "", end, policy);
}

const OUTCOMES = { ok: "success", fail: "failure", infra: "infra" } as const;

/** What it printed: JSON where it is some, nothing where it is blank. */
const resultOf = (stdout: string): Json => {
  const text = trimPython(stdout);
  return text === "" ? null : (readJson(text) ?? { output: stdout });
};

interface End {
  readonly outcome: CallOutcome;
  readonly cause: string | null;
  /** What the outcome rests on. */
  readonly fact: number;
  readonly result?: Json;
  readonly changed?: Mail["capability.answered"]["changed"];
  readonly created?: readonly string[] | undefined;
}

function endCall(state: KeeperState, key: string, end: End, policy: SkillsPolicy): Done {
  const open = ownValue(state.calls, key);
  if (open === undefined) return done(state);
  const { asker, skill } = open;
  const book = countCall(state.book, skill, end.outcome, policy);
  const next: KeeperState = { ...state, book, calls: withoutKey(state.calls, key) };
  const row = rowOf(book, skill);
  const isDegraded = row?.status === "degraded" && rowOf(state.book, skill)?.status === "active";
  const { outcome, cause, fact, result, changed, created } = end;
  const said: Mail["capability.answered"] =
    outcome === "success"
      ? defined({ ok: true, result, changed, created })
      : { ok: false, error: `${skill}: ${cause ?? "it failed"}` };
  return done(next, [
    ...(book === state.book ? [] : [registryLetter(next, policy)]),
    ...(row === undefined
      ? []
      : toSkill(next, skill, { ...countsOf(row), skill, agent: open.agent, outcome, cause })),
    ...(isDegraded ? listLetters(next, policy) : []),
    answerTo(asker, said, [fact]),
  ]);
}

const countsOf = (row: NonNullable<ReturnType<typeof rowOf>>) =>
  ({
    type: "skill.counted",
    ...{ status: row.status, usageCount: row.usageCount, failureCount: row.failureCount },
  }) as const;
