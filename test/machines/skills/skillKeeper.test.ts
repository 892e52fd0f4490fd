// The keeper of skills: what it counts, lists, retires and reads again.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MailOf } from "../../../src/machines/letter.ts";
import { countCall, type SkillBook } from "../../../src/machines/skills/skillBook.ts";
import { brokenOf } from "../../../src/machines/skills/skillListing.ts";
import {
  registryPath,
  registryText,
  retiredPath,
  skillPath,
} from "../../../src/machines/skills/skillStore.ts";
import { policyWith } from "../../builtIn.ts";
import { ENGINE, loneKeeper, skillNamed, storeWith } from "./loneKeeper.ts";

const asked = { type: "entries.asked", kind: "skill" } as const;
const section: MailOf<"section.asked"> = {
  ...{ type: "section.asked", agent: "cedar", purpose: "plan", n: 1, goal: "get news" },
  notes: [],
};

describe("a call of a skill", () => {
  it("[SK43] runs the file in the store with its parameters, and returns what it prints", () => {
    const keeper = loneKeeper(storeWith(["news"]));

    keeper.call("news", { city: "Athens" });
    expect(keeper.lastOf("sandbox.run")?.params).toMatchObject({
      code: skillNamed("news").code,
      arguments: ['{"city":"Athens"}'],
    });
    keeper.ran("well");
    expect(keeper.lastOf("capability.answered")).toMatchObject({ ok: true, result: { n: 1 } });
    keeper.files[skillPath("news", "memory")] = "print(2)\n";
    keeper.call("news");
    expect(keeper.lastOf("sandbox.run")?.params).toMatchObject({ code: "print(2)\n" });
  });

  it("[SK43] returns nothing when it prints nothing, and as a text what is no JSON", () => {
    const keeper = loneKeeper(storeWith(["news"]));

    for (const [stdout, result] of [
      ["", null],
      [" \n", null],
      ["null", null],
      ["two herons\n", { output: "two herons\n" }],
    ] as const) {
      keeper.call("news");
      keeper.ran("silently", stdout);
      expect(keeper.lastOf("capability.answered")).toMatchObject({ ok: true, result });
    }
  });

  it("[SK43] fails when its file is gone", () => {
    const keeper = loneKeeper(storeWith(["news"]));

    delete keeper.files[skillPath("news", "memory")];
    keeper.call("news");
    expect(keeper.lastOf("capability.answered")).toMatchObject({ ok: false });
    expect(keeper.row("news")).toMatchObject({ failureCount: 1 });
  });

  it("[SK44] degrades at the third failure in a row, and not at the second", () => {
    const keeper = loneKeeper(storeWith(["news"]));
    const fail = () => {
      keeper.call("news");
      keeper.ran("badly");
    };

    fail();
    fail();
    expect(keeper.row("news")).toMatchObject({ failureCount: 2, status: "active" });
    keeper.call("news");
    keeper.ran("well");
    expect(keeper.row("news")).toMatchObject({ failureCount: 0, usageCount: 1 });
    fail();
    fail();
    expect(keeper.row("news")?.status).toBe("active");
    fail();
    expect(keeper.row("news")?.status).toBe("degraded");
    // Nothing of what such a run wrote is left.
    expect(keeper.lastOf("capability.answered")).not.toHaveProperty("changed");
    expect(keeper.written()).toMatchObject({ news: { status: "degraded", failure_count: 3 } });
  });

  it("[SK44] counts as a failure that a skill ends its interpreter, with the exit code of its own", () => {
    const keeper = loneKeeper(storeWith(["news"]));
    for (let time = 0; time < 3; time += 1) {
      keeper.call("news");
      keeper.ran("left");
    }

    expect(keeper.row("news")).toMatchObject({ failureCount: 3, status: "degraded" });
    expect(keeper.lastOf("capability.answered")).toMatchObject({ error: "news: Left: it" });
  });

  it("[SK44] counts what the machine broke off for neither side", () => {
    const keeper = loneKeeper(storeWith(["news"]));

    keeper.call("news");
    keeper.ran("late");
    expect(keeper.row("news")).toMatchObject({ failureCount: 0, usageCount: 0 });
    expect(keeper.lastOf("capability.answered")).toMatchObject({ ok: false });
  });
});

describe("what leaves", () => {
  function degraded() {
    const keeper = loneKeeper(storeWith(["news", "prices"]));
    keeper.deliver(asked, ENGINE);
    for (let time = 0; time < 3; time += 1) {
      keeper.call("news");
      keeper.ran("badly");
    }
    return keeper;
  }

  it("[SK45] a degraded skill is not listed, and no call of it runs", () => {
    const keeper = degraded();

    expect(keeper.listed()).toEqual(["prices"]);
    const runs = keeper.sent.filter(({ to }) => to === "port/sandbox.run").length;
    keeper.call("news");
    expect(keeper.lastOf("capability.answered")).toMatchObject({ ok: false });
    expect(keeper.sent.filter(({ to }) => to === "port/sandbox.run").length).toBe(runs);
  });

  it.each([
    ["manage_skills", (keeper: ReturnType<typeof degraded>) => keeper.call("manage_skills")],
    [
      "a dream",
      (keeper: ReturnType<typeof degraded>) =>
        keeper.deliver({ type: "dream.began", dream: 1 }, "dreamer"),
    ],
  ])("[SK45] %s retires it: file, row and entry go together", (_, upkeep) => {
    const keeper = degraded();

    upkeep(keeper);
    expect(keeper.row("news")).toBeUndefined();
    expect(Object.keys(keeper.written())).toEqual(["prices"]);
    expect(keeper.files).not.toHaveProperty([skillPath("news", "memory")]);
    expect(keeper.files).toHaveProperty([retiredPath("news", "memory")]);
    expect(keeper.lastOf("skill.left")).toMatchObject({ skill: "news", how: "retired" });
  });

  it("[SK45] retire_capability retires a skill at once, and manage_skills one that is due alone", () => {
    const keeper = loneKeeper(storeWith(["news", "prices"]));

    keeper.deliver(asked, ENGINE);
    keeper.call("manage_skills");
    expect(keeper.row("news")).toBeDefined();
    keeper.call("retire_capability", { name: "news" });
    expect(keeper.row("news")).toBeUndefined();
    expect(keeper.listed()).toEqual(["prices"]);
    keeper.call("retire_capability", { name: "weather" });
    expect(keeper.lastOf("capability.answered")).toMatchObject({ ok: false });
  });
});

/** A call of some capability, in which a command stands, was in vain. */
const report = (keeper: ReturnType<typeof loneKeeper>, capability: string, command: string): void =>
  keeper.deliver(
    {
      ...{ type: "call.reported", agent: "cedar", cycle: 1, intent: "run", capability },
      ...{ ok: false, result: null, error: "no", nothing: false, wrote: [] },
      ...{ call: 1, caller: "agent/cedar", params: { command } },
    },
    ENGINE,
  );

describe("what prompts and router see", () => {
  it("[SK46] the router gets the description alone, prompts how it is called", () => {
    const keeper = loneKeeper(storeWith(["news"]));

    keeper.deliver(asked, ENGINE);
    expect(keeper.lastOf("entries.listed")?.entries).toEqual([
      { name: "news", description: "Gets the news." },
    ]);
    keeper.deliver(section, "agent/cedar");
    expect(keeper.lastOf("section.answered")).toMatchObject({
      ...{ title: "ACQUIRED SKILLS", lines: [expect.stringContaining("CALL BY NAME")] },
    });
    const plain = loneKeeper(storeWith(["news"]), { "skills.hardened": false });
    plain.deliver(section, "agent/cedar");
    expect(plain.lastOf("section.answered")?.lines).toEqual([]);
  });

  it("[SK46] of more skills than there is room for, the nearest to the goal are listed", () => {
    const listed = (set: { readonly [path: string]: number }) => {
      const keeper = loneKeeper(storeWith(["news", "prices", "tides"]), set);
      keeper.deliver(asked, ENGINE);
      const before = keeper.listed();
      keeper.deliver(section, "agent/cedar");
      const key = keeper.sent.findLast(({ to }) => to === "port/llm.embed")?.ask;
      const vectors = {
        "get news": [1, 0],
        "Gets the news.": [1, 1],
        "Gets the prices.": [0, 1],
        "Gets the tides.": [2, 0],
      };
      keeper.deliver({ type: "embed.replied", vectors }, "port/llm.embed", key);
      return [before, keeper.listed()];
    };

    expect(listed({ "skills.routed": 2 })).toEqual([
      ["news", "prices"],
      ["tides", "news"],
    ]);
    // .7071 is how alike the news is, and 1 the tides.
    for (const [floor, routed] of [
      [707, ["tides", "news"]],
      [708, ["tides"]],
      [1_000, ["tides"]],
    ] as const) {
      expect(listed({ "skills.floor": floor })[1]).toEqual(routed);
    }
    const roomy = loneKeeper(storeWith(["news", "prices"]), { "skills.routed": 2 });
    roomy.deliver(section, "agent/cedar");
    expect(roomy.sent.some(({ to }) => to === "port/llm.embed")).toBe(false);
  });

  it("[SK46] the goal of the prompt that came last decides the list for all agents: a finding", () => {
    const keeper = loneKeeper(storeWith(["news", "prices"]), { "skills.routed": 1 });
    const prompted = (agent: string, near: string, far: string): void => {
      keeper.deliver({ ...section, agent, goal: `Get the ${near}` }, `agent/${agent}`);
      const key = keeper.sent.findLast(({ to }) => to === "port/llm.embed")?.ask;
      const vectors = {
        ...{ [`Get the ${near}`]: [1, 0], [`Gets the ${near}.`]: [1, 0] },
        ...{ [`Gets the ${far}.`]: [0, 1] },
      };
      keeper.deliver({ type: "embed.replied", vectors }, "port/llm.embed", key);
    };
    keeper.deliver(asked, ENGINE);

    prompted("cedar", "news", "prices");
    expect(keeper.listed()).toEqual(["news"]);
    prompted("vault", "prices", "news");
    expect(keeper.listed()).toEqual(["prices"]);
  });

  it("[SK47] a program that reaches for a skill is told, a call by name is not", () => {
    const keeper = loneKeeper(storeWith(["news"]));

    report(keeper, "news", "python3 acquired_skills/news.py");
    report(keeper, "create_skill", "python3 acquired_skills/news.py");
    report(keeper, "shell_exec", "cat news.txt");
    expect(keeper.lastOf("skill.wrapped")).toBeUndefined();
    report(keeper, "shell_exec", "python3 acquired_skills/news.py");
    expect(keeper.lastOf("skill.wrapped")).toMatchObject({ skill: "news", agent: "cedar" });
  });

  it.each(["python3 -c 'news()'", "from acquired_skills.news import main", "import news"])(
    "[SK47] and so is one that reaches for it by %j",
    (command) => {
      const keeper = loneKeeper(storeWith(["news"]));

      report(keeper, "shell_exec", command);
      expect(keeper.lastOf("skill.wrapped")).toMatchObject({ skill: "news", agent: "cedar" });
    },
  );

  it.each([
    { set: {}, isTold: true },
    { set: { "skills.hardened": false }, isTold: false },
    { set: { "skills.routed": 1 }, isTold: false },
  ])("[SK47] and with it, whether prompts say how it is called: under $set $isTold", (given) => {
    const keeper = loneKeeper(storeWith(["prices", "news"]), given.set);

    report(keeper, "shell_exec", "python3 acquired_skills/news.py");
    expect(keeper.lastOf("skill.wrapped")).toMatchObject({ isTold: given.isTold });
  });
});

describe("the store", () => {
  it("[SK48] is read at the start, at each start of an engine, and after a wipe", () => {
    const keeper = loneKeeper(storeWith(["news", "prices"], "sandbox"), {
      "skills.store": "sandbox",
    });
    const found = () => keeper.lastOf("store.found");
    expect(found()).toMatchObject({ skills: 2 });
    delete keeper.files[skillPath("news", "sandbox")];
    keeper.deliver(asked, ENGINE);
    expect(found()).toMatchObject({ skills: 1, rowsAlone: ["news"] });
    keeper.deliver({ type: "sandbox.wiped" }, "outside/wipe");
    expect(found()).toMatchObject({ skills: 0 });
  });

  it("[SK48] a row without a file is dropped, a file without a row is nobody's, and both are reported", () => {
    const files = storeWith(["news", "prices"]);
    delete files[skillPath("news", "memory")];
    files[skillPath("stray", "memory")] = "print(1)\n";
    files[retiredPath("tides", "memory")] = "print(1)\n";
    const keeper = loneKeeper(files);

    expect(keeper.lastOf("store.found")).toMatchObject({
      ...{ skills: 1, filesAlone: ["stray"], rowsAlone: ["news"], fault: null },
    });
    expect(keeper.lastOf("store.found")).not.toHaveProperty("changed");
    expect(Object.keys(keeper.written())).toEqual(["prices"]);
  });

  it("[SK48] a row that is none is told with what is wrong with it, and costs no other skill", () => {
    const files = storeWith(["news"]);
    const path = registryPath("memory");
    const row = (given: object) => ({
      ...{ description: "d", parameters_schema: {}, usage_count: 0, failure_count: 0 },
      ...{ status: "active", content_hash: "x", ...given },
    });
    const rows = {
      ...(JSON.parse(files[path] ?? "") as object),
      weak: row({ status: "degraded", failure_count: 3 }),
      ...{ "a b": row({}), "": row({}), fs_write: row({}), list: 1 },
      ...{ minus: row({ usage_count: -1 }), part: row({ failure_count: 0.5 }) },
      old: row({ status: "retired" }),
      half: row({ description: "\ud800" }),
    };
    files[path] = JSON.stringify(rows).replace("{", `{"__proto__":${JSON.stringify(row({}))},`);
    for (const name of ["weak", "minus", "fs_write"])
      files[skillPath(name, "memory")] = "print(1)\n";
    const keeper = loneKeeper(files);

    expect(keeper.lastOf("store.found")).toMatchObject({
      ...{ skills: 2, filesAlone: [], rowsAlone: [], fault: null },
      unfit: [
        { skill: "__proto__", why: '"__proto__" is no name of a skill' },
        { skill: "a b", why: '"a b" is no name of a skill' },
        { skill: "", why: "an empty name is no name of a skill" },
        { skill: "fs_write", why: "a builtin has this name" },
        { skill: "list", why: "it is no map" },
        { skill: "minus", why: "its usage_count is -1" },
        { skill: "part", why: "its failure_count is 0.5" },
        { skill: "old", why: 'its status is "retired"' },
        { skill: "half", why: "it holds what no log can hold" },
      ],
    });
    keeper.deliver(asked, ENGINE);
    expect(keeper.listed()).toEqual(["news"]);
  });

  it("[SK48] a file that is another than was registered is what runs, and is reported", () => {
    const files = storeWith(["news", "prices"]);
    files[skillPath("news", "memory")] = "print(2)\n";
    const keeper = loneKeeper(files);

    expect(keeper.lastOf("store.found")).toMatchObject({ skills: 2, changed: ["news"] });
    expect(loneKeeper(storeWith(["news"])).lastOf("store.found")).not.toHaveProperty("changed");
  });

  it("[SK49] a row of an earlier install that is none is told, too", () => {
    const files = storeWith(["news"], "sandbox");
    const path = registryPath("sandbox");
    files[path] = String(files[path]).replace("{", '{"a b": {},');
    const keeper = loneKeeper(files);

    expect(keeper.lastOf("store.found")).toMatchObject({
      ...{ migrated: ["news"], unfit: [{ skill: "a b" }] },
    });
  });

  it("[SK48] a registry that cannot be read holds no skill, and that is reported", () => {
    const files = storeWith(["news"]);
    for (const path of Object.keys(files)) if (path.endsWith(".json")) files[path] = "{";
    const keeper = loneKeeper(files);

    expect(keeper.lastOf("store.found")).toMatchObject({ skills: 0, filesAlone: ["news"] });
    expect(keeper.lastOf("store.found")?.fault).not.toBeNull();
  });

  it("[SK49] an empty store is filled from the sandbox once, and what lies there stays", () => {
    const files = storeWith(["news"], "sandbox");
    const keeper = loneKeeper(files);

    expect(keeper.lastOf("store.found")?.migrated).toEqual(["news"]);
    expect(keeper.files).toHaveProperty([skillPath("news", "memory")]);
    expect(keeper.files).toHaveProperty([skillPath("news", "sandbox")]);
    keeper.deliver(asked, ENGINE);
    expect(keeper.lastOf("store.found")?.migrated).toEqual([]);
    expect(keeper.listed()).toEqual(["news"]);
  });

  it("[SK49] a store that holds a registry, or a file, is not empty: nothing is copied", () => {
    for (const there of [registryPath("memory"), skillPath("tides", "memory")]) {
      const keeper = loneKeeper({ ...storeWith(["news"], "sandbox"), [there]: "{}" });

      expect(keeper.lastOf("store.found")).toMatchObject({ skills: 0, migrated: [] });
    }
  });

  it("[SK50] a wipe of the sandbox removes no skill, unless they are kept there", () => {
    const safe = loneKeeper(storeWith(["news"], "sandbox"));
    safe.deliver({ type: "sandbox.wiped" }, "outside/wipe");
    expect(safe.row("news")).toBeDefined();
    expect(safe.files).not.toHaveProperty([skillPath("news", "sandbox")]);

    const lost = loneKeeper(storeWith(["news"], "sandbox"), { "skills.store": "sandbox" });
    expect(lost.row("news")).toBeDefined();
    lost.deliver({ type: "sandbox.wiped" }, "outside/wipe");
    expect(lost.row("news")).toBeUndefined();
    expect(lost.lastOf("skill.left")).toMatchObject({ how: "lost" });
  });
});

describe("create_skill", () => {
  const args = {
    ...{ name: "tides", description: "Gets the tides.", parameters_schema: "{}" },
    ...{ python_code: "print(1)\n", test_payload: "{}" },
  };
  const known = (keeper: ReturnType<typeof loneKeeper>, names: readonly string[] = []): void => {
    const key = keeper.sent.findLast(({ event }) => event.type === "tools.asked")?.ask;
    const capabilities = names.map((name) => ({ name, description: "" }));
    keeper.deliver({ type: "tools.answered", broken: [], capabilities }, ENGINE, key);
  };
  const registers = (keeper: ReturnType<typeof loneKeeper>, name: string, from: string): void =>
    keeper.deliver(
      {
        ...{ type: "skill.registering", skill: name, agent: "cedar" },
        ...{ description: `Gets the ${name}.`, parametersSchema: {}, code: "print(1)\n" },
      },
      from,
    );

  it("[SK40] starts a skill, and registers it at its word", () => {
    const keeper = loneKeeper();

    keeper.call("create_skill", args);
    known(keeper);
    expect(keeper.lastOf("actor.start")).toMatchObject({
      machine: "skill",
      address: "skill/tides",
    });
    expect(keeper.written()).toEqual({});
    registers(keeper, "tides", "skill/tides");
    expect(keeper.written()).toMatchObject({ tides: { status: "active", usage_count: 0 } });
    expect(keeper.lastOf("capability.answered")).toMatchObject({ ok: true });
  });

  it("[SK40] a row that cannot be written is none, and the row before it stays", () => {
    for (const there of [[], ["tides"]]) {
      const keeper = loneKeeper(storeWith(there));
      keeper.call("create_skill", args);
      known(keeper);
      keeper.fill();
      const before = keeper.state().book;
      registers(keeper, "tides", "skill/tides#2");

      expect(keeper.lastOf("skill.registered")).toMatchObject({ ok: false });
      expect(keeper.state().book).toEqual(before);
    }
  });

  it("[CL36] one that is called constructor is created like any other: nothing gives way, nothing lists it as broken", () => {
    const keeper = loneKeeper();

    keeper.call("create_skill", { ...args, name: "constructor" });
    known(keeper);
    registers(keeper, "constructor", "skill/constructor");
    expect(keeper.lastOf("capability.answered")).toMatchObject({ ok: true });
    expect(keeper.lastOf("skill.left")).toBeUndefined();
    expect(brokenOf({}, "constructor")).toEqual({});
  });

  it("[SK10, SK41] refuses a name that another capability has, and one that is being created", () => {
    const keeper = loneKeeper();
    keeper.call("create_skill", args);
    known(keeper, ["tides"]);
    expect(keeper.lastOf("capability.answered")?.error).toContain("name-taken");

    const busy = loneKeeper();
    busy.call("create_skill", args);
    known(busy);
    busy.call("create_skill", args);
    known(busy);
    expect(busy.lastOf("capability.answered")?.error).toContain("name-taken");
  });

  it("[SK41] passes on why a skill came to nothing, and knows nothing of it after", () => {
    const keeper = loneKeeper();
    keeper.call("create_skill", args);
    known(keeper);

    keeper.deliver(
      {
        ...{ type: "skill.refused", skill: "tides", agent: "cedar", stage: "normalising" },
        ...{ cause: "cdata-wrapper", found: "a CDATA wrapper", todo: "Send raw source." },
      },
      "skill/tides",
    );
    expect(keeper.lastOf("capability.answered")?.error).toBe(
      "SkillError: tides was refused at normalising, cdata-wrapper: a CDATA wrapper. Send raw source.",
    );
    expect(keeper.state().making).toEqual({});
  });

  it("[SK14] a changed one takes the place of the one before, with its uses, and is active again", () => {
    const keeper = loneKeeper(storeWith(["tides"]));
    keeper.call("tides");
    keeper.ran("well");
    for (let time = 0; time < 3; time += 1) {
      keeper.call("tides");
      keeper.ran("badly");
    }
    keeper.call("create_skill", args);
    known(keeper);
    registers(keeper, "tides", "skill/tides#2");

    expect(keeper.row("tides")).toMatchObject({ status: "active", usageCount: 1, failureCount: 0 });
    expect(keeper.lastOf("skill.left")).toMatchObject({ how: "replaced" });
    expect(keeper.state().lives).toEqual({ tides: "skill/tides#2" });
    const two = loneKeeper(storeWith(["tides", "news"]));
    two.call("create_skill", args);
    known(two);
    registers(two, "tides", "skill/tides#2");
    expect(Object.keys(two.state().lives).sort()).toEqual(["news", "tides"]);
  });

  it("[SK14] an unchanged one keeps its uses, its failures and its status", () => {
    const keeper = loneKeeper(storeWith(["tides"]));
    for (const how of ["well", "badly", "badly", "badly"] as const) {
      keeper.call("tides");
      keeper.ran(how);
    }
    const before = keeper.row("tides");
    keeper.call("create_skill", args);
    known(keeper);
    const { code, ...same } = skillNamed("tides");
    keeper.deliver(
      { ...{ type: "skill.registering", skill: "tides", agent: "cedar" }, ...same, code },
      "skill/tides#2",
    );

    expect(before).toMatchObject({ status: "degraded", usageCount: 1, failureCount: 3 });
    expect(keeper.row("tides")).toEqual(before);
  });
});

it("[SK44] after any calls, row and registry are what a recount of the calls says", () => {
  const one = fc.record({
    skill: fc.constantFrom("news", "prices"),
    how: fc.constantFrom("well" as const, "badly" as const, "late" as const, "left" as const),
  });
  const { skills: policy } = policyWith({});
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (calls) => {
      const keeper = loneKeeper(storeWith(["news", "prices"]));
      let recount: SkillBook = keeper.state().book;
      for (const { skill, how } of calls) {
        const isActive = recount.find(({ name }) => name === skill)?.status === "active";
        keeper.call(skill);
        if (!isActive) continue;
        keeper.ran(how);
        const outcome = {
          well: "success",
          badly: "failure",
          late: "infra",
          left: "failure",
        } as const;
        recount = countCall(recount, skill, outcome[how], policy);
      }
      expect(keeper.state().book).toEqual(recount);
      expect(JSON.parse(registryText(recount))).toEqual(keeper.written());
    }),
    { numRuns: 60 },
  );
});

describe("where the engine's count of failing tools applies to skills too", () => {
  const listing = {
    type: "tools.answered",
    capabilities: [],
    broken: [{ name: "news", failures: 3, reason: "returned nothing" }],
  } as const;
  const keeper = (ghostRules: string) => {
    const alone = loneKeeper(storeWith(["news", "tides"]), { "skills.ghostRules": ghostRules });
    alone.deliver({ type: "entries.asked", kind: "skill" }, ENGINE);
    return alone;
  };
  const answers = (alone: ReturnType<typeof loneKeeper>): void => {
    const { ask, event } = alone.sent.at(-1) ?? {};
    expect(event?.type).toBe("tools.asked");
    alone.deliver(listing, ENGINE, ask);
  };

  it("[SK106] manage_skills says which the engine lists as broken, and that its own telemetry finds it active", () => {
    const alone = keeper("on");
    alone.call("manage_skills");
    answers(alone);

    expect(alone.lastOf("capability.answered")?.result).toMatchObject({
      skills: [
        { name: "news", status: "active", broken: "3 failures, returned nothing" },
        expect.not.objectContaining({ broken: expect.anything() }),
      ],
    });
  });

  it("[SK106] so does the section of prompts", () => {
    const alone = keeper("on");
    const asked = { agent: "cedar", purpose: "plan", n: 1, goal: null, notes: [] } as const;
    alone.deliver({ type: "section.asked", ...asked }, "agent/cedar");
    answers(alone);

    const [news, tides] = alone.lastOf("section.answered")?.lines ?? [];
    expect(news).toContain("LISTED AS BROKEN: 3 failures, returned nothing");
    expect(tides).not.toContain("LISTED");
  });

  it("[SK106] elsewhere nobody is asked, and the engine is told not to count", () => {
    const alone = keeper("off");
    alone.call("manage_skills");

    expect(alone.sent.some(({ event }) => event.type === "tools.asked")).toBe(false);
    expect(alone.lastOf("entries.listed")?.judges).toBe(true);
    expect(keeper("on").lastOf("entries.listed")?.judges).toBe(false);
  });

  it.each([
    ["on", { broken: "3 failures, returned nothing" }],
    ["off", {}],
  ])(
    "[SK106] with ghostRules %s a skill that is created anew says whether the engine lists it",
    (rules, listed) => {
      const alone = keeper(rules);
      alone.call("create_skill", {
        ...{ name: "news", description: "Gets the news.", parameters_schema: "{}" },
        ...{ python_code: "print(1)\n", test_payload: "{}" },
      });
      answers(alone);

      expect(alone.state().making["news"]).toMatchObject(listed);
      expect("broken" in (alone.state().making["news"] ?? {})).toBe("broken" in listed);
    },
  );
});
