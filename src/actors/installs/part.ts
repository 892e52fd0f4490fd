/** Agents that are installed: revisions, capabilities, gates and approvals, as one part. Source: seed 003. */

import { approvalMachine } from "../../machines/installs/approvalLife.ts";
import { coderMachine } from "../../machines/installs/coder.ts";
import { gatewayService } from "../../machines/installs/gateway.ts";
import { installerMachine } from "../../machines/installs/installer.ts";
import { installsLeaves, installsProfiles } from "../../machines/installs/installsPolicy.ts";
import { judgeMachine } from "../../machines/installs/judge.ts";
import { plannerMachine } from "../../machines/installs/planner.ts";
import { promotionGateMachine } from "../../machines/installs/promotionGateLife.ts";
import { revisionMachine } from "../../machines/installs/revisionLife.ts";
import type { Part } from "../part.ts";
import { purposes } from "./purposes.ts";
import { words } from "./words.ts";

const policy = { installs: installsLeaves };

declare module "../policy.ts" {
  interface PolicyTree {
    readonly installs: typeof installsLeaves;
  }
}

export const installs = {
  name: "installs",
  isThere: (world) => "installs" in world,
  policy,
  profiles: installsProfiles,
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
  services: (values) => ({ gateway: gatewayService(values) }),
  ports: {
    approval: ["port/person.decide"],
    auditor: ["port/llm.chat"],
    coder: ["port/llm.chat"],
    evaluator: ["port/llm.chat"],
    gateway: ["port/sandbox.run"],
    installer: ["port/llm.chat"],
    planner: ["port/llm.chat"],
  },
  purposes,
  words,
} as const satisfies Part;
