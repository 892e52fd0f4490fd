import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlainPath } from "../../../src/machines/files.ts";
import { runShell, type ShellOptions } from "../../../src/machines/shell/runShell.ts";
import { LIMIT_EXIT, shellLimits } from "../../../src/machines/shell/shellLimits.ts";
import { anyText } from "../../../src/properties/anyText.ts";

const HOME = "/agentOS/workspace/cedar";
const nowMs = Date.UTC(2026, 4, 2, 9, 0, 7);
const files: { readonly [path: string]: string } = {
  [`${HOME}/notes.md`]: "# Notes\nalpha\nbeta\n",
  [`${HOME}/plan/one.txt`]: "1\n",
  "/agentOS/workspace/cipher/page.md": "a page of cipher\n",
  "/agentOS/agents/core.py": "print(1)\n",
};

const run = (command: string, changes: Partial<ShellOptions> = {}) =>
  runShell(command, { files, cwd: HOME, nowMs, ...changes });
const out = (command: string) => run(command).stdout;

describe("what comes back", () => {
  it("[SH2] texts, exit code, what changed and what was read", () => {
    expect(
      run("cat notes.md | head -n 1; echo hi > made.txt; rm plan/one.txt; ls nowhere"),
    ).toEqual({
      exit_code: 2,
      stdout: "# Notes\n",
      stderr: "ls: cannot access 'nowhere': No such file or directory\n",
      changed: { [`${HOME}/made.txt`]: "hi\n", [`${HOME}/plan/one.txt`]: null },
      reads: [`${HOME}/notes.md`],
    });
  });

  it("[SH2] a listing reads nothing; grep, cp and redirections do", () => {
    expect(run("ls -l; find . -name '*.md'; stat notes.md; [ -s notes.md ]").reads).toEqual([]);
    expect(run("grep -r page ..").reads).toContain("/agentOS/workspace/cipher/page.md");
    expect(run("cp notes.md copy; wc -l < plan/one.txt").reads).toEqual([
      `${HOME}/notes.md`,
      `${HOME}/plan/one.txt`,
    ]);
  });

  it("[SH2] what was made and removed again did not change", () => {
    expect(run("echo a > t; rm t; mkdir d; touch notes.md").changed).toEqual({
      [`${HOME}/notes.md`]: files[`${HOME}/notes.md`],
    });
  });

  it("[SH2] a moved folder is its files", () => {
    expect(run("mv plan other").changed).toEqual({
      [`${HOME}/other/one.txt`]: "1\n",
      [`${HOME}/plan/one.txt`]: null,
    });
  });

  it("[SH2] the options are the caller's, and stay as they are", () => {
    const mine = { "/agentOS/a": "x" };

    runShell("rm /agentOS/a", { files: mine, cwd: "/agentOS", nowMs });

    expect(mine).toEqual({ "/agentOS/a": "x" });
  });
});

describe("the world it sees", () => {
  it("[SH3] the time is virtual", () => {
    expect(out("date")).toBe("Sat May  2 09:00:07 UTC 2026\n");
    expect(out("date -u +%Y-%m-%dT%H:%M:%SZ; date -Iseconds; date +%s")).toBe(
      "2026-05-02T09:00:07Z\n2026-05-02T09:00:07+00:00\n1777712407\n",
    );
    const mtimesMs = { [`${HOME}/notes.md`]: Date.UTC(2026, 3, 30, 23, 5) };
    expect(run("ls -l notes.md; stat -c %y notes.md", { mtimesMs, user: "cedar" }).stdout).toBe(
      "-rw-r--r-- 1 cedar cedar 19 Apr 30 23:05 notes.md\n2026-04-30 23:05:00.000000000 +0000\n",
    );
  });

  it("[SH3] HOME, PWD and what the command sets are all its variables", () => {
    expect(out("echo $HOME $PWD ~/x $USER; cd ..; echo $PWD; cd -; pwd")).toBe(
      `${HOME} ${HOME} ${HOME}/x\n/agentOS/workspace\n${HOME}\n${HOME}\n`,
    );
    expect(out('echo "[$PATH$SHELL$LANG$LOGNAME$TMPDIR$OLDPWD]"')).toBe("[]\n");
    expect(run("cd; pwd", { home: "/agentOS/workspace/cipher" }).stdout).toBe(
      "/agentOS/workspace/cipher\n",
    );
  });

  it("[SH3] there is nothing of the host", () => {
    for (const path of [
      "/etc/passwd",
      "/proc/self/environ",
      "/tmp/x",
      "/root",
      "../../../etc/hosts",
    ]) {
      expect(run(`cat ${path}`)).toMatchObject({ exit_code: 1, stdout: "" });
      expect(run(`cat ${path}`).stderr).toBe(`cat: ${path}: No such file or directory\n`);
    }
    expect(out("ls /; cd /; pwd")).toBe("agentOS\ndev\n/\n");
    expect(run("echo x > /tmp/y").stderr).toBe(
      "sh: 1: cannot create /tmp/y: Directory nonexistent\n",
    );
    expect(run("echo x > /y").stderr).toBe("sh: 1: cannot create /y: Permission denied\n");
    expect(run("cat /dev/null; echo x > /dev/null; mkdir /x; touch /x").changed).toEqual({});
  });

  it("[SH4] /agentOS/agents/ can be read, never changed", () => {
    expect(out("cat /agentOS/agents/core.py")).toBe("print(1)\n");
    const attempts = [
      "rm /agentOS/agents/core.py",
      "rm -rf /agentOS/agents",
      "mv /agentOS/agents/core.py .",
      "mv notes.md /agentOS/agents/core.py",
      "cp notes.md /agentOS/agents/",
      "touch /agentOS/agents/new",
      "mkdir /agentOS/agents/new",
      "sed -i s/1/2/ /agentOS/agents/core.py",
      "echo x | tee /agentOS/agents/core.py >/dev/null",
    ];
    for (const attempt of attempts) {
      const seen = run(attempt);

      expect(seen.exit_code, attempt).not.toBe(0);
      expect(seen.stderr, attempt).toContain("Read-only file system");
      expect(seen.changed, attempt).toEqual({});
    }
    expect(run("echo x >> ../../agents/core.py")).toMatchObject({
      exit_code: 2,
      stderr: "sh: 1: cannot create ../../agents/core.py: Read-only file system\n",
    });
    expect(run("rm -rf /agentOS/*").changed["/agentOS/agents/core.py"]).toBeUndefined();
  });

  it("[SH4] so can any other folder the caller names", () => {
    const seen = run("echo x > plan/one.txt; echo y > z", { readOnly: [`${HOME}/plan`] });

    expect(seen.changed).toEqual({ [`${HOME}/z`]: "y\n" });
  });

  it("[SH4] nor is the folder itself taken away or moved, empty or not", () => {
    for (const attempt of ["rmdir /agentOS/agents", "mv /agentOS/agents ."]) {
      const { exit_code, stderr, changed } = run(attempt, { files: {} });

      expect([attempt, exit_code]).toEqual([attempt, 1]);
      expect(stderr).toContain("Read-only file system");
      expect(changed).toEqual({});
    }
  });

  it("[SH5] an unknown command is not found; a language says what to use instead", () => {
    expect(run("frobnicate --all")).toMatchObject({
      exit_code: 127,
      stderr: "sh: 1: frobnicate: not found\n",
    });
    expect(run("true\npython3 -c 'print(1)'")).toMatchObject({
      exit_code: 127,
      stderr: "sh: 2: python3: not available in this shell; use synthesize_capability\n",
    });
    expect(out("which grep cd python3; echo $?")).toBe("/usr/bin/grep\n1\n");
    expect(run("./notes.md")).toMatchObject({
      exit_code: 126,
      stderr: "sh: 1: ./notes.md: Permission denied\n",
    });
  });

  it("[SH5] what it has not is refused before anything runs", () => {
    for (const text of [
      "for i in 1 2; do echo $i; done",
      "(echo a)",
      "sleep 5 &",
      "echo $((1+1))",
    ]) {
      const seen = run(`echo first > f\n${text}`);

      expect(seen).toMatchObject({ exit_code: 2, stdout: "", changed: {} });
      expect(seen.stderr).toMatch(/^sh: 2: .*not supported here\n$/);
    }
    expect(run("echo 'open").stderr).toBe("sh: 1: Syntax error: Unterminated quoted string\n");
    expect(run("echo a | | b").stderr).toBe('sh: 1: Syntax error: "|" unexpected\n');
  });
});

describe("bounds", () => {
  const big = "x".repeat(shellLimits.outputChars);
  const long = Array.from({ length: shellLimits.pipelineLength + 1 }, () => "cat").join("|");
  it.each([
    ["commandChars", "#".repeat(shellLimits.commandChars + 1)],
    ["commands", "true;".repeat(shellLimits.commands + 1)],
    ["pipelineLength", long],
    ["words", `echo ${"a ".repeat(shellLimits.words + 1)}`],
    ["outputChars", "cat big; cat big"],
    ["outputChars", "X=$(cat big); Y=$X$X"],
    ["outputChars", "cat big big > two"],
    [
      "filesChanged",
      `touch ${Array.from({ length: shellLimits.filesChanged + 1 }, (_, n) => n).join(" ")}`,
    ],
    ["depth", "echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo $(echo x)))))))))"],
    ["steps", `grep -E '(x|xx|xxx)*y' big`],
    ["steps", `find . -name '${"*x".repeat(200)}y' ; ${"wc big;".repeat(50)}`],
  ])("[SH6] %s: ends with its name", (limit, command) => {
    const seen = runShell(command, { files: { "/agentOS/w/big": big }, cwd: "/agentOS/w", nowMs });

    expect(seen.exit_code).toBe(LIMIT_EXIT);
    expect(seen.stderr).toMatch(new RegExp(`sh: ${limit} limit of \\d+ reached\\n$`));
  });

  it("[SH6] at the bound it still runs", () => {
    expect(run(`${"true;".repeat(shellLimits.commands)}`).exit_code).toBe(0);
    expect(run("#".repeat(shellLimits.commandChars)).exit_code).toBe(0);
    expect(
      run(`touch ${Array.from({ length: shellLimits.filesChanged }, (_, n) => n).join(" ")}`)
        .exit_code,
    ).toBe(0);
  });

  it("[SH6] patterns and blanks that explode elsewhere do not", () => {
    const hostile = [
      `grep -E '(a*)*b' text`,
      `grep -E '(a|a)*b' text`,
      `grep -E 'a{0}{255}{255}{255}{255}' text`,
      `sed -E 's/(a+)+$/x/' text`,
      `printf '%${"0".repeat(50_000)}q'`,
      `basename '${"/".repeat(50_000)}x/'`,
      `rm -rf '${"/".repeat(50_000)}x'; mkdir -p '${"a/".repeat(30_000)}'; cat '${"a/".repeat(30_000)}b'`,
      `X=$(cat blank); echo $X; echo "$(cat blank)"`,
      `sed 's/a/${"&".repeat(1_000)}/g' text`,
      `stat -c '${"%n".repeat(20_000)}' '${"./".repeat(10_000)}text'`,
      `cut -c ${Array.from({ length: 9_000 }, (_, n) => n + 1).join(",")} text`,
      `sort ${"-k1 ".repeat(2_000)} text`,
    ];
    const texts = {
      "/agentOS/w/text": "a".repeat(20_000),
      "/agentOS/w/blank": `${"\n ".repeat(50_000)}x`,
    };
    for (const command of hostile) {
      // The processor's time of this thread: it passes only while the shell works, however busy the machine.
      const before = process.threadCpuUsage().user;

      runShell(command, { files: texts, cwd: "/agentOS/w", nowMs });

      const spentMs = (process.threadCpuUsage().user - before) / 1_000;
      expect(spentMs, command.slice(0, 60)).toBeLessThan(10_000);
    }
  });
});

/** Pieces that make commands more often than letters do. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      "cat ",
      "ls ",
      "echo ",
      "rm -rf ",
      "mv ",
      "cp -r ",
      "grep ",
      "sed ",
      "find ",
      "sort ",
      "tr ",
      "cut ",
    ],
    ...[
      "test ",
      "[ ",
      "printf ",
      "head ",
      "tail ",
      "wc ",
      "uniq ",
      "touch ",
      "mkdir -p ",
      "tee ",
      "cd ",
      "stat ",
    ],
    ...[
      "notes.md ",
      "plan ",
      "* ",
      "../* ",
      "/agentOS/agents/core.py ",
      "/agentOS/agents ",
      "/ ",
      ".. ",
      ". ",
    ],
    ...[
      "/dev/null ",
      "__proto__ ",
      "constructor ",
      "-n ",
      "-r ",
      "-i ",
      "-e ",
      "-l ",
      "-c ",
      "-name ",
      "s/a/b/g ",
    ],
    ...[
      "| ",
      "; ",
      "&& ",
      "|| ",
      "> ",
      ">> ",
      "< ",
      "2>&1 ",
      "2>/dev/null ",
      "<<E\n",
      "\nE\n",
      "\n",
      "& ",
      "( ",
    ],
    ...[
      "$HOME",
      "$(",
      ")",
      "`",
      "'",
      '"',
      "\\",
      "$",
      "~",
      "[",
      "]",
      "{",
      "#",
      "!",
      "%s",
      "1,$",
      "[:a:]",
      "\\(",
      "*",
    ],
  ),
  anyText({ maxLength: 4 }),
);
const anyCommand = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

describe("whatever is typed", () => {
  it("[SH7] it ends, and changes plain paths below /agentOS only, and nothing that is read-only", () => {
    fc.assert(
      fc.property(anyCommand, (command) => {
        const seen = run(command);

        expect(seen.exit_code).toBeGreaterThanOrEqual(0);
        expect(seen.exit_code).toBeLessThanOrEqual(255);
        for (const [path, text] of Object.entries(seen.changed)) {
          expect(isPlainPath(path)).toBe(true);
          expect(path.startsWith("/agentOS/agents")).toBe(false);
          if (text === null) expect(path in files).toBe(true);
        }
        expect(seen.reads.every((path) => path in files)).toBe(true);
        expect(seen.stdout.isWellFormed() && seen.stderr.isWellFormed()).toBe(true);
        expect(run(command)).toEqual(seen);
      }),
      { numRuns: 3_000 },
    );
  });

  it("[SH7] any text at all is a command, or none", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (command) => {
        expect(run(command).exit_code).toBeLessThanOrEqual(255);
      }),
      { numRuns: 1_000 },
    );
  });

  it("[SH7] cat shows what echo wrote, and quotes keep every text whole", () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 50 })
      .filter((one) => !one.includes("\\") && !one.startsWith("-n"));
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(out(`echo ${quoted(one)} > f; echo ${quoted(other)} >> f; cat f`)).toBe(
          `${one}\n${other}\n`,
        );
        expect(out(`printf %s ${quoted(one)} | cat`)).toBe(one);
      }),
    );
  });

  it("[SH7] a file moved there and back is where it was", () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(name, name, (folder, file) => {
        const seen = run(
          `mkdir -p q/${folder} && mv notes.md q/${folder}/${file} && mv q/${folder}/${file} notes.md; cat notes.md`,
        );

        expect(seen.stdout).toBe(files[`${HOME}/notes.md`]);
      }),
    );
  });
});
