/** What the fields of a scenario's `synt:` demand of one another. */
import type { Finding } from "../../../edges/scenario/finding.ts";
import { idsOf, namesFindings, reference, wrong } from "../../../edges/scenario/findingParts.ts";
import type { Path } from "../../../edges/scenario/yamlText.ts";
import type { SyntSource } from "./schema.ts";

/** Everything that is wrong with a `synt:` whose fields, one by one, are right. */
export function syntFindings(source: SyntSource): Finding[] {
  const { executors, answers = [], person = [], labels = [] } = source;
  const at =
    (list: string, key: string) =>
    (index: number): Path => ["synt", list, index, key];
  return [
    ...namesFindings(idsOf(executors, "name"), at("executors", "name")),
    ...executors.flatMap(seenFindings),
    ...poolFindings(source),
    ...namesFindings(idsOf(answers, "id"), at("answers", "id")),
    ...answers.flatMap(answerFindings),
    ...namesFindings(idsOf(labels, "id"), at("labels", "id")),
    ...namesFindings(idsOf(person, "id"), at("person", "id")),
  ];
}

/** No more runs went well, or were of a case, than there were. */
function seenFindings({ seen }: SyntSource["executors"][number], index: number): Finding[] {
  if (seen === undefined) return [];
  const { runs, ok, cases = {} } = seen;
  const own: Path = ["synt", "executors", index, "seen"];
  const inCases = Object.values(cases).reduce((sum, count) => sum + count, 0);
  return [
    ...(ok > runs ? [wrong([...own, "ok"], ok, `at most the ${runs} runs`)] : []),
    ...(inCases > runs ? [wrong([...own, "cases"], inCases, `at most the ${runs} runs`)] : []),
  ];
}

/** Mnests, gaps and memoised sequences speak of executors that are there. */
function poolFindings({ executors, mnests = [], missing = [], memos = [] }: SyntSource): Finding[] {
  const names = idsOf(executors, "name");
  const known = (path: Path, name: string) => reference(["synt", ...path], name, names, "executor");
  return [
    ...mnests.flatMap(({ from, to }, index) => [
      ...known(["mnests", index, "from"], from),
      ...known(["mnests", index, "to"], to),
    ]),
    ...missing.flatMap(({ name, from }, index) => [
      ...(from === undefined ? [] : known(["missing", index, "from"], from)),
      ...(names.includes(name)
        ? [wrong(["synt", "missing", index, "name"], name, "a name that no executor has")]
        : []),
    ]),
    ...memos.flatMap(({ chain }, index) =>
      chain.flatMap((name, step) => known(["memos", index, "chain", step], name)),
    ),
  ];
}

const answerFindings = (
  one: NonNullable<SyntSource["answers"]>[number],
  index: number,
): Finding[] => {
  const path = ["synt", "answers", index];
  const given = ["answer", "judges", "fails"].filter((field) => Object.hasOwn(one, field));
  return [
    ...(given.length === 1
      ? []
      : [wrong(path, one.id, "one of answer, judges and fails, not several or none")]),
    ...(one.judges === undefined || one.to === "judge"
      ? []
      : [wrong([...path, "judges"], one.to, "only with to: judge")]),
  ];
};
