/** What is said between the agents' world and the parts that attach to it. `hooks.ts` says where each goes. */

import { isMap } from "../isMap.ts";
import type { Json, Mail, MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Changed } from "../portMail.ts";
import type { StartingProfile } from "./agent/profile.ts";
import type { GoalDeclaration } from "./goal/goalContext.ts";
import type { ListedEntry, Nudge, PromptPurpose, PromptSection } from "./hooks.ts";
import type { Opinion } from "./model/modelAnswers.ts";
import type { StressorAddress } from "./suffering/observations.ts";

type Params = { readonly [name: string]: Json };

/** What is to be called, and with what. */
interface CallAhead {
  readonly agent: string;
  readonly cycle: number;
  readonly capability: string;
  readonly intent: string;
  readonly params: Params;
}

/** … and what came of it. */
interface CallReport extends Omit<CallAhead, "capability"> {
  readonly capability: string | null;
  readonly kind?: string;
  readonly ok: boolean;
  readonly result: Json;
  readonly error: string | null;
  readonly nothing: boolean;
  readonly wrote: readonly string[];
}

declare module "../letter.ts" {
  interface Mail {
    /** To the actor that executes a capability. Who answers late, or is not there, has failed. */
    "capability.called": CallAhead;
    /** What the call returns, and what it changed in the files: kept when the call goes well. */
    "capability.answered": {
      readonly ok: boolean;
      readonly result?: Json;
      readonly error?: string;
      readonly changed?: Changed;
      /** Those of the changed files that were not there before. */
      readonly created?: readonly string[];
    };
    /** To the keeper of a kind of entries, at each start of the engine. */
    "entries.asked": { readonly kind: string };
    /** All entries of the kind, asked for or not; those that are missing leave the registry. */
    "entries.listed": {
      readonly kind: string;
      readonly entries: readonly ListedEntry[];
      /** The keeper judges them by counts of its own: no failure of theirs counts towards broken_tools.json. */
      readonly judges?: boolean;
    };
    "permission.asked": CallAhead;
    "permission.answered": { readonly granted: boolean; readonly reason: string | null };
    /** What an agent asks before its model: what it is about to be asked for, and of which goal, if any. */
    "section.asked": {
      readonly agent: string;
      readonly purpose: PromptPurpose;
      readonly n: number;
      readonly goal: string | null;
      /** What went wrong with the goal so far, newest last. */
      readonly notes: readonly string[];
    };
    "section.answered": PromptSection & { readonly nudges?: readonly Nudge[] };
    /** A step of a plan is over. */
    "step.reported": CallReport & {
      /** The goal that the step is for, by its number and in words. */
      readonly n: number;
      readonly goal: string;
    };
    /** A call is over, be it an agent's or one that another part made in its name. */
    "call.reported": CallReport & { readonly call: number; readonly caller: string };
    "goal.reported": Omit<Mail["goal.ended"], "facts">;
    /** To the daemon. An agent that has lived before is what its files say, but for what stands here. */
    "birth.asked": {
      readonly name: string;
      readonly profile?: StartingProfile;
      /** What it works on first, unless a goal of its is open. */
      readonly goal?: GoalDeclaration;
      /** What it hears first. */
      readonly message?: { readonly from: string; readonly text: string };
    };
    /** `address`: of the agent that lives now; null when none was born. */
    "birth.answered": {
      readonly name: string;
      readonly address: string | null;
      readonly reason: string | null;
    };
    "end.asked": { readonly name: string; readonly reason: string };
    "end.answered": {
      readonly name: string;
      readonly ok: boolean;
      readonly reason: string | null;
    };
    /** From the daemon to engine, ledger and agents; `by` is the actor that asked for the birth. */
    "agent.joined": {
      readonly agent: string;
      readonly address: string;
      readonly by: string;
      readonly stressors: readonly StressorAddress[];
    };
    "agent.left": { readonly agent: string; readonly reason: string };
    /** The engine's letter to itself: the time for this question of the call is over. */
    "call.overdue": { readonly call: number; readonly question: number };
  }
}

/*
 * The shapes of what actors of other parts say to the agents' world. Their code need not have been
 * compiled against the mail, so what they say is looked at where it arrives. Ours.
 */

type Check = (value: unknown) => boolean;

/** A check for each field, so that a field without one does not compile. */
type Shape<T> = { readonly [Field in keyof T]-?: Check };

const anything: Check = () => true;
const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const mapOf =
  (check: Check): Check =>
  (value) =>
    isMap(value) && Object.values(value).every(check);
const shaped =
  <T>(shape: Shape<T>): Check =>
  (value) =>
    isMap(value) &&
    Object.entries<Check>(shape).every(([field, check]) => check(ownValue(value, field)));

const texts = listOf(text);
const entry = shaped<ListedEntry>({
  name: text,
  description: text,
  reads: optional(orNull(text)),
  runs: optional(flag),
});
const nudge = shaped<Nudge>({ text, dischargedBy: texts });
const opinion = shaped<Opinion>({ opinion: text, domain: text });
const profile = shaped<StartingProfile>({
  traits: texts,
  opinions: listOf(opinion),
  questions: texts,
});
const goal = shaped<GoalDeclaration>({ slug: text, text, artifact: text, evidence: orNull(text) });
const message = shaped<NonNullable<Mail["birth.asked"]["message"]>>({ from: text, text });
const changed = mapOf(orNull(text));

const shapes = {
  "entries.listed": shaped<Mail["entries.listed"]>({
    kind: text,
    entries: listOf(entry),
    judges: optional(flag),
  }),
  "section.answered": shaped<Mail["section.answered"]>({
    title: text,
    lines: texts,
    nudges: optional(listOf(nudge)),
  }),
  "permission.answered": shaped<Mail["permission.answered"]>({
    granted: flag,
    reason: orNull(text),
  }),
  "capability.answered": shaped<Mail["capability.answered"]>({
    ok: flag,
    result: anything,
    error: optional(text),
    changed: optional(changed),
    created: optional(texts),
  }),
  "birth.asked": shaped<Mail["birth.asked"]>({
    name: text,
    profile: optional(profile),
    goal: optional(goal),
    message: optional(message),
  }),
  "end.asked": shaped<Mail["end.asked"]>({ name: text, reason: text }),
};

/** What is looked at. */
export type Shaped = keyof typeof shapes;

/** Whether a letter has the fields of its type; one that has not counts as no answer. */
export const isReadable = (event: MailOf<Shaped>): boolean => shapes[event.type](event);
