/** Agents that are installed: revisions, capabilities, gates and approvals, as one part. Source: seed 003. */

import type { Part } from "../../contract/part.ts";
import { WARDEN } from "../../machines/installs/addresses.ts";
import { bystanderService } from "../../machines/installs/bystander.ts";
import { coderMachine } from "../../machines/installs/crew/coder.ts";
import { installerMachine } from "../../machines/installs/crew/installer.ts";
import { judgeMachine } from "../../machines/installs/crew/judge.ts";
import { plannerMachine } from "../../machines/installs/crew/planner.ts";
import { approvalMachine } from "../../machines/installs/gate/approval.ts";
import { promotionGateMachine } from "../../machines/installs/gate/promotionGate.ts";
import { gatewayService } from "../../machines/installs/gateway/gateway.ts";
import { INSTALLS_FOLDER } from "../../machines/installs/gateway/store.ts";
import { installsLeaves, installsProfiles } from "../../machines/installs/installsPolicy.ts";
import { revisionMachine } from "../../machines/installs/revisions/revision.ts";
import { installBuiltins } from "../../machines/installs/toolOwners.ts";
import { wardenService } from "../../machines/installs/warden/warden.ts";
import { figures } from "./figures.ts";
import { fruitless } from "./fruitless.ts";
import { glance } from "./glance.ts";
import { installsMetrics, meter } from "./meter.ts";
import { purposes } from "./purposes.ts";
import { hindsight, questions, trail } from "./questions.ts";
import { scriptedModel } from "./scriptedCrew.ts";
import { scriptedPerson } from "./scriptedPerson.ts";
import { stage } from "./stage.ts";
import { book } from "./story.ts";
import { installsTrace } from "./trace.ts";
import { words } from "./words.ts";

const policy = { installs: installsLeaves };

declare module "../../contract/policy.ts" {
  interface PolicyTree {
    readonly installs: typeof installsLeaves;
  }
}

const PERSON = "port/person.decide";

export const installs = {
  name: "installs",
  isThere: (world) => world.installs !== undefined,
  policy,
  profiles: installsProfiles,
  attaches: {
    agents: {
      builtins: installBuiltins,
      sections: [{ from: WARDEN, purposes: ["goal.choose", "plan"] }],
      permissions: [{ from: WARDEN, of: "own" }],
      reports: [{ to: WARDEN, of: ["call"] }],
      births: [WARDEN],
      closed: [INSTALLS_FOLDER],
    },
  },
  attachesTo: (_, sections) => sections.installs !== undefined,
  statecharts: (values) => ({
    approval: approvalMachine(values),
    auditor: judgeMachine("auditor", values),
    coder: coderMachine(values),
    evaluator: judgeMachine("evaluator", values),
    installer: installerMachine(values),
    planner: plannerMachine(values),
    promotionGate: promotionGateMachine(),
    revision: revisionMachine(),
  }),
  services: (values) => ({
    bystander: bystanderService(),
    gateway: gatewayService(values),
    warden: wardenService(values.installs),
  }),
  ports: {
    approval: [PERSON],
    auditor: ["port/llm.chat"],
    coder: ["port/llm.chat"],
    evaluator: ["port/llm.chat"],
    gateway: ["port/sandbox.run"],
    installer: ["port/llm.chat"],
    planner: ["port/llm.chat"],
  },
  stage,
  purposes,
  scriptedModel,
  scriptedPorts: ({ scenario: { installs: own }, without }, before) =>
    own === undefined ? {} : { [PERSON]: scriptedPerson({ ...own, without }, before[PERSON]) },
  words,
  hindsight,
  questions,
  trail,
  trace: installsTrace,
  fruitless,
  promises: async () => (await import("./properties/promises.ts")).promises,
  metrics: installsMetrics,
  meter,
  book,
  figures,
  glance,
} as const satisfies Part;
