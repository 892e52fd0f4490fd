// `recordAgent` and `rerun`: an agent as a function of a program's own, in front of a scripted model, and again without one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentVariables, readBundle, recordAgent, rerun } from "../../src/index.ts";
import { type TaskModel, taskModel } from "../actors/imported/wire/taskModel.ts";
import { newFolder } from "../folders.ts";

let model: TaskModel;
const folder = join(newFolder(), "run");

/** It asks twice, and gives what the model said last. */
async function clerk({ OPENAI_BASE_URL }: AgentVariables, amount = 42): Promise<string> {
  const messages: object[] = [{ role: "user", content: `Pay ${amount}.` }];
  const asked = async () => {
    const body = JSON.stringify({ model: "m", messages });
    const answer = await fetch(`${OPENAI_BASE_URL}/chat/completions`, { method: "POST", body });
    if (!answer.ok) throw new Error(`the server says ${answer.status}`);
    const { choices } = (await answer.json()) as { choices: [{ message: { content: string } }] };
    return choices[0].message;
  };
  messages.push(await asked(), { role: "tool", tool_call_id: "c1", content: "paid" });
  return (await asked()).content;
}

beforeAll(async () => {
  model = await taskModel();
});
afterAll(() => model.close());

it("[WR17] records a function's calls, and makes a bundle of them", async () => {
  const recorded = await recordAgent(clerk, folder, { openai: model.base });

  expect(recorded).toEqual({ calls: 2, others: 0, code: null });
  expect(readBundle(folder).manifest.imported?.format).toBe("openai");
  expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("write_file");
});

it("[WR17] runs it again without the model, and says where it parts", async () => {
  const before = model.asked();
  const same = await rerun(folder, clerk);
  const other = await rerun(folder, (variables) => clerk(variables, 43));
  const less = await rerun(folder, () => undefined);

  expect(model.asked()).toBe(before);
  expect(same).toMatchObject({ matches: true, says: "", answered: 2, left: 0, parted: null });
  expect(other).toMatchObject({ matches: false, parted: { number: 1 } });
  expect(other.says).toContain("Pay [-42-]{+43+}.");
  expect(less.says).toBe("2 of 2 recorded calls were not asked.");
});

it("[WR17] a signal that was aborted before starts nothing", async () => {
  const signal = AbortSignal.abort(new Error("no more"));
  let calls = 0;
  const counting = (): void => void calls++;

  await expect(rerun(folder, counting, { signal })).rejects.toThrow("no more");
  await expect(recordAgent(counting, newFolder(), { signal })).rejects.toThrow("no more");
  expect(calls).toBe(0);
});

it("[WR17] takes a command as well, and throws what is wrong with what it is given", async () => {
  const command = [process.execPath, "-e", "process.exit(3)"];
  const ended = await rerun(folder, command);

  expect(ended).toMatchObject({ matches: false, code: 3 });
  const asks = `const messages = [{ role: "user", content: "Pay 42." }];
    const asked = async () => (await (await fetch(process.env.OPENAI_BASE_URL + "/chat/completions",
      { method: "POST", body: JSON.stringify({ model: "m", messages }) })).json()).choices[0].message;
    asked().then((said) => messages.push(said, { role: "tool", tool_call_id: "c1", content: "paid" }))
      .then(asked).then(() => process.exit(3));`;
  expect(await rerun(folder, [process.execPath, "-e", asks])).toMatchObject({
    ...{ matches: false, says: "The program ended with exit code 3.", left: 0, code: 3 },
  });
  expect(() => rerun(folder, [])).toThrow("a command as a list of texts, or a function");
  await expect(rerun("nowhere", clerk)).rejects.toThrow("no such file");
  await expect(recordAgent(clerk, newFolder(), { faults: ["nothng"] })).rejects.toThrow(
    '"nothing"',
  );
});

it("[WR17] throws on what a function throws, and keeps what came before it", async () => {
  const kept = join(newFolder(), "run");
  const failing = async (variables: AgentVariables) => {
    await clerk(variables);
    throw new Error("out of paper");
  };

  await expect(recordAgent(failing, kept, { openai: model.base })).rejects.toThrow("out of paper");
  await expect(rerun(kept, failing)).rejects.toThrow("out of paper");
  expect(await rerun(kept, clerk)).toMatchObject({ matches: true });
});
