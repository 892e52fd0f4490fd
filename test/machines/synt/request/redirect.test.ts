import { describe, expect, it } from "vitest";
import {
  canonicalExecutor,
  shortCircuit,
} from "../../../../src/machines/synt/request/requestChoice.ts";
import { caseOf, casesOf, catalogue106, golden, isAbsent } from "../metnosOracle.ts";

describe("short-circuits", () => {
  it("[SN19] come in order: no name, in the pool, redirected, else the cascade", () => {
    const pool = ["get_processes", "read_files"];

    expect(shortCircuit("", pool)).toEqual({ outcome: "missing-name" });
    expect(shortCircuit("read_files", pool)).toEqual({ outcome: "covered", name: "read_files" });
    expect(shortCircuit("list_processes", pool)).toEqual({
      outcome: "redirected",
      name: "get_processes",
    });
    expect(shortCircuit("move_processes", pool)).toEqual({ outcome: "cascade" });
  });

  it("[SN19] an exact qualifier goes before none, over all verbs", () => {
    expect(canonicalExecutor("get_urls_html", ["find_urls", "read_urls_html"])).toBe(
      "read_urls_html",
    );
    expect(canonicalExecutor("get_urls_html", ["find_urls"])).toBe("find_urls");
    expect(canonicalExecutor("list_mail", ["read_messages"])).toBe("read_messages");
  });

  it("[SN19] a provider is never dropped", () => {
    expect(canonicalExecutor("get_events_google_workspace", ["read_events"])).toBeNull();
    expect(canonicalExecutor("get_files_csv_github", ["read_files_csv", "read_files"])).toBeNull();
    expect(canonicalExecutor("get_files_csv_github", ["read_files_csv_github"])).toBe(
      "read_files_csv_github",
    );
  });

  it("[SN96] a name with a provider stands for the living executor of that provider, with its qualifier or without", () => {
    const pool = ["get_files_google_workspace", "read_files_xlsx", "read_files"];

    expect(canonicalExecutor("read_files_xlsx_google_workspace", pool)).toBe(
      "get_files_google_workspace",
    );
    expect(
      canonicalExecutor("read_files_xlsx_google_workspace", [
        ...pool,
        "list_files_xlsx_google_workspace",
      ]),
    ).toBe("list_files_xlsx_google_workspace");
    expect(canonicalExecutor("read_files_xlsx_github", pool)).toBeNull();
  });

  it("[SN19] only what produces is redirected", () => {
    for (const verb of ["delete", "filter", "describe", "extract"]) {
      expect(canonicalExecutor(`${verb}_files`, ["read_files"])).toBeNull();
    }
    for (const verb of ["get", "find", "list"]) {
      expect(canonicalExecutor(`${verb}_files`, ["read_files"])).toBe("read_files");
    }
    expect(canonicalExecutor("read_files", ["read_files", "move_files"])).toBeNull();
    expect(canonicalExecutor("read_zebras", ["get_zebras"])).toBeNull();
  });
});

interface Asked {
  readonly catalog: "fixtures.upstream_catalog_106" | readonly string[];
  readonly expected_name: string;
}

const poolOf = ({ catalog }: Asked) => (typeof catalog === "string" ? catalogue106 : catalog);

describe.skipIf(isAbsent)(golden("redirects"), () => {
  it.each([
    ["redirect.canonical_alias", 3],
    ["redirect.canonical_alias_full_catalog", 13],
  ] as const)("[SN19, SN41] %s", (kind, count) => {
    const cases = casesOf<Asked, string | null>(kind);

    expect(cases).toHaveLength(count);
    for (const { id, input, expected } of cases) {
      expect([id, canonicalExecutor(input.expected_name, poolOf(input))]).toEqual([id, expected]);
    }
  });

  it("[SN19, SN41] differs where the real system drops a provider (dossier 1.11)", () => {
    const { input, expected } = caseOf<Asked, string>("redirect.canonical_alias-018");

    expect([expected, canonicalExecutor(input.expected_name, poolOf(input))]).toEqual([
      "read_events",
      null,
    ]);
  });

  it("[SN19, SN41] short-circuits, but for bindings in the user's words, which the seed lacks", () => {
    const outcomes = {
      missing_name: "missing-name",
      already_in_catalog: "covered",
      redirected: "redirected",
      cascade_started: "cascade",
    };
    const cases = casesOf<Asked, { outcome: keyof typeof outcomes; name: string | null }>(
      "synth_request.short_circuit",
    );
    const ours = cases.filter(({ expected }) => (expected.outcome as string) !== "binding");

    expect([cases.length, ours.length]).toEqual([8, 4]);
    for (const { input, expected } of ours) {
      const said = shortCircuit(input.expected_name, poolOf(input));
      expect(said.outcome).toBe(outcomes[expected.outcome]);
      if ("name" in said) expect(said.name).toBe(expected.name);
    }
  });
});
