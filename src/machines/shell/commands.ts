/** Every command of the shell by name, and the small ones themselves. */
import { strftime } from "./clock.ts";
import { test } from "./condition.ts";
import { nameOf, parentOf } from "./disk.ts";
import { cp, mkdir, mv, rm, rmdir, touch } from "./fileCommands.ts";
import { cat, cut, head, tail, tee, uniq, wc } from "./filters.ts";
import { find } from "./find.ts";
import { grep } from "./grep.ts";
import { ls, stat } from "./listing.ts";
import { echo, printf } from "./printed.ts";
import { sed } from "./sed.ts";
import {
  type Call,
  type Command,
  failed,
  pathIn,
  shellFailed,
  withoutTrailing,
} from "./session.ts";
import { sort } from "./sorting.ts";
import { tr } from "./translation.ts";

const cd: Command = (call) => {
  const { disk, home } = call.session;
  const [word = home] = call.args.filter((arg) => arg !== "--");
  const path =
    word === "-" ? (call.scope.variables.get("OLDPWD") ?? call.scope.cwd) : pathIn(call, word);
  if (!disk.isFolder(path)) return shellFailed(call, `cd: can't cd to ${word}`, 2);
  const variables = new Map(call.scope.variables);
  variables.set("OLDPWD", call.scope.cwd).set("PWD", path);
  call.scope = { ...call.scope, cwd: path, variables };
  if (word === "-") call.out(`${path}\n`);
  return 0;
};

const pwd: Command = (call) => {
  call.out(`${call.scope.cwd}\n`);
  return 0;
};

const exit: Command = (call) => {
  const [word = String(call.scope.status)] = call.args;
  if (!/^\d{1,9}$/.test(word)) return shellFailed(call, `exit: Illegal number: ${word}`, 2);
  call.ended = true;
  return Number(word) & 0xff;
};

/** Every variable is known to every command, so only assignments do anything. */
const exported: Command = (call) => {
  const variables = new Map(call.scope.variables);
  for (const word of call.args) {
    const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) return shellFailed(call, `export: ${word}: bad variable name`, 2);
    if (value !== undefined) variables.set(name, value);
  }
  call.scope = { ...call.scope, variables };
  return 0;
};

const date: Command = (call) => {
  const words = call.args.filter((word) => word !== "-u" && word !== "--utc");
  const [format = "+%a %b %e %H:%M:%S %Z %Y", ...rest] = words;
  if (rest.length > 0) return failed(call, `extra operand '${rest[0]}'`);
  const iso: { readonly [word: string]: string } = {
    "-I": "+%F",
    "--iso-8601": "+%F",
    "-Iseconds": "+%FT%T+00:00",
    "--iso-8601=seconds": "+%FT%T+00:00",
  };
  const wanted = Object.hasOwn(iso, format) ? (iso[format] ?? "") : format;
  if (!wanted.startsWith("+")) return failed(call, `invalid date '${format}'`);
  call.out(`${strftime(wanted.slice(1), call.session.nowMs)}\n`);
  return 0;
};

const basename: Command = (call) => {
  const [word, suffix = ""] = call.args;
  if (word === undefined) return failed(call, "missing operand");
  const trimmed = withoutTrailing(word, "/") || word.slice(0, 1);
  const name = trimmed === "/" ? "/" : nameOf(trimmed);
  const isCut = suffix !== "" && name !== suffix && name.endsWith(suffix);
  call.out(`${isCut ? name.slice(0, -suffix.length) : name}\n`);
  return 0;
};

const dirname: Command = (call) => {
  if (call.args.length === 0) return failed(call, "missing operand");
  for (const word of call.args) {
    const trimmed = withoutTrailing(word, "/") || word.slice(0, 1);
    call.out(`${trimmed.includes("/") ? parentOf(trimmed) : "."}\n`);
  }
  return 0;
};

const which: Command = (call) => {
  const missing = call.args.filter(
    (name) => !Object.hasOwn(commands, name) || BUILTIN.includes(name),
  );
  const present = call.args.filter((name) => !missing.includes(name));
  call.out(present.map((name) => `/usr/bin/${name}\n`).join(""));
  return missing.length > 0 || call.args.length === 0 ? 1 : 0;
};

const BUILTIN = ["cd", "exit", "export", ":"];

/** Commands an agent may hope for, and what there is instead. */
export function unavailable(name: string): string | undefined {
  const isLanguage = /^(?:.*\/)?(?:python[0-9.]*|pip[0-9.]*|node|npm|perl|ruby|bash|sh)$/.test(
    name,
  );
  return isLanguage ? "not available in this shell; use synthesize_capability" : undefined;
}

export const commands: { readonly [name: string]: Command } = {
  ":": () => 0,
  "[": test,
  ...{ basename, cat, cd, cp, cut, date, dirname, echo, exit, export: exported },
  ...{ false: () => 1, find, grep, head, ls, mkdir, mv, printf, pwd, rm, rmdir },
  ...{ sed, sort, stat, tail, tee, test, touch, tr, true: () => 0, uniq, wc, which },
  egrep: (call: Call) => grep(withArgs(call, ["-E", ...call.args])),
  fgrep: (call: Call) => grep(withArgs(call, ["-F", ...call.args])),
};

const withArgs = (call: Call, args: readonly string[]): Call => ({ ...call, args });
