/** Agents that are installed: revisions, capabilities, gates and approvals, as one part. Source: seed 003. */

import { approvalMachine } from "../../machines/installs/approvalLife.ts";
import { gatewayService } from "../../machines/installs/gateway.ts";
import { installsLeaves, installsProfiles } from "../../machines/installs/installsPolicy.ts";
import { promotionGateMachine } from "../../machines/installs/promotionGateLife.ts";
import { revisionMachine } from "../../machines/installs/revisionLife.ts";
import type { Part } from "../part.ts";

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
    promotionGate: promotionGateMachine(),
    revision: revisionMachine(),
  }),
  services: (values) => ({ gateway: gatewayService(values) }),
  ports: {
    approval: ["port/person.decide"],
    gateway: ["port/sandbox.run"],
  },
} as const satisfies Part;
