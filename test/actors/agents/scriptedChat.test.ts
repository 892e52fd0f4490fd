import { describe, expect, it } from "vitest";
import type { RepertoireChat } from "../../../src/actors/agents/repertoire.ts";
import { chat } from "../../../src/actors/agents/scriptedChoices.ts";
import { namedRandom } from "../../../src/substrate/random.ts";

const answers: readonly RepertoireChat[] = [
  { id: "ghosts", match: "ghost", answer: "Look for a spec without code.", weight: 1 },
  { id: "any", match: null, answer: "Ask vault.", weight: 1 },
];

const said = (prompt: string, without: readonly string[] = [], known = answers) =>
  chat(
    { purpose: "tool.chat", agent: "cedar", prompt },
    { malformedPerMille: 0, goals: [], chat: known },
    namedRandom(1).at("engine", "tool.chat", 1),
    new Set(without),
  );

describe("chat", () => {
  it("[MO12] answers with one of those whose text the prompt holds, in whatever case", () => {
    expect(said("A GHOST?", ["chat:any"])).toEqual({
      answer: "Look for a spec without code.",
      choice: "chat:ghosts",
    });
    expect(said("what now?").choice).toBe("chat:any");
  });

  it("[MO12] says that it has nothing to say where nothing fits", () => {
    expect(said("what now?", ["chat:any"])).toEqual({
      answer: "I have nothing to add to that.",
      choice: "chat:none",
    });
    expect(said("what now?", [], []).choice).toBe("chat:none");
  });
});
