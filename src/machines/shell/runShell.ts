/**
 * A shell on virtual files, for the builtin `shell_exec`: the part of POSIX sh and of the usual
 * tools that agents' commands use. A pure function: it reads no host, and every command ends.
 *
 * Source: seed 004, the path-out list; POSIX.1-2024, Shell Command Language; wording as in dash and GNU
 * coreutils. Ours: empty folders last as long as the command, and time stands still while it runs.
 */
import { commands, unavailable } from "./commands.ts";
import { openDisk, parentOf, resolved } from "./disk.ts";
import { type Expander, expandedText, expandedWords } from "./expansion.ts";
import { append, type Call, type Scope, type Session, type Sink, shellFailed } from "./session.ts";
import { LIMIT_EXIT, type Meter, meterOf, ShellLimitReached, within } from "./shellLimits.ts";
import { type Pipeline, pipelinesOf, type Redirect, type SimpleCommand } from "./syntax.ts";
import { ShellSyntaxError, type Word } from "./words.ts";

export interface ShellOptions {
  /** Texts by absolute path: all that exists. */
  readonly files: { readonly [path: string]: string };
  /** An absolute path; it exists. */
  readonly cwd: string;
  /** Virtual time in milliseconds since 1970. */
  readonly nowMs: number;
  /** When files were last written, in the same time; now for those left out. */
  readonly mtimesMs?: { readonly [path: string]: number };
  /** Where `~` and HOME lead; the working folder when absent. */
  readonly home?: string;
  /** Who owns the files in a listing. */
  readonly user?: string;
  /** Folders that nothing may change, besides `/agentOS/agents`. */
  readonly readOnly?: readonly string[];
}

export interface ShellResult {
  readonly exit_code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** New texts by plain absolute path; null for what is gone. */
  readonly changed: { readonly [path: string]: string | null };
  /** Files whose text was looked at, sorted. */
  readonly reads: readonly string[];
}

const READ_ONLY = "/agentOS/agents";

/** Never throws for any command, and never takes longer than its limits allow. */
export function runShell(command: string, options: ShellOptions): ShellResult {
  const { files, nowMs, mtimesMs = {}, user = "agent", readOnly = [] } = options;
  const cwd = resolved("/", options.cwd);
  const home = resolved("/", options.home ?? cwd);
  const steps = meterOf("steps");
  const stdout: Sink = { text: "" };
  const stderr: Sink = { text: "" };
  const disk = openDisk({
    ...{ files, cwd, nowMs, mtimesMs, steps },
    readOnly: [READ_ONLY, ...readOnly],
  });
  const session: Session = { disk, steps, home, user, nowMs };
  const variables = new Map([
    ["HOME", home],
    ["PWD", cwd],
  ]);
  let exitCode: number;
  try {
    within("commandChars", command.length);
    const shell: Shell = { session, started: meterOf("commands"), depth: 0 };
    exitCode = runText(command, { cwd, variables, status: 0 }, shell, {
      ...{ stdout, stderr, stdin: "", stdinIsFile: false },
    }).status;
  } catch (thrown) {
    if (!(thrown instanceof ShellLimitReached)) throw thrown;
    exitCode = LIMIT_EXIT;
    stderr.text += `sh: ${thrown.message}\n`;
  }
  return {
    exit_code: exitCode,
    stdout: stdout.text.toWellFormed(),
    stderr: stderr.text.toWellFormed(),
    changed: disk.changed(),
    reads: disk.reads(),
  };
}

interface Shell {
  readonly session: Session;
  readonly started: Meter;
  readonly depth: number;
}

interface Streams {
  readonly stdin: string;
  readonly stdinIsFile: boolean;
  readonly stdout: Sink;
  readonly stderr: Sink;
}

type Ended = Scope & { readonly ended: boolean };

function runText(text: string, scope: Scope, shell: Shell, streams: Streams): Ended {
  let pipelines: readonly Pipeline[];
  try {
    pipelines = pipelinesOf(text);
  } catch (thrown) {
    if (!(thrown instanceof ShellSyntaxError)) throw thrown;
    append(streams.stderr, `sh: ${thrown.line}: ${thrown.message}\n`);
    return { ...scope, status: 2, ended: true };
  }
  let now: Ended = { ...scope, ended: false };
  for (const pipeline of pipelines) {
    if (pipeline.joiner === "&&" && now.status !== 0) continue;
    if (pipeline.joiner === "||" && now.status === 0) continue;
    now = runPipeline(pipeline, now, shell, streams);
    if (now.ended) break;
  }
  return now;
}

/** One after the other: time does not pass, so nobody can tell. Each has a scope of its own. */
function runPipeline(pipeline: Pipeline, scope: Scope, shell: Shell, streams: Streams): Ended {
  const isAlone = pipeline.commands.length === 1;
  let { stdin, stdinIsFile } = streams;
  let after: Ended = { ...scope, ended: false };
  pipeline.commands.forEach((command, index) => {
    const isLast = index === pipeline.commands.length - 1;
    const stdout = isLast ? streams.stdout : { text: "" };
    const own = { stdin, stdinIsFile, stdout, stderr: streams.stderr };
    const ended = runCommand(command, scope, shell, own);
    after = isAlone ? ended : { ...scope, status: ended.status, ended: false };
    stdin = stdout.text;
    stdinIsFile = false;
  });
  const status = pipeline.negated ? (after.status === 0 ? 1 : 0) : after.status;
  return { ...after, status };
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

function runCommand(command: SimpleCommand, scope: Scope, shell: Shell, streams: Streams): Ended {
  shell.started.spend(1);
  const { stderr } = streams;
  const expander = expanderFor(scope, shell, streams);
  const count = command.words.findIndex((word) => assignedName(word) === undefined);
  const assignments = count < 0 ? command.words : command.words.slice(0, count);
  const words = expandedWords(command.words.slice(assignments.length), expander);
  const [name = "", ...args] = words;
  const opened = openedFor(command, expander, streams);
  if (typeof opened === "string") {
    append(stderr, `sh: ${command.line}: ${opened}\n`);
    return { ...scope, status: 2, ended: false };
  }
  const call: Call = {
    ...{ name, args, scope, line: command.line, session: shell.session, ended: false },
    stdin: opened.stdin,
    stdinIsFile: opened.stdinIsFile,
    out: (text) => {
      shell.session.steps.spend(text.length);
      append(opened.stdout, text);
    },
    err: (text) => append(opened.stderr, text),
  };
  if (words.length === 0) assign(call, assignments, expander);
  const status = words.length === 0 ? 0 : dispatch(call);
  for (const close of opened.closing) close();
  return { ...call.scope, status, ended: call.ended };
}

function dispatch(call: Call): number {
  const { name } = call;
  if (Object.hasOwn(commands, name)) return commands[name]?.(call) ?? 0;
  const hint = unavailable(name);
  if (hint !== undefined) return shellFailed(call, `${name}: ${hint}`, 127);
  if (!name.includes("/")) return shellFailed(call, `${name}: not found`, 127);
  const path = resolved(call.scope.cwd, name);
  const { disk } = call.session;
  const isThere = disk.isFile(path) || disk.isFolder(path);
  return shellFailed(
    call,
    `${name}: ${isThere ? "Permission denied" : "not found"}`,
    isThere ? 126 : 127,
  );
}

function assignedName([first]: Word): string | undefined {
  if (first?.kind !== "text" || first.quoted) return undefined;
  return ASSIGNMENT.exec(first.text)?.[1];
}

function assign(call: Call, words: readonly Word[], expander: Expander): void {
  const variables = new Map(call.scope.variables);
  for (const word of words) {
    const text = expandedText(word, expander);
    const name = assignedName(word) ?? "";
    variables.set(name, text.slice(name.length + 1));
  }
  call.scope = { ...call.scope, variables };
}

function expanderFor(scope: Scope, shell: Shell, streams: Streams): Expander {
  const substituted = (command: string): string => {
    const depth = shell.depth + 1;
    within("depth", depth);
    const stdout: Sink = { text: "" };
    runText(command, scope, { ...shell, depth }, { ...streams, stdin: "", stdout });
    return stdout.text;
  };
  return { session: shell.session, scope, substituted };
}

interface Opened extends Streams {
  /** What writes the files out, when the command is over. */
  readonly closing: readonly (() => void)[];
}

/** The streams after every redirection, left to right; a sentence when one cannot be opened. */
function openedFor(command: SimpleCommand, expander: Expander, streams: Streams): Opened | string {
  let opened: Opened = { ...streams, closing: [] };
  for (const redirect of command.redirects) {
    const next = withRedirect(redirect, expandedText(redirect.target, expander), opened, expander);
    if (typeof next === "string") return next;
    opened = next;
  }
  return opened;
}

function withRedirect(
  { fd, operator }: Redirect,
  target: string,
  opened: Opened,
  { session, scope }: Expander,
): Opened | string {
  const { disk } = session;
  if (operator === "<<") return { ...opened, stdin: target, stdinIsFile: true };
  if (fd > 2 || (fd === 0 && operator !== "<")) return `${fd}: Bad file descriptor`;
  if (operator === ">&") return duplicated(fd, target, opened);
  const path = resolved(scope.cwd, target);
  if (operator === "<") {
    const text = target === "" || target.endsWith("/") ? undefined : disk.read(path);
    if (disk.isFolder(path)) return { ...opened, stdin: "", stdinIsFile: true };
    if (text === undefined) return `cannot open ${target}: No such file`;
    return { ...opened, stdin: text, stdinIsFile: true };
  }
  const before = operator === ">>" ? disk.peek(path) : "";
  const refused = target === "" ? "Directory nonexistent" : disk.write(path, before);
  if (refused !== undefined) {
    const isNowhere = refused === "No such file or directory" && !disk.isFolder(parentOf(path));
    return `cannot create ${target}: ${isNowhere ? "Directory nonexistent" : refused}`;
  }
  const sink: Sink = { text: "" };
  const close = (): void => {
    if (sink.text !== "") disk.write(path, before + sink.text);
  };
  const closing = [...opened.closing, close];
  return fd === 2 ? { ...opened, stderr: sink, closing } : { ...opened, stdout: sink, closing };
}

function duplicated(fd: number, target: string, opened: Opened): Opened | string {
  const from = target === "1" ? opened.stdout : target === "2" ? opened.stderr : undefined;
  const closed = target === "-" ? { text: "" } : from;
  if (closed === undefined) return `Syntax error: Bad fd number`;
  return fd === 2 ? { ...opened, stderr: closed } : { ...opened, stdout: closed };
}
