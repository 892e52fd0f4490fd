import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import type { OutsideCapability } from "../../src/actors/agents/scriptedWorld.ts";
import { LiveClock } from "../../src/edges/live/liveClock.ts";
import { Inbox } from "../../src/edges/play/inbox.ts";
import { personAt, personPort } from "../../src/edges/play/personPort.ts";
import { redactor } from "../../src/edges/redaction.ts";
import type { PortRequest } from "../../src/substrate/port.ts";
import { replay } from "../builtIn.ts";
import { readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { recordLive, setupFor } from "./live/liveSession.ts";
import { loopback } from "./ollama/loopbackServer.ts";

function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  output.on("data", (text) => {
    shown += text;
  });
  return { input, person: personAt(input, output), shown: () => shown };
}

const request = (purpose: OutsideCapability, seq: number): PortRequest<"tool.called"> => ({
  ...{ port: "port/tool.call", from: "engine", purpose, seq, nth: seq, nowMs: 0, request: "r" },
  event: { type: "tool.called", purpose, agent: "cedar", params: { title: "a new tool" } },
});

async function answered(purpose: OutsideCapability, line: string) {
  const { input, person, shown } = terminal();
  const inbox = new Inbox();
  const port = personPort({ person, inbox, clock: new LiveClock(), redactor: redactor({}) });
  expect(port.answer(request(purpose, 1))).toBeNull();
  input.write(`${line}\n`);
  await inbox.arrival(5_000);
  person.close();
  return { reply: inbox.take()[0]?.reply, shown: shown() };
}

it.each([
  ["y", { status: "approved", comment: "" }],
  ["Yes, do it", { status: "approved", comment: "do it" }],
  ["n: too risky", { status: "rejected", comment: "too risky" }],
  ["not sure", { status: "pending", comment: "not sure" }],
  ["", { status: "pending", comment: "" }],
])("[LV19] a proposal answered with %j", async (line, result) => {
  const { reply, shown } = await answered("propose_change", line);

  expect(reply?.event).toEqual({ type: "tool.replied", ok: true, result });
  expect(reply?.choice).toBe("person:propose_change/1");
  expect(shown).toContain("cedar asks for propose_change:");
  expect(shown).toContain('"title": "a new tool"');
});

it("[LV19] other questions are answered in words, or not at all", async () => {
  const said = await answered("invoke_claude", " use fs_write ");
  expect(said.reply?.event).toMatchObject({ ok: true, result: "use fs_write" });

  const silent = await answered("research_topic", "");
  expect(silent.reply?.event).toMatchObject({ ok: false });
});

it("[LV19] where the person has gone the call stays open", async () => {
  const { input, person } = terminal();
  const inbox = new Inbox();
  const port = personPort({ person, inbox, clock: new LiveClock(), redactor: redactor({}) });
  port.answer(request("propose_change", 1));
  input.end();
  const gone = await person.ask("still there?");

  expect([gone, inbox.take()]).toEqual([null, []]);
});

it("[LV19] one question at a time; after the end of the input nobody answers", async () => {
  const { input, person, shown } = terminal();
  const answers = ["first?", "second?", "third?"].map((one) => person.ask(one));
  expect(person.isAsked).toBe(true);
  input.write("one\ntwo\n");
  await answers[1];
  input.end();

  expect(await Promise.all(answers)).toEqual(["one", "two", null]);
  expect(person.isAsked).toBe(false);
  expect(shown().match(/\w+\?/g)).toEqual(["first?", "second?", "third?"]);
});

it("[LV19] what a person says is recorded, and replays without them", async () => {
  const proposal = { intent: "propose a change to the system", params: { proposal: "a new tool" } };
  const server = await loopback({
    answer: (prompt) =>
      prompt.includes('"steps"') ? JSON.stringify({ steps: [proposal] }) : undefined,
  });
  const { input, person } = terminal();
  input.write("y go on\n".repeat(50));
  const folder = newFolder();

  const { inputs } = await recordLive({ live: await setupFor(server), person, folder });
  await server.close();
  person.close();

  const said = inputs.filter((one) => one.kind === "reply" && one.port === "port/tool.call");
  expect(said.length).toBeGreaterThan(0);
  expect(said[0]).toMatchObject({ event: { result: { status: "approved", comment: "go on" } } });
  expect(replay(readBundle(folder)).matches).toBe(true);
});
