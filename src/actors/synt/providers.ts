/** What answers synt in a scripted run: models, the person at the gate, handcrafted executors, a signer. */

import type { Ports, Scripted } from "../../contract/part.ts";
import { lengthOfSynt, renderSynt } from "../../machines/synt/stages/stagePrompts.ts";
import { latencyOf } from "../../machines/synt/stages/stageTiers.ts";
import type { PromptProvider } from "../../substrate/port.ts";
import {
  type SyntRepertoire,
  scriptedExecutors,
  scriptedPerson,
  scriptedSigner,
  syntModel,
} from "./scriptedSynt.ts";

const NOTHING: SyntRepertoire = { answers: [], person: [], crafts: [] };

const own = ({ scenario, random, without }: Scripted) => ({
  repertoire: scenario.synt?.repertoire ?? NOTHING,
  random,
  without,
});

export const scriptedModel = (setting: Scripted): PromptProvider<"llm.asked"> => {
  const { stages } = setting.policy.synt;
  const { jitter } = setting.policy.model;
  return syntModel({
    ...own(setting),
    render: renderSynt,
    lengthOf: lengthOfSynt,
    latencyOf: (purpose) => latencyOf(purpose, stages),
    jitter,
  });
};

export const scriptedPorts = (setting: Scripted): Ports => ({
  "port/person.decide": scriptedPerson(own(setting)),
  "port/executor.run": scriptedExecutors(own(setting)),
  "port/sign": scriptedSigner(setting.random),
});
