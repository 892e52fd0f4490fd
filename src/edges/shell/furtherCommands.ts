/** Commands that agents write and just-bash lacks, and those that would tell of a host. */
import { defineCommand } from "./justBash.ts";

type Command = ReturnType<typeof defineCommand>;
type Ran = Awaited<ReturnType<Command["execute"]>>;

const printing = (stdout: string): Ran => ({ stdout, stderr: "", exitCode: 0 });
const failing = (stderr: string): Ran => ({ stdout: "", stderr: `${stderr}\n`, exitCode: 1 });

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const randomBelow = (below: number): number => Math.floor(Math.random() * below);

export const furtherCommands = (agent: string): Command[] => [
  defineCommand("whoami", async () => printing(`${agent}\n`)),
  defineCommand("id", async (args) => {
    if (args.includes("-un") || (args.includes("-u") && args.includes("-n")))
      return printing(`${agent}\n`);
    if (args.includes("-u") || args.includes("-g")) return printing("1000\n");
    return printing(`uid=1000(${agent}) gid=1000(${agent}) groups=1000(${agent})\n`);
  }),
  defineCommand("uname", async (args) =>
    printing(args.includes("-a") ? "Linux localhost 5.15.0 #1 SMP x86_64 GNU/Linux\n" : "Linux\n"),
  ),
  // Both know their options only with a blank before the value.
  defineCommand("xargs", async (args, { origCommand }) => {
    const apart = args.map((arg) => /^(-[nILP])(.+)$/.exec(arg)?.slice(1) ?? [arg]);
    return (await origCommand?.(apart.flat())) ?? failing("xargs: not here");
  }),
  defineCommand("paste", async (args, { origCommand }) => {
    const apart = args.map((arg) => (/^-sd./.test(arg) ? ["-s", "-d", arg.slice(3)] : [arg]));
    const words = apart.flat();
    const hasFile = words.some((word, at) => !/^-./.test(word) && words[at - 1] !== "-d");
    return (await origCommand?.(hasFile ? words : [...words, "-"])) ?? failing("paste: not here");
  }),
  defineCommand("nproc", async () => printing("1\n")),
  defineCommand("mktemp", async (args, { fs, cwd, env }) => {
    const isFolder = args.includes("-d") || args.includes("--directory");
    const [given] = args.filter((one) => !one.startsWith("-"));
    const tmp = env.get("TMPDIR") ?? "/tmp";
    const template = given ?? "tmp.XXXXXXXXXX";
    const isBelowTmp = given === undefined || args.includes("-t") || args.includes("-p");
    if (!/X{3,}/.test(template)) return failing(`mktemp: too few X's in template '${template}'`);
    const name = template.replace(/X{3,}(?!.*X{3})/, (marks) =>
      [...marks].map(() => LETTERS[randomBelow(LETTERS.length)]).join(""),
    );
    const shown = isBelowTmp ? `${tmp}/${name}` : name;
    const path = fs.resolvePath(cwd, shown);
    if (args.includes("-u") || args.includes("--dry-run")) return printing(`${shown}\n`);
    try {
      if (isFolder) await fs.mkdir(path);
      else await fs.writeFile(path, "");
    } catch {
      return failing(
        `mktemp: failed to create ${isFolder ? "directory" : "file"} via template '${template}': No such file or directory`,
      );
    }
    return printing(`${shown}\n`);
  }),
  defineCommand("shuf", async (args, { fs, cwd, stdin }) => {
    let count = Number.POSITIVE_INFINITY;
    let lines: string[] | undefined;
    const files: string[] = [];
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] ?? "";
      const value = /^-[ni](?=.)/.test(arg) ? arg.slice(2) : (args[at + 1] ?? "");
      if (arg.startsWith("-n") || arg.startsWith("-i")) {
        if (arg.length === 2) at++;
        if (arg.startsWith("-n")) count = Number(value);
        else lines = rangeOf(value);
      } else if (arg === "-e") {
        lines = args.slice(at + 1);
        break;
      } else if (arg.startsWith("-") && arg !== "-") {
        return failing(`shuf: unrecognized option '${arg}'`);
      } else files.push(arg);
    }
    const [file] = files;
    try {
      const text =
        file === undefined || file === "-"
          ? Buffer.from(String(stdin), "latin1").toString("utf8")
          : await fs.readFile(fs.resolvePath(cwd, file));
      lines ??= text === "" ? [] : text.replace(/\n$/, "").split("\n");
    } catch {
      return failing(`shuf: ${file}: No such file or directory`);
    }
    for (let last = lines.length - 1; last > 0; last--) {
      const other = randomBelow(last + 1);
      [lines[last], lines[other]] = [lines[other] ?? "", lines[last] ?? ""];
    }
    return printing(
      lines
        .slice(0, count)
        .map((line) => `${line}\n`)
        .join(""),
    );
  }),
  defineCommand("realpath", async (args, { fs, cwd }) => {
    const paths = args.filter((one) => !one.startsWith("-"));
    let stdout = "";
    for (const path of paths) {
      const full = fs.resolvePath(cwd, path);
      const parent = full.slice(0, full.lastIndexOf("/")) || "/";
      if (!(await fs.exists(parent)))
        return failing(`realpath: ${path}: No such file or directory`);
      stdout += `${await fs.realpath(full).catch(() => full)}\n`;
    }
    return printing(stdout);
  }),
];

/** Ours: as many numbers as a list may have. */
const RANGE_MAX = 100_000;

function rangeOf(text: string): string[] {
  const [from = 0, to = -1] = text.split("-").map(Number);
  const length = Math.max(0, Math.min(RANGE_MAX, to - from + 1));
  return Array.from({ length }, (_, at) => String(from + at));
}
