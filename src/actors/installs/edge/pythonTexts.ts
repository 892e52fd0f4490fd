/** What Python texts reach for, asked of CPython in the sandbox: many at a time, since a call costs more than a text. */

import type { Python } from "../../../edges/python/sandbox.ts";
import { callVerdict } from "../../../edges/python/sandboxPort.ts";
import { TRIED_SETTING } from "../../../edges/python/triedSetting.ts";
import type { CodeFacts } from "../../../machines/installs/detection/codeFacts.ts";
import { pythonFactsOf, pythonFactsRun } from "../../../machines/installs/detection/pythonFacts.ts";
import type { SandboxPolicy } from "../../../machines/sandboxPolicy.ts";

/** Ours: so few that what they burn stays well below the limit of a call. */
const TEXTS_MAX = 32;
const CHARS_MAX = 65_536;

export type FactsPython = Pick<Python, "call">;

/** The facts by text. Texts that together end early are asked again one by one, each with a limit of its own. */
export async function factsOfTexts(
  texts: readonly string[],
  python: FactsPython,
  policy: SandboxPolicy,
  onText: (done: number) => void = () => undefined,
): Promise<ReadonlyMap<string, CodeFacts>> {
  const facts = new Map<string, CodeFacts>();
  for (const group of grouped(texts)) {
    const together = group.length > 1 ? await ofGroup(group, python, policy) : null;
    for (const [index, text] of group.entries()) {
      facts.set(text, together?.[index] ?? (await ofOne(text, python, policy)));
    }
    onText(facts.size);
  }
  return facts;
}

function grouped(texts: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let chars = 0;
  for (const text of texts) {
    const last = groups.at(-1);
    chars += text.length;
    if (last === undefined || last.length >= TEXTS_MAX || chars > CHARS_MAX) {
      groups.push([text]);
      chars = text.length;
    } else last.push(text);
  }
  return groups;
}

const limitsOf = ({ parseLimitMs: wallMs, eventsPerMs }: SandboxPolicy) => ({
  wallMs,
  events: wallMs * eventsPerMs,
});

async function ofOne(text: string, python: FactsPython, policy: SandboxPolicy): Promise<CodeFacts> {
  const { code, name: functionName, params: kwargs } = pythonFactsRun(text);
  const result = await python.call({ code, functionName, kwargs }, limitsOf(policy), TRIED_SETTING);
  return pythonFactsOf(callVerdict(result));
}

const EACH = String.raw`

def facts_of_each(texts, words, kept):
    return [facts(text, words, kept) for text in texts]
`;

/** Null where there is not an answer for each of them. */
async function ofGroup(
  texts: readonly string[],
  python: FactsPython,
  policy: SandboxPolicy,
): Promise<readonly CodeFacts[] | null> {
  const { code, params } = pythonFactsRun("");
  const { text: _, ...rest } = params;
  const kwargs = { texts, ...rest };
  const asked = { code: code + EACH, functionName: "facts_of_each", kwargs };
  const { ok, result } = callVerdict(await python.call(asked, limitsOf(policy), TRIED_SETTING));
  if (!ok || !Array.isArray(result) || result.length !== texts.length) return null;
  return result.map((one) => pythonFactsOf({ ok: true, result: one }));
}
