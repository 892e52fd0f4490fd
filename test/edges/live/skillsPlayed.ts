// Plays a world with skills whose models are live, against the server on loopback, and its recording without it.

import { afterEach, expect } from "vitest";
import { replay } from "../../builtIn.ts";
import { readBundle } from "../../builtInScenarios.ts";
import { mailIn } from "../../mail.ts";
import type { Loopback } from "../ollama/loopbackServer.ts";
import { type DreamtRound, type Mind, playLive, skillsServer } from "./skillsServer.ts";

const servers: Loopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Plays it, and its recording once more without the server. */
export async function played(
  mind: Mind,
  set: { readonly [path: string]: number | string } = {},
  untilMs: number | null = null,
) {
  const server = await skillsServer(mind);
  servers.push(server);
  const run = await playLive(server, set, untilMs);
  await server.close();
  expect(run.observed.result.outcome).toBe("ended");
  expect(replay(readBundle(run.folder))).toMatchObject({ matches: true, partial: false });
  const of = <K extends Parameters<typeof mailIn>[1]>(type: K) => mailIn([...run.deliveries], type);
  const prompts = server.chats.map(({ messages }) => messages[0]?.content ?? "");
  return { ...run, of, prompts, chats: server.chats };
}

export const CODE = `import json, sys
text = json.loads(sys.argv[1])["text"]
print(json.dumps({"words": len(text.split())}))
`;
export const creation = (fields: object = {}) => ({
  ...{ name: "count_words", description: "Counts the words of a text." },
  parameters_schema: '{"type": "object", "properties": {"text": {"type": "string"}}}',
  ...{ python_code: CODE, test_payload: '{"text": "a b"}' },
  ...fields,
});
export const setting = (fields: object = {}): string =>
  JSON.stringify({
    ...{ domain: "regex_parse", challenge: "Return how many lines of words.txt hold a heron." },
    setup: { "words.txt": "a grey heron stood there\nnobody saw it\n" },
    validator: 'def validate(answer):\n    assert answer == 1, f"{answer} is another number"\n',
    ...fields,
  });
export const solution = (n: number): string =>
  `\`\`\`python\ndef solve():\n    return ${n}\n\`\`\``;
export const lesson = (fields: object = {}): string =>
  JSON.stringify({
    ...{ trigger: "Counting words in a file", anti_pattern: "Counting words, not lines" },
    ...{ correct_pattern: "Split by line first", domains: ["regex_parse"], confidence: 0.8 },
    ...fields,
  });

export const whole = {
  challenge: setting(),
  // The second attempt passes; with the lesson the first one does.
  solve: [solution(7), solution(1), solution(1)],
  extract: lesson(),
};
/** Real milliseconds: a busy machine answers late, and what hangs is waited for no longer. */
const LATE = 1_500;
/** One dream with all of these rounds. */
export const dreamt = (rounds: readonly DreamtRound[], set = {}, goal?: string) =>
  played(
    { rounds, ...(goal !== undefined && { goal }) },
    { "skills.dream.rounds": rounds.length, "live.timeoutMs": LATE, ...set },
    230_000,
  );
