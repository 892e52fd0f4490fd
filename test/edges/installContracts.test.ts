// A program in the place of the person who decides on installs, at the port that synt's person has too.
import { expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { Inbox } from "../../src/edges/play/inbox.ts";
import type { Asked } from "../../src/edges/program/portContracts.ts";
import { programPorts } from "../../src/edges/program/programPorts.ts";
import { redactor } from "../../src/edges/redaction.ts";
import type { InstallAnswer } from "../../src/index.ts";
import type { MailOf } from "../../src/machines/letter.ts";
import type { PortRequest } from "../../src/substrate/port.ts";
import { policyWith } from "../builtIn.ts";

const PORT = "port/person.decide";

const dossier = {
  ...{ agentId: "scout", description: "Fetches.", requestedBy: "specialized_builder.default" },
  ...{ capabilities: [], factors: ["network_access_high"], artifactId: null },
  ...{ artifactDigest: null, evidence: [], threats: [] },
} as unknown as MailOf<"approval.asked">["dossier"]; // Its factor may be any.

const asked: PortRequest<"approval.asked"> = {
  ...{ port: PORT, from: "approval/apr-1", purpose: "install", nth: 1, seq: 7, nowMs: 5 },
  request: "r",
  event: { type: "approval.asked", purpose: "install", request: "apr-1", dossier },
};

async function decidedBy(word: InstallAnswer) {
  const inbox = new Inbox();
  const questions: Asked[] = [];
  const answer = (question: Asked): InstallAnswer => {
    questions.push(question);
    return word;
  };
  const { signal } = new AbortController();
  const ports = programPorts(
    builtIn,
    { [PORT]: { answer, latencyMs: 30 } },
    { inbox, clock: undefined, redactor: redactor({}), policy: policyWith({}), signal },
  );
  expect(ports[PORT]?.answer(asked)).toBeNull();
  await inbox.arrival(5_000);
  return { questions, taken: inbox.take() };
}

it("[INS143] a program gets the approval and its dossier, and its word is the person's", async () => {
  const { questions, taken } = await decidedBy({ decision: "reject", feedback: "too wide" });

  expect(questions).toMatchObject([{ purpose: "install", request: "apr-1", dossier }]);
  const event = { type: "person.decided", decision: "reject", feedback: "too wide" };
  expect(taken).toEqual([{ seq: 7, reply: { event, latencyMs: 30, choice: "person:install/1" } }]);
});

it("[INS143] what cannot be said of an install ends the run", async () => {
  await expect(decidedBy({ decision: "amend" } as never)).rejects.toThrow("amend");
});

it("[INS143] none is no decision: the approval stays open", async () => {
  const { taken } = await decidedBy({ decision: "none" });

  expect(taken).toMatchObject([{ reply: { event: { type: "person.decided", decision: "none" } } }]);
});
