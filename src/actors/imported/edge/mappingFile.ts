/** The YAML of `--map`: a path for each field that lines have. */
import { closeSync, openSync } from "node:fs";
import { boundedBytes } from "../../../edges/boundedBytes.ts";
import { BadInput, hintFor, type Problem, quoted } from "../../../edges/errors.ts";
import { parseYaml, type YamlText } from "../../../edges/scenario/yamlText.ts";
import { isMap } from "../../../machines/isMap.ts";
import { MAPPED, type Mapped, type Mapping } from "./mapping.ts";

const BYTES_MAX = 1024 * 1024;
const TODO =
  "Write each field as `name: path`; `ghostlight import --explain FILE` prints a mapping to begin with.";

/** Throws BadInput when the file cannot be read or is no mapping. */
export function mappingFile(file: string): Mapping {
  const refused = (found: string): BadInput =>
    new BadInput({
      where: { file, path: "--map" },
      found,
      allowed: "a mapping in YAML",
      todo: TODO,
    });
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, "r");
    const bytes = boundedBytes(descriptor, BYTES_MAX + 1);
    if (bytes.length > BYTES_MAX) throw refused(`more than ${BYTES_MAX} bytes`);
    return mappingText(new TextDecoder("utf-8", { fatal: true }).decode(bytes), file);
  } catch (error) {
    if (error instanceof BadInput) throw error;
    if (error instanceof TypeError) throw refused("bytes that are no text");
    const { code } = error as NodeJS.ErrnoException;
    throw refused(
      code === "ENOENT" ? "no such file" : code === "EISDIR" ? "a folder" : String(code),
    );
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The mapping of a text; `file` names it in errors. Throws BadInput with all that is wrong. */
export function mappingText(text: string, file: string): Mapping {
  const parsed = parseYaml(text, file);
  const problems = "problems" in parsed ? parsed.problems : faultsOf(parsed, file);
  const [first, ...more] = problems;
  if (first !== undefined) throw new BadInput({ ...first, more, todo: TODO });
  return (parsed as YamlText).value as Mapping;
}

function faultsOf({ value, whereOf }: YamlText, file: string): readonly Problem[] {
  if (!isMap(value)) {
    return [
      { where: { file, line: 1 }, found: quoted(value), allowed: `a map of ${MAPPED.join(" | ")}` },
    ];
  }
  const problems = Object.entries(value).flatMap(([name, path]): Problem[] => {
    if (!(MAPPED as readonly string[]).includes(name)) {
      return [
        {
          where: whereOf([name], "key"),
          found: quoted(name),
          allowed: MAPPED.join(" | "),
          ...hintFor(name, MAPPED),
        },
      ];
    }
    if (typeof path === "string" && path.trim() !== "" && path.length <= PATH_CHARS_MAX) return [];
    return [
      {
        where: whereOf([name], "value"),
        found: quoted(path),
        allowed: "a path such as data.tool.name",
      },
    ];
  });
  if (problems.length > 0 || NEEDED.some((name) => value[name] !== undefined)) return problems;
  return [
    {
      where: { file, line: 1 },
      found: `none of ${NEEDED.join(", ")}`,
      allowed: `at least one of ${NEEDED.join(" | ")}`,
    },
  ];
}

const PATH_CHARS_MAX = 500;
/** Without one of them, no line says anything. */
const NEEDED: readonly Mapped[] = ["text", "tool", "result"];
