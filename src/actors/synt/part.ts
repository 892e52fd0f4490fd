/** synt: the pool of executors of Metnos and the cascade by which it grows. Source: seeds 001 to 003. */

import type { Part } from "../../contract/part.ts";
import { agerService } from "../../machines/synt/ager.ts";
import { syntDeskService } from "../../machines/synt/desk/syntDesk.ts";
import { executorLifecycleMachine } from "../../machines/synt/pool/executorLifecycle.ts";
import { poolService } from "../../machines/synt/pool/pool.ts";
import { synthesisRequestMachine } from "../../machines/synt/request/synthesisRequest.ts";
import { executorDraftMachine } from "../../machines/synt/stages/executorDraft.ts";
import { paidCallMachine } from "../../machines/synt/stages/paidCall.ts";
import { syntLeaves, syntProfiles } from "../../machines/synt/syntPolicy.ts";
import { turnPlannerMachine } from "../../machines/synt/turn/turnPlanner.ts";
import { userTurnMachine } from "../../machines/synt/turn/userTurn.ts";
import { figures } from "./figures.ts";
import { fruitless } from "./fruitless.ts";
import { glance } from "./glance.ts";
import { liveFault } from "./liveTiers.ts";
import { meter, syntMetrics } from "./meter.ts";
import { scriptedModel, scriptedPorts } from "./providers.ts";
import { purposes } from "./purposes.ts";
import { questions, trail } from "./questions.ts";
import { scoresTold } from "./scoreMoved.ts";
import { stage } from "./stage.ts";
import { book } from "./story.ts";
import { words } from "./words.ts";

const policy = { synt: syntLeaves };

declare module "../../contract/policy.ts" {
  interface PolicyTree {
    readonly synt: typeof syntLeaves;
  }
}

export const synt = {
  name: "synt",
  isThere: (world) => world.synt !== undefined,
  policy,
  profiles: syntProfiles,
  statecharts: (values) => ({
    executorDraft: executorDraftMachine(values),
    executorLifecycle: executorLifecycleMachine(values),
    paidCall: paidCallMachine(values),
    synthesisRequest: synthesisRequestMachine(values),
    turnPlanner: turnPlannerMachine(values),
    userTurn: userTurnMachine(values),
  }),
  services: (values) => ({
    ager: agerService(values),
    pool: poolService(values),
    syntDesk: syntDeskService(values),
  }),
  ports: {
    executorDraft: ["port/python.parse", "port/sandbox.run"],
    paidCall: ["port/llm.chat", "port/person.decide"],
    pool: ["port/sign"],
    syntDesk: ["port/person.decide"],
    synthesisRequest: ["port/llm.embed", "port/person.decide", "port/sign"],
    turnPlanner: ["port/llm.chat"],
    userTurn: ["port/executor.run", "port/sandbox.run"],
  },
  stage,
  purposes,
  scriptedModel,
  liveFault,
  scriptedPorts,
  words,
  hindsight: scoresTold,
  questions,
  trail,
  fruitless,
  promises: async () => (await import("./properties/promises.ts")).promises,
  metrics: syntMetrics,
  meter,
  book,
  figures,
  glance,
} as const satisfies Part;
