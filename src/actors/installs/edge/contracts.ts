/** What a program is asked that stands for the person at the gate of installs, and which of its answers can be used. */
import * as Schema from "effect/Schema";
import { plain } from "../../../edges/program/plainJson.ts";
import type { PartContracts } from "../../../edges/program/portQuestions.ts";
import { sentence } from "../../../edges/scenario/scenarioFields.ts";

const word = Schema.Struct({
  decision: Schema.Literals(["approve", "reject", "none"]).annotate({
    expected: "approve | reject | none",
  }),
  feedback: Schema.optionalKey(sentence),
  by: Schema.optionalKey(sentence),
}).annotate({ expected: "a map with decision" });

export const installsContracts: PartContracts = {
  "port/person.decide": {
    purposes: ["install"],
    schema: () => word,
    question: (asked, event) => ({
      ...asked,
      request: "request" in event ? event.request : null,
      dossier: plain(event.dossier),
    }),
    reply: (answer) =>
      "decision" in answer && answer.decision === "none"
        ? null
        : { event: { type: "person.decided", ...answer } },
    silence: { type: "person.decided", decision: "none" },
    choice: "person",
  },
};
