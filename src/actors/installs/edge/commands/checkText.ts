/** What `ghostlight install check` says in words. */
import { escapedLine } from "../../../../edges/escapedText.ts";
import { judgeOf } from "../../../../machines/installs/addresses.ts";
import type { InstallCheck } from "../installCheck.ts";
import type { Reason, Shown } from "../installReasons.ts";

/** Of evidence and notes; a reason is always told, and `--json` has all. */
const SHOWN_MAX = 20;

export function checkText(said: InstallCheck & { readonly kind?: string }): string {
  const { kind, verdict, agent, artifact, revision, capabilities, remoteAccess, notes, reasons } =
    said;
  const rows: readonly (readonly [string, string])[] = [
    ...(kind === undefined ? [] : [["kind", kind] as const]),
    ["agent", agent ?? "none"],
    ...(artifact === null
      ? []
      : [["artifact", `${artifact.id}, ${filesText(artifact)}, ${artifact.digest}`] as const]),
    ["declared", listed(capabilities.declared)],
    ["needed", `${listed(capabilities.inferred)}; remote access: ${remoteAccess ? "yes" : "no"}`],
    ["verdict", verdict === "passes" ? passed(revision) : "refused"],
  ];
  return [
    ...rows.map(([name, text]) => `${name.padEnd(WIDTH)}${escapedLine(text)}`),
    ...(verdict === "passes" ? ahead(said) : []),
    ...reasons.flatMap(reasonLines),
    ...cut(
      notes.map(({ file, why }) => `${"note".padEnd(WIDTH)}${escapedLine(`${file}: ${why}`)}`),
      "notes",
    ),
  ].join("\n");
}

const passed = (revision: string | null): string =>
  revision === null ? "nothing found against it" : `would be created as ${revision}`;

const WIDTH = 10;
const listed = (names: readonly string[]): string => names.join(", ") || "nothing";

const filesText = ({ files, bytes }: { readonly files: number; readonly bytes: number }): string =>
  `${files} ${files === 1 ? "file" : "files"} of ${bytes} bytes`;

/** What is still to come before it is active. */
function ahead({ approval, gates, shows }: InstallCheck): readonly string[] {
  const row = (name: string, text: string): string => `${name.padEnd(WIDTH)}${text}`;
  return [
    ...(approval === null
      ? []
      : [row("approval", `a person is asked first: ${approval.join(", ") || "always"}`)]),
    row(
      "gate",
      gates.length === 0
        ? "none"
        : `promotion needs the records of ${gates.map(judgeOf).join(" and ")}`,
    ),
    ...(shows === null ? [] : [row("", `promotion_gate shows ${JSON.stringify(shows)}`)]),
  ];
}

function reasonLines(reason: Reason): readonly string[] {
  const { check, field, file, said, found, allowed, todo, evidence = [] } = reason;
  const place = escapedLine(file ?? field ?? check);
  return [
    "",
    `${check}: ${place}: found ${escapedLine(found)}; allowed: ${escapedLine(allowed)}`,
    ...(said === undefined ? [] : [`  ${escapedLine(said)}`]),
    ...cut(evidence.map(shownLine), "places"),
    `  ${escapedLine(todo)}`,
  ];
}

const shownLine = ({ file, line, pattern, what }: Shown): string =>
  `  ${escapedLine(`${file}:${line}: ${pattern} (${what})`)}`;

const cut = (lines: readonly string[], what: string): readonly string[] =>
  lines.length <= SHOWN_MAX
    ? lines
    : [
        ...lines.slice(0, SHOWN_MAX),
        `  … and ${lines.length - SHOWN_MAX} more ${what}; --json has all`,
      ];
