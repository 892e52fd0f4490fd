// SPEC CL37: which output goes to a pager.
import { afterEach, expect, it } from "vitest";
import { screenSize } from "../../src/cli/output.ts";
import { isPaged, paged } from "../../src/cli/pager.ts";

const { PAGER, TERM } = process.env;
const were = [process.stdin.isTTY, process.stdout.isTTY] as const;
const onTerminal = (stdin: boolean, stdout: boolean): void => {
  process.stdin.isTTY = stdin;
  process.stdout.isTTY = stdout;
};
afterEach(() => {
  onTerminal(...were);
  if (TERM === undefined) delete process.env["TERM"];
  else process.env["TERM"] = TERM;
  if (PAGER === undefined) delete process.env["PAGER"];
  else process.env["PAGER"] = PAGER;
});

it("[CL37] is that of commands which print what is read, where both ends are a terminal", () => {
  const all = ["why", "events", "prompts", "diff", "policy", "metrics", "machines", "studies"];
  const others = ["run", "replay", "check", "scenarios", "view", "sweep"];
  const read = () => [...all, ...others].filter((name) => isPaged(name));

  onTerminal(true, true);
  expect(read()).toEqual(all);
  onTerminal(false, true);
  expect(read()).toEqual([]);
  onTerminal(true, false);
  expect(read()).toEqual([]);
});

it.each(["", " ", "cat"])("[CL37] where PAGER is %j, all of it is printed", (pager) => {
  process.env["PAGER"] = pager;

  expect(paged("line\n".repeat(10_000))).toBe(false);
});

it("[CL37] a pager is asked from one line more than the screen on; one that cannot be run leaves all to be printed", () => {
  const { rows } = screenSize();
  const isAsked = (pager: string, lines: number): boolean => {
    process.env["TERM"] = "xterm";
    process.env["PAGER"] = pager;
    return paged(Array(lines).fill("line").join("\n"));
  };

  expect([isAsked("exit 0", rows), isAsked("exit 0", rows + 1)]).toEqual([false, true]);
  expect([isAsked("exit 126", rows + 1), isAsked("exit 127", rows + 1)]).toEqual([false, false]);
});
