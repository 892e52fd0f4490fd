import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalAction,
  canonicalObject,
  chainName,
  checkName,
  goesWith,
  parseName,
  QUALIFIERS,
  SYSTEM_NAMES,
} from "../../../src/machines/synt/naming.ts";
import { policyWith, profiles } from "../../builtIn.ts";
import { caseOf, casesOf, golden, isAbsent } from "./metnosOracle.ts";

const seed = policyWith({}).synt.naming;
const later = policyWith(profiles["real"] ?? {}).synt.naming;

const ruleOf = (name: string, live?: readonly string[]) => checkName(name, seed, live).rule;

describe("the vocabulary", () => {
  it("[SN14] has 23 verbs and 22 objects, and 27 of each in the later edition", () => {
    expect([seed.actions.length, seed.objects.length]).toEqual([23, 22]);
    expect([later.actions.length, later.objects.length]).toEqual([27, 27]);
    expect(later.actions).toEqual(expect.arrayContaining([...seed.actions]));
    expect(later.objects).toEqual(expect.arrayContaining([...seed.objects]));
    expect(Object.keys(QUALIFIERS)).toHaveLength(46);
  });

  it("[SN14] the later edition takes names that the seed's does not", () => {
    for (const name of ["open_sites", "install_packages", "get_preferences"]) {
      expect(checkName(name, seed).ok).toBe(false);
      expect(checkName(name, later).ok).toBe(true);
    }
  });

  it("[SN15] the seed's own examples are outside; the exceptions admit them whole", () => {
    const names = ["format_json", "archive_pdf", "order_image_file", "order_file"] as const;
    const { naming } = policyWith({ "synt.naming.exceptions": names }).synt;

    for (const name of names) {
      expect(checkName(name, seed).ok).toBe(false);
      expect(checkName(name, naming)).toMatchObject({ ok: true, exception: "policy" });
    }
    for (const name of ["archive_pdf_zip", "order_image_file_of-mine"]) {
      expect(checkName(name, naming).ok).toBe(false);
    }
  });

  it("[SN15] the system's own names are admitted whole", () => {
    const lookups = ["get_now", "get_location", "find_entries"];
    const own = ["undo_last_turn", "consult_frontier", "start_lre", "admin", ...lookups];
    expect(own.filter((name) => checkName(name, seed).exception !== "system")).toEqual([]);
    expect(SYSTEM_NAMES).toHaveLength(own.length);
  });
});

describe("the form of a name", () => {
  it("[SN16] has two to four parts, and a provider behind them", () => {
    expect(parseName("read_files_xlsx_sheet-1_google_workspace")).toEqual({
      verb: "read",
      object: "files",
      qualifier: "xlsx",
      descriptor: "sheet-1",
      provider: "google_workspace",
      canonical: "read_files_xlsx_google_workspace",
    });
    expect(parseName("x_google_workspace")).toBeNull();
    expect(parseName("find_images_google_photos")).toMatchObject({
      qualifier: "google_photos",
      provider: null,
    });
    expect(["read", "", "a_b_c_d_e"].map(parseName)).toEqual([null, null, null]);
  });

  it.each([
    ["read", "syntax"],
    ["admin_files", "reserved-verb"],
    ["undo_files", "reserved-verb"],
    ["synthesize_files", "reserved-verb"],
    ["consult_files", "reserved-verb"],
    ["audit_files", "reserved-verb"],
    ["resize_images", "verb"],
    ["Read_files", "verb"],
    ["read_file", "object"],
    ["read__files", "object"],
    ["read_files_zebra", "qualifier"],
    ["find_files_blacklist", "compatibility"],
    ["read_urls_pdf_google_photos", "compatibility"],
    ["read_entries", "entries"],
    ["read_files_csv_Semi", "descriptor"],
    ["read_files_csv_a--b", "descriptor"],
    ["read_files_csv_move", "descriptor"],
    [`read_files_csv_${"a".repeat(31)}`, "descriptor"],
    [`read_files_csv_${"a".repeat(30)}`, null],
    ["read_files_csv_semi-colon", null],
  ])("[SN16] %s: %s", (name, rule) => {
    expect(ruleOf(name)).toBe(rule);
  });

  it.each([
    ["undo_zebras", "reserved-verb"],
    ["resize_zebras", "verb"],
    ["read_zebras_zebra", "object"],
    ["sort_lists_zebra", "lists"],
    ["read_files_zebra_x_google_photos", "qualifier"],
    ["find_files_blacklist_x", "compatibility"],
    ["read_entries_size_X", "level"],
  ])("[SN16] of the faults of %s the first in order is told: %s", (name, rule) => {
    expect(checkName(name, later, []).rule).toBe(rule);
    expect(checkName("read_entries_size_X", later).rule).toBe("entries");
  });

  it("[SN16] a descriptor goes one level beyond what lives, when the pool is known", () => {
    expect(ruleOf("read_files_csv_semi")).toBeNull();
    expect(ruleOf("read_files_csv_semi", ["read_files"])).toBe("level");
    expect(ruleOf("read_files_csv_semi", ["read_files_csv"])).toBeNull();
  });

  it("[SN96] a name with a provider narrows what lives, of that provider or of none", () => {
    const name = "read_files_xlsx_sheet-1_google_workspace";

    expect(ruleOf(name, ["read_files_xlsx_google_workspace"])).toBeNull();
    expect(ruleOf(name, ["read_files_xlsx"])).toBeNull();
    expect(ruleOf(name, ["read_files_xlsx_github", "read_files"])).toBe("level");
    expect(ruleOf("read_files_xlsx_sheet-1", ["read_files_xlsx_google_workspace"])).toBe("level");
  });

  it("[SN17] a calendar means its events, and settings mean preferences", () => {
    const objects = ["calendar", "Calendario", "agenda", "settings", "Setting", "impostazioni"];

    expect(objects.map(canonicalObject)).toEqual([
      ...["events", "events", "events", "preferences", "preferences", "preferences"],
    ]);
    expect(canonicalObject("calendari")).toBe("calendars");
    expect(checkName("read_calendar", seed).means).toBe("read_events");
    expect(checkName("change_settings", later).means).toBe("change_preferences");
    expect(checkName("change_settings", seed).means).toBeNull();
  });

  it("[SN16] lists go with filter and compute only", () => {
    const ok = (name: string) => checkName(name, later).rule;

    const verbs = later.actions.filter((verb) => ok(`${verb}_lists`) === null);
    expect(verbs).toEqual(["filter", "compute"]);
    expect([ok("find_lists"), ok("sort_lists")]).toEqual(["lists", "lists"]);
  });

  it("[SN17] a refusal says which name of the vocabulary means the same, if one does", () => {
    const means = (name: string) => checkName(name, seed).means;

    expect(means("read_appointments")).toBe("read_events");
    expect(means("elimina_cartelle")).toBe("delete_dirs");
    expect(means("search_file_pdf")).toBe("find_files_pdf");
    expect(means("crack_passwords")).toBeNull();
    expect(means("read_files_zebra")).toBeNull();
    expect(means("read_files")).toBeNull();
  });

  it("[SN17] what a refusal proposes is itself admitted, and no name makes it throw", () => {
    const words = fc.constantFrom(
      "leggi",
      "mail",
      "file",
      "cartella",
      "read",
      "",
      "__proto__",
      "x",
    );
    const names = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 5 }).map((w) => w.join("_")),
    );

    fc.assert(
      fc.property(names, (name) => {
        const { ok, rule, means } = checkName(name, seed);
        expect(ok).toBe(rule === null);
        expect(means === null || checkName(means, seed).ok).toBe(true);
      }),
    );
  });

  it("[SN18] a chain taken as one executor is named after its last verb and first object", () => {
    expect(chainName(["read_files", "read_files_pdf", "classify_entries", "move_files"])).toBe(
      "move_files",
    );
    expect(chainName(["get_urls", "write_files"])).toBe("write_urls");
    for (const none of [[], ["nameless"], ["read_files", "nameless"], ["nameless", "read_files"]]) {
      expect(chainName(none)).toBeNull();
    }
  });
});

interface Validated {
  readonly ok: boolean;
  readonly reason: string | null;
}

/** Which of our rules a recorded reason stands for. */
const RULE_OF: readonly (readonly [RegExp, string])[] = [
  [/^syntax/, "syntax"],
  [/reserved/, "reserved-verb"],
  [/^verb/, "verb"],
  [/^object/, "object"],
  [/^qualifier .* not in vocab/, "qualifier"],
  [/not semantically valid/, "compatibility"],
  [/^descriptor/, "descriptor"],
  [/meta-object/, "entries"],
];
const recorded = ({ ok, reason }: Validated) => ({
  ok,
  rule: reason === null ? null : (RULE_OF.find(([words]) => words.test(reason))?.[1] ?? reason),
});

describe.skipIf(isAbsent)(golden("names"), () => {
  it.each([
    ["naming.validate", later, 51],
    ["naming.validate_live", later, 2],
    ["naming.validate_seed23x22", seed, 65],
  ] as const)("[SN16, SN41] %s", (kind, policy, count) => {
    const cases = casesOf<{ name: string; live_canonicals?: string[] }, Validated>(kind);

    expect(cases).toHaveLength(count);
    for (const { id, input, expected } of cases) {
      const { ok, rule } = checkName(input.name, policy, input.live_canonicals);
      expect({ id, ok, rule }).toEqual({ id, ...recorded(expected) });
    }
  });

  it("[SN16, SN41] the parts of a name", () => {
    const cases = casesOf<{ name: string }, Record<string, string | null> | null>("naming.parse");

    expect(cases).toHaveLength(6);
    for (const { input, expected } of cases) {
      const parts = parseName(input.name);
      const { obj, full: _full, ...others } = expected ?? {};
      expect(parts).toEqual(expected === null ? null : { object: obj, ...others });
    }
  });

  it("[SN16, SN41] which qualifier goes with which object", () => {
    const cases = casesOf<{ qualifier: string; object: string }, boolean>("qualifier.compatible");

    expect(cases).toHaveLength(9);
    for (const { input, expected } of cases) {
      expect(goesWith(input.qualifier, input.object)).toBe(expected);
    }
  });

  it("[SN17, SN41] which object a word means", () => {
    const cases = casesOf<{ token: string | null }, string | null>("vocab.canonical_object");

    expect(cases).toHaveLength(11);
    for (const { input, expected } of cases) {
      expect([input.token, canonicalObject(input.token ?? "")]).toEqual([input.token, expected]);
    }
    expect(canonicalAction("resize")).toBeNull();
  });

  it("[SN18, SN41] the name of a chain", () => {
    const kind = "macro.seed_rule_last_verb_first_object";
    const cases = casesOf<{ chain: string[] }, { name: string; valid: boolean }>(kind);

    expect(cases).toHaveLength(4);
    for (const { input, expected } of cases) {
      const name = chainName(input.chain) ?? "";
      expect({ name, valid: checkName(name, later).ok }).toEqual(expected);
    }
  });

  it("[SN16, SN41] where the four validators agree, so do we; ours is the naming authority", () => {
    const cases = casesOf<{ name: string }, { naming_authority: boolean }>(
      "naming.four_validators",
    );

    expect(cases).toHaveLength(4);
    for (const { input, expected } of cases) {
      expect(checkName(input.name, later).ok).toBe(expected.naming_authority);
    }
  });

  it.each(["003", "004", "006", "011", "012", "014"])(
    "[SN16, SO7] does not ask four validators that differ, on purpose: naming.four_validators-%s",
    (id) => {
      const { adopt, input, expected } = caseOf<{ name: string }, Record<string, boolean>>(
        `naming.four_validators-${id}`,
      );

      expect([adopt, expected["agree"]]).toEqual(["quirk", false]);
      expect(checkName(input.name, later).ok).toBe(expected["naming_authority"]);
    },
  );
});
