/**
 * The shapes of what actors of other parts say to the agents' world. Their code need not have been
 * compiled against the mail, so what they say is looked at where it arrives. Ours.
 */
import { isMap } from "../isMap.ts";
import type { Mail, MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { StartingProfile } from "./agent/profile.ts";
import type { GoalDeclaration } from "./goal/goalContext.ts";
import type { ListedEntry, Nudge } from "./hooks.ts";
import type { Opinion } from "./model/modelAnswers.ts";

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
