// A world with skills whose models are live. What else they may answer: skillsLive.goldens.ts.

import { describe, expect, it } from "vitest";
import { ghostlight } from "../../cli/ghostlight.ts";
import { CODE, creation, dreamt, lesson, played, whole } from "./skillsPlayed.ts";
import { isDream, type Mind } from "./skillsServer.ts";

describe("a live model acquires skills", () => {
  it("[SK57] what it wrapped is taken off, tested in the sandbox, shown, routed to by its words and called", async () => {
    const mind: Mind = {
      goal: "Learn a skill that counts words",
      creations: [
        creation({ python_code: `<![CDATA[\n${CODE}]]>` }),
        creation({ name: "mashed", python_code: CODE.trimEnd().replaceAll("\n", "\\n") }),
        creation({ name: "decoded", python_code: CODE.replaceAll('"', "&quot;") }),
      ],
      plans: [[{ intent: "count_words counts the words", params: { text: "a b c" } }]],
    };
    const { of, prompts, folder } = await played(mind, {}, 240_000);

    const taken = of("skill.stepped").filter(({ stage }) => stage === "normalising");
    expect(taken.map(({ skill }) => skill)).toEqual(["count_words", "mashed", "decoded"]);
    expect(of("skill.registering").map(({ code }) => code.trimEnd())).toEqual(
      taken.map(() => CODE.trimEnd()),
    );
    expect(of("skill.counted")).toMatchObject([{ skill: "count_words", outcome: "success" }]);
    expect(of("step.reported")).toContainEqual(
      expect.objectContaining({ capability: "count_words", kind: "skill", result: { words: 3 } }),
    );
    const [before, after] = [prompts[1], prompts.find((one) => one.includes("- count_words: "))];
    expect(before).not.toContain("ACQUIRED SKILLS");
    expect(after).toContain("[ACQUIRED SKILL — CALL BY NAME]");

    // In another process, where no server is.
    const [replayed, why] = await Promise.all([
      ghostlight(["replay", folder]),
      ghostlight(["why", folder, "skill:count_words"]),
    ]);
    expect(replayed.stdout).toContain("replays exactly");
    expect(why.stdout).toMatch(/live:plan\/\d/);
  });
});

describe("a live model dreams", () => {
  it("[SK58] a lesson goes through its gates into the playbook and into prompts, beside the question of the nudge", async () => {
    const goal = "Learn a skill of counting words in a file";
    const extract = lesson({ verified: false, utility: 99, retrievals: 7 });
    const { of, prompts, chats } = await dreamt([{ ...whole, extract }], {}, goal);

    expect(of("dream.tried")).toMatchObject([
      { passed: false, error: "AssertionError: 7 is another number", isVerification: false },
      { passed: true, isVerification: false },
      { passed: true, isVerification: true },
    ]);
    expect(of("dream.ended")).toMatchObject([{ end: "verified", attempts: 2 }]);
    expect(of("playbook.changed")[0]).toMatchObject({ how: "written", verified: true });
    // Of what nobody asked for nothing is kept.
    expect(Object.keys(of("dream.ended")[0]?.lesson ?? {}).sort()).toEqual([
      ...["antiPattern", "confidence", "correctPattern", "domains", "trigger"],
    ]);

    const asked = chats.filter(({ messages }) => isDream(messages[0]?.content ?? ""));
    const [set, first, second, drawn, verified] = asked;
    expect(asked).toHaveLength(5);
    expect(set).toMatchObject({ format: { required: expect.arrayContaining(["validator"]) } });
    expect([first, second].map((one) => one && "format" in one)).toEqual([false, false]);
    expect(second?.messages[0]?.content).toContain("7 is another number");
    expect(drawn).toMatchObject({ format: { required: expect.arrayContaining(["confidence"]) } });
    expect(verified?.messages[0]?.content).toMatch(
      /^### SKILL PLAYBOOK:[\s\S]*Split by line first/,
    );

    const mine = prompts.filter((one) => one.includes("You are cedar."));
    const plans = mine.filter((one) => one.includes('"steps"'));
    for (const one of plans) expect(one).toContain("Did you call create_skill?");
    const shown = mine.filter((one) => one.includes("Split by line first"));
    for (const one of shown) expect(one).toContain("### SKILL PLAYBOOK:");
    for (const asks of ['"steps"', '"action"']) {
      expect(shown.some((one) => one.includes(asks))).toBe(true);
    }
  });

  it("[SK58] a model that takes longer than the dreamer waits is not waited for", async () => {
    const set = { "skills.dream.modelTimeoutMs": 80, "live.timeoutMs": 400 };
    const { of } = await dreamt([{ ...whole, fault: "hang" }], set);

    expect(of("dream.ended")).toMatchObject([
      { end: "broken", reason: "the model did not answer in time" },
    ]);
  });
});
