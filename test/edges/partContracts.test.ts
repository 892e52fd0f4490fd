// A port of a part, served by a program: what it is asked, how its answer is checked and heard.
import { expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { Inbox } from "../../src/edges/play/inbox.ts";
import { checkedAnswer, portNames } from "../../src/edges/program/portAnswers.ts";
import type { Asked } from "../../src/edges/program/portContracts.ts";
import { programPorts } from "../../src/edges/program/programPorts.ts";
import { redactor } from "../../src/edges/redaction.ts";
import { policyWith } from "../builtIn.ts";
import { teaContracts } from "./teaContracts.ts";

declare module "../../src/edges/program/portContracts.ts" {
  interface PortContracts {
    readonly "port/tea.pour": { readonly request: TeaRequest; readonly answer: TeaAnswer };
  }
}

declare module "../../src/edges/program/portQuestions.ts" {
  interface PortQuestions {
    readonly "port/tea.pour": "executor.run";
  }
}

interface TeaRequest extends Asked {
  readonly guest: string;
}

interface TeaAnswer {
  readonly cups: number;
}

const [first] = builtIn.edgeParts;
if (first === undefined) throw new Error("some part has a report");
const lists = {
  ...builtIn,
  edgeParts: [...builtIn.edgeParts, { ...first, name: "tea", ...teaContracts }],
};

const question = { purpose: "pour", from: "guest/ann", nth: 1 };

it("[PT7] a program may serve it, and hears in words why an answer is of no use", () => {
  expect(portNames(lists)).toContain("port/tea.pour");
  expect(checkedAnswer(lists, "port/tea.pour", question, { cups: 2 })).toEqual({ cups: 2 });
  expect(() => checkedAnswer(lists, "port/tea.pour", question, { cups: -1 })).toThrow(
    "port/tea.pour: found -1 cups; allowed: an answer that the part of this port can use",
  );
  expect(() => checkedAnswer(lists, "port/tea.pour", question, { cups: Number.NaN })).toThrow(
    "strict JSON",
  );
});

it("[PT7] the program gets the part's question, and the actor hears the part's letter", async () => {
  const inbox = new Inbox();
  const asked: TeaRequest[] = [];
  const answer = (request: TeaRequest): TeaAnswer => {
    asked.push(request);
    return { cups: 2 };
  };
  const { signal } = new AbortController();
  const ports = programPorts(
    lists,
    { "port/tea.pour": { answer, latencyMs: 30 } },
    { inbox, clock: undefined, redactor: redactor({}), policy: policyWith({}), signal },
  );
  const event = { type: "executor.run", purpose: "pour", name: "ann", params: {} } as const;
  const request = { ...question, port: "port/tea.pour", seq: 7, nowMs: 5, request: "r", event };

  expect(ports["port/tea.pour"]?.answer(request)).toBeNull();
  await inbox.arrival(5_000);

  expect(asked).toMatchObject([{ guest: "ann", nowMs: 5, from: "guest/ann" }]);
  expect(inbox.take()).toEqual([
    { seq: 7, reply: { event: { type: "executor.ended", ok: true, cents: 2 }, latencyMs: 30 } },
  ]);
});
