// [INS69] Content, artifacts, hashes and turns against the real system's recorded answers.
import { existsSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import {
  type ArtifactBook,
  artifactBuilt,
  artifactIdOf,
  artifactInspected,
} from "../../../src/machines/installs/content/artifact.ts";
import {
  aliasOf,
  contentFound,
  contentWritten,
  handleOf,
  NO_CONTENT,
  rootOf,
  type Visibility,
} from "../../../src/machines/installs/content/content.ts";
import { execFingerprint } from "../../../src/machines/installs/detection/execScan.ts";
import {
  decidedTask,
  NO_LOOP,
  resumed,
  suspended,
  turnBegun,
} from "../../../src/machines/installs/gateway/turns.ts";
import type { InstallsPolicy } from "../../../src/machines/installs/installsPolicy.ts";
import {
  type CausalFact,
  chained,
  NO_HISTORY,
} from "../../../src/machines/installs/revisions/causalChain.ts";
import type { Json } from "../../../src/machines/letter.ts";
import { AgreementTable } from "../skills/ghostOracle.ts";

const ORACLE = new URL("../../../../shared/oracles/autonoetic.json", import.meta.url);
const isOracleThere = existsSync(ORACLE);
const table = new AgreementTable();

type Values = Pick<InstallsPolicy, "content" | "artifact" | "history">;

const MODES: { readonly [mode in "real" | "defaults"]: Values } = {
  real: {
    content: { lookup: "aliases-first", sameAlias: "last" },
    artifact: { idOf: "contents" },
    history: { seals: "most" },
  },
  defaults: {
    content: { lookup: "names-first", sameAlias: "refused" },
    artifact: { idOf: "names" },
    history: { seals: "everything" },
  },
};

interface Case<I, E> {
  readonly id: string;
  readonly kind: string;
  readonly adopt?: string;
  readonly input: I;
  readonly expected: E;
}

function casesOf<I, E>(kind: string): readonly Case<I, E>[] {
  const all = JSON.parse(readFileSync(ORACLE, "utf8")).cases as readonly Case<I, E>[];
  // The shapes of a kind's cases are what its file says of them.
  return all.filter((one) => one.kind === kind && one.adopt === undefined);
}

/** Under `real` all must agree; under the defaults, all but what a ruling decides. */
function agrees<I, E>(
  kind: string,
  ours: (input: I, by: Values) => unknown,
  theirs: (expected: E, input: I) => unknown,
  ruling?: string,
): void {
  for (const mode of ["real", "defaults"] as const) {
    it(`[INS69] agrees on ${kind} (${mode})`, () => {
      const cases = casesOf<I, E>(kind);
      expect(cases.length).toBeGreaterThan(0);
      for (const { id, input, expected } of cases) {
        const [is, was] = [ours(input, MODES[mode]), theirs(expected, input)];
        const isSame = isDeepStrictEqual(is, was);
        if (mode === "real" || ruling === undefined) expect({ id, is }).toEqual({ id, is: was });
        table.count(`${kind} (${mode})`, isSame ? "same" : `by ruling ${ruling}`);
      }
    });
  }
}

describe.skipIf(!isOracleThere)("(skipped where shared/oracles/autonoetic.json is absent)", () => {
  afterAll(() => {
    process.stdout.write(`\n${table}\n`);
  });

  interface Files {
    readonly files: { readonly [name: string]: string };
    readonly entrypoints: readonly string[];
    readonly layer_digests: readonly string[];
  }
  interface Ids {
    readonly artifact_id: string;
    readonly handles: object;
    readonly aliases: object;
  }
  const filesOf = (texts: Files["files"]) =>
    Object.entries(texts).map(([name, text]) => ({
      name,
      handle: handleOf(text),
      size: text.length,
    }));
  const handlesOf = ({ files }: Files, as: (handle: string) => string) =>
    Object.fromEntries(filesOf(files).map(({ name, handle }) => [name, as(handle)]));
  agrees<Files, Ids>(
    "artifact_id",
    ({ files, entrypoints, layer_digests: layers }, { artifact }) =>
      artifactIdOf({ files: filesOf(files), entrypoints, layers }, artifact),
    ({ artifact_id }) => artifact_id,
    "I10",
  );
  it("[INS69] agrees on the handles and aliases of artifact_id", () => {
    for (const { input, expected } of casesOf<Files, Ids>("artifact_id")) {
      expect(handlesOf(input, (handle) => handle)).toEqual(expected.handles);
      expect(handlesOf(input, aliasOf)).toEqual(expected.aliases);
    }
  });

  interface Store {
    readonly build_twice?: readonly string[];
    readonly tamper?: "digest";
    readonly entrypoints?: readonly string[];
  }
  type Stored = { readonly error_contains: string } | { readonly same_id: boolean };
  const stored = (
    { build_twice: names = ["a.py"], tamper, entrypoints = [] }: Store,
    { artifact }: Values,
  ) => {
    const files = filesOf(Object.fromEntries(names.map((name) => [name, "content"])));
    const build = (book: ArtifactBook) =>
      artifactBuilt(book, { files, entrypoints, builtBy: "coder" }, artifact);
    const first = build({});
    if ("fault" in first) return first.fault.said;
    const { id } = first.artifact;
    if (tamper !== undefined) {
      const book = { [id]: { ...first.artifact, digest: handleOf("other") } };
      const answer = artifactInspected(book, id, () => "content");
      return "fault" in answer ? answer.fault.said : "accepted";
    }
    const second = build(first.book);
    if ("fault" in second) return second.fault.said;
    return {
      ...{ first_reused: first.reused, second_reused: second.reused },
      same_id: id === second.artifact.id,
    };
  };
  agrees<Store, Stored>(
    "artifact_store",
    (input, by) => {
      const is = stored(input, by);
      const [one] = ["digest mismatch", "not found in artifact inputs"].filter(
        (words) => typeof is === "string" && is.includes(words),
      );
      return one ?? is;
    },
    (expected) => ("error_contains" in expected ? expected.error_contains : expected),
  );

  interface Written {
    readonly root: string;
    readonly child: string;
    readonly write: { readonly name: string; readonly visibility: Visibility };
  }
  agrees<Written, { readonly [question: string]: boolean }>(
    "content_store",
    ({ root, child, write }, { content }) => {
      const made = contentWritten(NO_CONTENT, { session: child, text: "content", ...write });
      if ("fault" in made) return made.fault;
      const sees = (session: string, reference: string) =>
        "text" in contentFound(made.book, session, reference, content);
      return {
        child_by_name: sees(child, write.name),
        root_by_name: sees(root, write.name),
        ...(write.visibility === "private"
          ? {}
          : { root_by_alias: sees(root, made.alias), root_by_handle: sees(root, made.handle) }),
      };
    },
    (expected) => expected,
  );

  agrees<{ readonly cases: readonly string[] }, readonly string[]>(
    "root_session_id",
    ({ cases }) => cases.map(rootOf),
    (expected) => expected,
  );

  type Entry = Omit<CausalFact, "target" | "reason">;
  agrees<{ readonly entries: readonly Entry[] }, readonly Json[]>(
    "causal_hash_chain",
    ({ entries }, { history }) => {
      let chain = NO_HISTORY;
      for (const one of entries)
        chain = chained(chain, { ...one, target: null, reason: null }, history);
      return chain.entries.map(({ entry_hash, payload_hash, prev_hash }) => ({
        ...{ entry_hash, payload_hash, prev_hash },
      }));
    },
    (expected) => expected,
    "of ours: target and reason are sealed too",
  );

  interface Run {
    readonly agent_id: string;
    readonly targets: readonly string[];
    readonly code: string;
  }
  agrees<Run, string>(
    "approved_exec_fingerprint",
    ({ agent_id, targets, code }) => execFingerprint(agent_id, targets, code),
    (expected) => expected,
  );

  agrees<{ readonly checks: number; readonly max: number }, { readonly fails_on_check: number }>(
    "loop_guard",
    ({ checks, max }) => {
      let guard = NO_LOOP;
      for (let check = 1; check <= checks; check++) {
        const turn = turnBegun(guard, { idleTurns: max, sameFailures: 3 });
        if ("tripped" in turn) return check;
        guard = turn.guard;
      }
      return null;
    },
    ({ fails_on_check }) => fails_on_check,
  );

  type Continued = { readonly tool_result_lacks: string } | { readonly task_status: string };
  agrees<{ readonly approval_timeout_secs?: string }, Continued>(
    "approval_continuation",
    ({ approval_timeout_secs }) => {
      if (approval_timeout_secs === undefined) {
        const turn = { task: "t", history: [], done: [], guard: NO_LOOP };
        const call = { id: "1", tool: "sandbox.exec", args: {} };
        const waiting = suspended(turn, [call], { id: "1", request: "apr-1" });
        const goesOn = waiting === null ? null : resumed(waiting, { ok: true });
        return JSON.stringify(goesOn?.results).includes("approval_required");
      }
      const { status, event, checkpoint, isOver } = decidedTask("late");
      return { task_status: status, event, checkpoint_step: checkpoint, join_satisfied: isOver };
    },
    (expected) =>
      "tool_result_lacks" in expected
        ? false
        : { ...expected, task_status: expected.task_status.toLowerCase() },
  );
});
