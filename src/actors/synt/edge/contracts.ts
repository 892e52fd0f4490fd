/** What a program is asked at the ports of synt, which of its answers can be used, and how they are heard. */
import * as Schema from "effect/Schema";
import { plain } from "../../../edges/program/plainJson.ts";
import type { PartContracts } from "../../../edges/program/portQuestions.ts";
import { listOf, sentence, whole } from "../../../edges/scenario/scenarioFields.ts";

const optional = Schema.optionalKey;
const flag = Schema.Boolean.annotate({ expected: "true | false" });
const CENTS_MAX = 1_000_000;
const ITEMS_MAX = 10_000;

const target = Schema.Literals(["compose", "generate"]).annotate({
  expected: "compose | generate",
});
/** A word of the person; `more` says whom it is about. */
const wordsWith = <F extends Schema.Struct.Fields>(more: F) =>
  [
    Schema.Struct({
      decision: Schema.Literals(["approve", "discard"]),
      feedback: optional(sentence),
      target: optional(target),
      ...more,
    }),
    Schema.Struct({
      decision: Schema.Literal("amend"),
      feedback: sentence,
      target: optional(target),
      ...more,
    }),
  ] as const;
const WORDS = "approve | discard | amend with feedback";
const decisionSchema = Schema.Union([
  ...wordsWith({}),
  Schema.Struct({ decision: Schema.Literal("none") }),
]).annotate({ expected: `a map whose decision is ${WORDS} | none` });
const softCapSchema = Schema.Struct({
  decision: Schema.Literals(["approve", "discard", "none"]).annotate({
    expected: "approve | discard | none",
  }),
}).annotate({ expected: "a map with decision" });
const dossier = Schema.Struct({
  decisions: listOf(
    Schema.Union(wordsWith({ request: sentence })).annotate({
      expected: `a map with request, and a decision: ${WORDS}`,
    }),
    0,
    ITEMS_MAX,
  ),
}).annotate({ expected: "a map with decisions" });

const performedSchema = Schema.Struct({
  ok: flag,
  cents: optional(whole(0, CENTS_MAX)),
  error: optional(sentence),
}).annotate({ expected: "a map with ok" });

const HEX = /^(?:[0-9a-f]{2})+$/;
const hex = Schema.String.check(
  Schema.isPattern(HEX, { expected: "hexadecimal digits, two a byte" }),
).annotate({ expected: "hexadecimal digits, two a byte" });
const signatureSchema = Schema.Struct({ signature: hex, key: hex }).annotate({
  expected: "a map with signature and key",
});
const verdictSchema = Schema.Struct({ ok: flag }).annotate({ expected: "a map with ok" });

export const syntContracts: PartContracts = {
  "port/person.decide": {
    schema: (purpose) => {
      if (purpose === "proposals") return dossier;
      return purpose === "soft-cap" ? softCapSchema : decisionSchema;
    },
    question: (asked, event) => ({
      ...asked,
      request: event.purpose === "proposals" ? null : event.request,
      dossier: plain(event.dossier),
    }),
    reply: (answer) =>
      "decision" in answer && answer.decision === "none"
        ? null
        : { event: { type: "person.decided", ...answer } },
    silence: { type: "person.decided", decision: "none" },
    choice: "person",
  },
  "port/executor.run": {
    schema: () => performedSchema,
    question: (asked, { name, params }) => ({ ...asked, name, params }),
    reply: (answer) => ({ event: { type: "executor.ended", cents: 0, ...answer } }),
    failure: (error) => ({ type: "executor.ended", ok: false, cents: 0, error }),
  },
  "port/sign": {
    schema: (purpose) => (purpose === "sign" ? signatureSchema : verdictSchema),
    question: (asked, { purpose, text, signature = null, key = null }) => ({
      ...{ ...asked, purpose, text, signature, key },
    }),
    reply: (answer) => ({
      event:
        "ok" in answer ? { type: "sign.verified", ...answer } : { type: "sign.signed", ...answer },
    }),
    isKept: true,
  },
};
