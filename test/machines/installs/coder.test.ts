// The coder alone: what it writes, and what becomes of what the gateway refuses.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MailEvent } from "../../../src/machines/letter.ts";
import { ARTIFACT, alone, building, done, failed, said } from "./crewMachines.ts";

const FILES = { "main.py": "print(1)\n", "lib/net.py": "import urllib.request\n" };
const written = done({ alias: "0a1b2c3d" });
const built = done({ artifact_id: ARTIFACT });
const thought = () =>
  alone("coder").send(building, said({ files: FILES, entrypoints: ["main.py"] }));

describe("the coder", () => {
  it("[INS98] writes each file, builds an artifact of them and hands over its id", () => {
    const here = thought().send(written, written, built);

    expect(here.calls()).toEqual(["content.write", "content.write", "artifact.build"]);
    expect(here.of("gateway.asked").at(-1)?.params).toEqual({
      inputs: [
        { name: "main.py", content: "0a1b2c3d" },
        { name: "lib/net.py", content: "0a1b2c3d" },
      ],
      entrypoints: ["main.py"],
    });
    // Another agent's files may have the same names.
    expect(here.of("gateway.asked").slice(0, 2)).toMatchObject([
      { params: { name: "weather/main.py" } },
      { params: { name: "weather/lib/net.py" } },
    ]);
    expect(here.of("build.delivered")).toMatchObject([{ artifact: ARTIFACT, reason: null }]);
  });

  it.each<[string, readonly MailEvent[], string]>([
    ["the gateway refuses a file", [failed("no room")], "no room"],
    ["the gateway refuses the artifact", [written, written, failed("SKILL.md")], "SKILL.md"],
    ["nobody is at the gateway", [{ type: "ask.bounced", address: "gateway" }], "nobody"],
  ])("[INS98] hands over none, and says why, where %s", (_, events, reason) => {
    const [delivered] = thought()
      .send(...events)
      .of("build.delivered");

    expect(delivered?.artifact).toBeNull();
    expect(delivered?.reason).toContain(reason);
  });

  it("[INS98] hands over none where its model writes none, or nothing", () => {
    const none = alone("coder").send(building, said({ files: {} }));
    expect(none.of("build.delivered")[0]?.reason).toMatch(/files: found \{\}; allowed: one text/);

    const away = alone("coder").send(building, { type: "llm.failed", error: "away" });
    expect(away.of("build.delivered")).toMatchObject([{ artifact: null, reason: "away" }]);
    expect(alone("coder").send(building).late().of("build.delivered")).toHaveLength(1);
    expect(thought().late().of("build.delivered")).toHaveLength(1);
  });
});

it("[INS98] whatever it hears, it answers each question once, and installs nothing", () => {
  const heard = fc.constantFrom<MailEvent>(
    ...[building, said({ files: FILES }), said("{"), written, written, built, failed("no")],
    { type: "llm.failed", error: "away" },
  );
  fc.assert(
    fc.property(fc.array(heard, { maxLength: 40 }), (events) => {
      const here = alone("coder").send(...events);
      const asked = events.filter(({ type }) => type === "build.wanted").length;
      const open = here.of("build.delivered").length;

      expect(open).toBeLessThanOrEqual(asked);
      if (here.isIdle()) expect(open).toBe(asked);
      expect(here.calls().every((tool) => /^(content|artifact)\./.test(tool))).toBe(true);
    }),
    { numRuns: 60 },
  );
});
