// The examples of README and docs, taken out of them and run as they stand there: in a process of their own, with
// nothing replaced but where the package, the server and the folder are.
import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { readBundle } from "../../src/index.ts";
import { pages } from "../cli/readmeTexts.ts";
import { newFolder } from "../folders.ts";

const examples = [...pages.values()].flatMap((text) =>
  [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? ""),
);
const exampleWith = (text: string): string => {
  const found = examples.filter((code) => code.includes(text));
  expect(found).toHaveLength(1);
  return found[0] ?? "";
};

/** As it stands there, but for these texts, each of which must stand there. */
async function run(code: string, replaced: { readonly [text: string]: string }): Promise<string> {
  const library = { 'from "ghostlight"': `from "${pathToFileURL("src/index.ts").href}"` };
  let example = code;
  for (const [text, other] of Object.entries({ ...library, ...replaced })) {
    expect(example).toContain(text);
    example = example.replace(text, () => other);
  }
  const file = join(newFolder(), "example.mts");
  writeFileSync(file, example);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { encoding: "utf8" });
  return stdout;
}

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Speaks OpenAI's protocol; every third request is an error of the server. */
async function openAi(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { messages } = JSON.parse(text) as { messages: { content: string }[] };
    asked.push(`${request.method} ${request.url} ${messages[0]?.content.slice(0, 8)}`);
    if (asked.length % 3 === 0) return void response.writeHead(500).end("out of order");
    const content = JSON.stringify({ action: "rest" });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

it("[LB11] the README's model client in ten lines is asked, recorded and replayed", async () => {
  const code = exampleWith("async function think");
  const client = /async function think.*?^}$/ms.exec(code)?.[0] ?? "";
  const out = join(newFolder(), "mine");
  const { url, asked } = await openAi();

  const printed = await run(code, {
    "http://127.0.0.1:8080": url,
    '"runs/mine"': JSON.stringify(out),
    "untilMs: 600_000": "untilMs: 40_000",
  });

  expect(client.split("\n").length).toBeLessThanOrEqual(10);
  expect(asked.length).toBeGreaterThan(5);
  expect(new Set(asked)).toEqual(new Set(["POST /v1/chat/completions You are "]));
  expect(printed).toMatch(/^# safe-file-executor$/m);
  expect(printed).toMatch(/\ntrue\n$/);
  const { inputs, manifest } = readBundle(out);
  expect(manifest.providers["port/llm.chat"]).toBe("live: a program");
  const heard = inputs.flatMap((one) => (one.kind === "reply" ? [one.event] : []));
  expect(heard).toContainEqual({ type: "llm.replied", text: '{"action":"rest"}' });
  expect(heard).toContainEqual({ type: "llm.failed", error: "thrown: 500 out of order" });
});

it("[LB11] the README's first example prints a chain of causes and figures", async () => {
  const printed = await run(exampleWith("simulate(scenario"), {});

  expect(printed).toMatch(/^cedar failed goal 60 /);
  expect(printed).toMatch(/goalsCompleted: \d+,\n {2}goalsFailed: 0,/);
});

it("the README's example of a part of one's own is in the file, and does what it says", async () => {
  const excerpt = exampleWith('after: { patience: "left" }');
  const source = readFileSync("examples/queue/queue.ts", "utf8");
  const folder = newFolder();
  const part = join(folder, "queue.ts");
  const library = pathToFileURL("src/index.ts").href;
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(
    part,
    source.replace('"ghostlight";', () => `"${library}";`),
  );

  const printed = await run(exampleWith("world(queue)"), {
    '"./queue.ts"': JSON.stringify(pathToFileURL(part).href),
    '"./queue.yaml"': JSON.stringify(resolve("examples/queue/queue.yaml")),
    '"runs/morning"': JSON.stringify(join(folder, "morning")),
  });

  expect(source).toContain(excerpt);
  expect(printed).toBe("true\n[ 'held' ]\n");
});
