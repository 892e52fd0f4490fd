/** The part `world:` of a scenario: its fields, its checks, and what it is decoded to. */
import * as Schema from "effect/Schema";
import { parseDuration } from "../../../edges/duration.ts";
import type { Finding } from "../../../edges/scenario/finding.ts";
import { pathFindings, wrong } from "../../../edges/scenario/findingParts.ts";
import {
  anyText,
  duration,
  id,
  listOf,
  mapOf,
  optional,
  says,
  sentence,
  WEIGHT_MAX,
  whole,
} from "../../../edges/scenario/scenarioFields.ts";
import { eachSaid, type Given, lasting, present } from "../../../edges/scenario/sourceFields.ts";
import type { FolderPolicy } from "../../../machines/folders.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";
import { OUTSIDE_CAPABILITIES, type World } from "../scriptedWorld.ts";

const ANSWERS_MAX = 500;

const answer = Schema.Struct({
  id: says(id, "Unique; `answer:<id>` is the choice's name, by which a variant omits it."),
  capability: says(
    Schema.Literals(OUTSIDE_CAPABILITIES).annotate({ expected: OUTSIDE_CAPABILITIES.join(" | ") }),
    "What was called.",
  ),
  match: optional(
    sentence,
    "Only to a request that holds this text, in whatever case. To any if absent.",
  ),
  weight: optional(
    whole(1, WEIGHT_MAX),
    "How often it is drawn, relative to others that fit. 1 if absent.",
  ),
  answer: optional(
    Schema.Unknown,
    "What comes back: any JSON. Texts may hold {agent}. Either this or `error`.",
  ),
  error: optional(sentence, "Why it failed, in words. May hold {agent}."),
  files: optional(
    mapOf(
      /^\/.{1,997}$/u,
      "absolute paths below /agentOS/",
      Schema.Union([anyText, Schema.Null]).annotate({ expected: "a text, or null" }),
    ),
    "What is changed before the answer comes: texts by path, null to remove. May hold {agent}.",
  ),
  after: optional(duration, "How long it takes. Drawn from what is usual if absent."),
}).annotate({ identifier: "WorldAnswer", expected: "a map with id, capability and answer" });

export const world = Schema.Struct({
  answers: says(
    listOf(answer, 0, ANSWERS_MAX),
    "What proposals, other models and the web answer. Where none fits: pending, unavailable, nothing.",
  ),
}).annotate({ expected: "a map with answers" });

export type WorldSource = typeof world.Type;

/** Names under which a variant may leave answers out. */
export const worldChoices = ({
  answers,
}: {
  readonly answers: readonly { readonly id: string }[];
}): string[] => answers.map(({ id }) => `answer:${id}`);

/** What is wrong with answers whose fields, one by one, are right; their ids are the caller's. */
export function worldFindings({ answers }: WorldSource, folders: FolderPolicy): Finding[] {
  return answers.flatMap((one, index) => {
    const base = ["world", "answers", index];
    const isOne = Object.hasOwn(one, "answer") !== Object.hasOwn(one, "error");
    const paths = pathFindings(
      Object.keys(one.files ?? {}),
      (path) => [...base, "files", path],
      folders,
      "key",
    );
    return [
      ...(isOne ? [] : [wrong(base, one.id, "either answer or error, not both or none")]),
      ...paths,
    ];
  });
}

/** The caller has found nothing wrong with the source. */
export function worldOf({ answers }: WorldSource): World {
  return {
    answers: answers.map(
      ({ id, capability, match, weight: drawn, answer: result, error, files, after }) => ({
        ...{ id, capability, match: match ?? null, weight: drawn ?? 1, files: files ?? {} },
        reply:
          error === undefined
            ? { ok: true, result: (result ?? null) as Json }
            : { ok: false, error },
        afterMs: after === undefined ? null : (parseDuration(after) ?? null),
      }),
    ),
  };
}

/** The other way round: what the YAML would say. */
export const worldSaid = ({ answers, ...rest }: Given): object => ({
  ...rest,
  answers: eachSaid(answers, ({ reply, afterMs, ...one }) => {
    const { ok, result, ...failed } = isMap(reply) ? reply : { reply };
    return {
      ...present({ ...one, ...failed, after: lasting(afterMs) }),
      ...(ok === true && { answer: result }),
    };
  }),
});
