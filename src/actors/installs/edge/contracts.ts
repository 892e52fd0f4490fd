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

/** What a program that stands for the person may say of an install. Provisional, as all contracts are. */
declare module "../../../edges/program/portContracts.ts" {
  interface PersonAnswers {
    readonly "approval.asked": InstallAnswer;
  }
}

/** A word on the install of the purpose `install`, or none: then the time-out of the approval decides. Nothing can be amended. */
export type InstallAnswer =
  | {
      readonly decision: "approve" | "reject";
      /** Why. */
      readonly feedback?: string;
    }
  | { readonly decision: "none" };

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
