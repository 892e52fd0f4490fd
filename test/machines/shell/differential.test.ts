// What this shell prints is what the machine's own shell prints, for commands both have.
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runShell } from "../../../src/machines/shell/runShell.ts";

const CWD = "/agentOS/workspace/cedar";
const files: { readonly [name: string]: string } = {
  "notes.md": "# Notes of cedar\nalpha beta\ngamma\nalpha beta\n\nlast line\n",
  "table.csv": "name,age,town\nann,30,york\nbob,4,bath\ncid,100,hull\n",
  "numbers.txt": "10\n9\n-1\n2.5\n10\nx\n",
  "no-newline.txt": "one\ntwo",
  "empty.txt": "",
  "plan/step 1.md": "open the file\n",
  "plan/deep/final.md": "write the report\nTODO none\n",
  ".hidden": "secret\n",
};

/** Plain POSIX tools, where listings and searches have an order of their own. */
const commands = [
  // words and quotes
  "echo hello   world",
  `echo 'a  b' "c  d" e\\ f`,
  `echo "it's" 'say "hi"' \\"x\\"`,
  `echo "a\\\\b \\$HOME \\x"`,
  "echo a\\\nb",
  "echo one # a comment",
  "echo a#b '#c'",
  "echo 'a\\tb' \"c\\nd\"",
  "echo -n x; echo y",
  "echo; echo ''; echo \"\"",
  "echo a'b'\"c\"d",
  // lists
  "true && echo yes || echo no",
  "false && echo yes || echo no",
  "false || true && echo c",
  "true; false",
  "! true; echo $?",
  "! false && echo ok",
  "exit 3; echo never",
  "echo a &&\necho b",
  "cd plan && echo *; cd ..; echo *.csv",
  "cd nowhere; echo $?",
  "cd plan | true; echo *.csv",
  // variables
  `X=1; echo $X \${X}2 '$X'`,
  'X="a  b"; echo $X; echo "$X"',
  "X='*.md'; echo $X \"$X\"",
  `echo [$UNSET] [\${UNSET}]`,
  "export Y=2; echo $Y",
  'X=$(cat no-newline.txt); echo "$X"',
  "echo `echo a | tr a b`",
  'echo "$(echo "$(echo deep)")"',
  "echo $(printf 'a\\n\\n\\n')x",
  "$UNSET; echo $?",
  // file names
  "echo *",
  "echo *.md plan/*.md",
  "echo *.none '*.md' \"*\"",
  "echo ?o*.md [a-n]*",
  "echo plan/*/*.md */",
  "echo .h*",
  "cat plan/step*",
  'cat "plan/step 1.md" plan/step\\ 1.md',
  // redirections
  "echo new > made.txt; cat made.txt; echo more >> made.txt; cat made.txt",
  "cat < notes.md",
  "cat notes.md nowhere 2>/dev/null; echo $?",
  "cat nowhere > out.txt 2>&1; wc -l < out.txt",
  "ls nowhere > /dev/null 2>&1 || echo missing",
  "echo text > nowhere/file; echo $?",
  "echo to-err >&2",
  "> made; wc -c made",
  "cat < nowhere; echo $?",
  "echo a > x; echo b > y; cat x y > z; cat z; cat x > x; cat x",
  "cat <<EOF\na $HOME_NOT b\n'q' \\$X\nEOF\necho after",
  "cat <<'EOF'\n$X `date`\nEOF",
  "cat <<-EOF | tr a-z A-Z\n\ttabs\n\tgo\n\tEOF",
  "cat > made.md <<EOF && cat made.md\n# title\n\nbody\nEOF",
  // pipes
  "cat notes.md | grep alpha | wc -l",
  "cat notes.md | sort | uniq -c | sort -rn | head -n 1",
  "echo a | cat - no-newline.txt",
  "echo a | tee t1 t2; cat t1 t2",
  "false | true; echo $?",
  "true | false; echo $?",
  "ls | wc -l",
  // cat, head, tail, wc
  "cat -n no-newline.txt",
  "head -n 2 notes.md; head -2 notes.md; head -n -2 notes.md; head -c 5 notes.md",
  "tail -n 2 notes.md; tail -1 no-newline.txt; tail -n +4 notes.md; tail -c 4 notes.md",
  "head -n 1 notes.md table.csv",
  "head nowhere; echo $?",
  "wc notes.md; wc -l notes.md; wc -c < notes.md; wc -w notes.md table.csv",
  "cat notes.md | wc; cat notes.md | wc -l",
  "wc notes.md nowhere 2>/dev/null; echo $?",
  // grep
  "grep alpha notes.md; grep -n alpha notes.md; grep -c alpha notes.md; grep -v alpha notes.md",
  "grep -i ALPHA notes.md; grep -l alpha notes.md table.csv; grep -L alpha notes.md table.csv",
  "grep nothing notes.md; echo $?",
  "grep alpha nowhere; echo $?",
  "grep -rn TODO plan; grep -r alpha . | sort; grep -rl report",
  "grep -E '(ann|bob),[0-9]+' table.csv; grep 'a.*a' notes.md; grep '^g' notes.md; grep 'e$' notes.md",
  "grep '[0-9]\\{3\\}' table.csv; grep 'an*' table.csv; grep -E 'an{2}' table.csv; grep '\\(ann\\|bob\\)' table.csv",
  "grep -F 'a.*a' notes.md; grep -w alpha notes.md; grep -o 'a[a-z]*' notes.md; grep -x gamma notes.md",
  "grep -e ann -e bob table.csv; grep -m 1 alpha notes.md; grep -q alpha notes.md && echo found",
  "grep '' empty.txt; echo $?; grep -c '' notes.md; grep -h alpha notes.md notes.md",
  "grep -E 'a{x' notes.md; grep -E 'x|' empty.txt; grep '*' notes.md; grep 'a\\{1,2\\}l' notes.md",
  "grep -E '^(# )?N' notes.md; grep '\\bbeta\\b' notes.md; grep '[[:upper:]]' notes.md; grep '[^a-z ]' notes.md",
  "grep -rn --include='*.md' the . | sort; grep 'a[' notes.md; echo $?",
  // sed
  "sed 's/alpha/ALPHA/' notes.md; sed 's/a/A/g' notes.md; sed 's/a/A/2' notes.md",
  "sed -n 2p notes.md; sed -n '2,3p' notes.md; sed -n '$p' no-newline.txt; sed 1d notes.md; sed '/alpha/d' notes.md",
  "sed 's|/|:|g; s/,/ /' table.csv; sed -e 's/ann/A/' -e 's/bob/B/' table.csv",
  "sed 's/\\(.*\\),\\(.*\\),/\\2-\\1-/' table.csv; sed -E 's/([a-z]+),([0-9]+)/\\2 \\1/' table.csv",
  "sed 's/[a-z]*/<&>/' table.csv; sed 's/x*/-/g' no-newline.txt; sed 's/a.*b/Z/' notes.md",
  "sed -i 's/one/1/' no-newline.txt; cat no-newline.txt",
  "sed -n '/ann/,/cid/p' table.csv; sed '2,$d' table.csv; sed 2q table.csv; sed -n '/bob/!p' table.csv",
  "sed 's/A\\/B/x/' notes.md; sed 's/ALPHA/x/I' notes.md; sed -n 's/gamma/G/p' notes.md",
  "sed s/a/b nowhere; echo $?; sed k notes.md; echo $?; sed p nowhere; echo $?",
  "echo aaa | sed 's/a*/x/g'; echo baaac | sed 's/a*/x/g'; echo abc | sed 's/$/!/; s/^/>/'",
  // sort, uniq, cut, tr
  "sort notes.md; sort -r table.csv; sort -n numbers.txt; sort -u numbers.txt; sort -rn numbers.txt",
  "sort -t , -k 2 table.csv; sort -t, -k2n table.csv; sort -t, -k2,2nr table.csv; sort -k2 notes.md; sort -nu numbers.txt",
  "sort nowhere; echo $?; sort -f notes.md",
  "uniq numbers.txt; sort notes.md | uniq -d; sort notes.md | uniq -u; sort notes.md | uniq -c",
  "cut -d, -f1 table.csv; cut -d, -f2- table.csv; cut -d, -f1,3 table.csv; cut -c1-3 notes.md; cut -c -2 notes.md",
  "cut -d' ' -f2 notes.md; cut -d' ' -s -f2 notes.md; cut notes.md; echo $?",
  "tr a-z A-Z < notes.md; tr -d aeiou < notes.md; tr -s a < notes.md; tr '\\n' ' ' < notes.md; echo x | tr abcx 12",
  "tr -cd '[:alpha:]' < table.csv; tr '[:lower:]' '[:upper:]' < table.csv; tr -cs a-z '\\n' < notes.md; tr -sc a-z '\\n' < table.csv",
  // files and folders
  "mkdir d; mkdir d; echo $?; mkdir -p d/e/f; ls d; mkdir no/way; echo $?; rmdir d; echo $?; rmdir d/e/f && ls d/e",
  "touch new.txt; ls; touch no/way; echo $?",
  "rm notes.md; ls; rm notes.md; echo $?; rm -f notes.md; echo $?; rm plan; echo $?; rm -r plan; ls",
  "mv notes.md n.md; ls; mv n.md plan; ls plan; mv plan p2; ls p2; mv nowhere x; echo $?; mv table.csv numbers.txt p2; ls p2",
  "cp notes.md n.md; cat n.md; cp notes.md plan; ls plan; cp plan x; echo $?; cp -r plan x; ls x; cp -r plan x; ls x; cp nowhere y; echo $?",
  "mv notes.md notes.md; echo $?; mv plan plan/deep; echo $?; mv plan notes.md; echo $?; cp notes.md nowhere/; echo $?",
  "ls; ls -a; ls -1 plan; ls plan notes.md; ls -R; ls -d plan; ls nowhere; echo $?; ls -A; ls -r",
  "ls plan/* ; ls -a plan; ls -p; ls -F plan; ls notes.md/; echo $?",
  "cat notes.md/x; echo $?; cat plan; echo $?",
  "find . -name '*.md' | sort; find . -type d | sort; find plan -type f | sort; find . -maxdepth 1 | sort; find nowhere; echo $?",
  "find . -iname 'N*' | sort; find . ! -name '*.md' -type f | sort; find . -path './plan/*' | sort; find plan -mindepth 1 -name '*.md' | sort; find . -empty | sort",
  "test -f notes.md && echo f; test -d plan && echo d; [ -e nowhere ] || echo n; [ -s empty.txt ]; echo $?; [ -z '' ] && echo z",
  "[ a = a ] && echo eq; [ a != b ] && echo ne; [ 2 -lt 10 ] && echo lt; [ 2 -gt x ]; echo $?; [ a; echo $?; [ ! -f x ] && echo not; [ 1 -eq 1 -a 2 -eq 2 ] && echo and",
  "[ ]; echo $?; [ x ]; echo $?; [ -n ]; echo $?; test; echo $?; [ -f plan -o -d plan ] && echo or",
  "basename a/b/c.md .md; dirname a/b/c.md; basename /; dirname x; dirname /x; basename a/",
  "printf '%s-%s\\n' a b c; printf 'x\\ty\\n'; printf '%d %5d|%-5d|%05d\\n' 1 2 3 4; printf '%%\\n'; printf '%x %o %c\\n' 255 8 abc",
  "printf '%s\\n' one two; printf 'no newline'; printf '%b' 'a\\nb'; printf '%.2s|%6s|%-6s|\\n' abc abc abc; printf '%d\\n' x; echo $?",
  "true; echo $?; false; echo $?; :; echo $?",
  "date -u +x%%y; date +; echo $?",
  "stat -c '%s %n %F' notes.md empty.txt plan",
  "which nothing-of-the-kind; echo $?; nothing-of-the-kind; echo $?; ./notes.md; echo $?; plan/nothing; echo $?",
  // syntax that is none
  "echo 'open; echo $?",
  "echo a &&",
  "| cat",
  "echo a ; ; echo b",
  'echo "$(echo a"',
  "cat <",
  "! ",
];

const hasShell = existsSync("/bin/sh") && isDash();

/** Other shells word their echo differently; this one is modelled. */
function isDash(): boolean {
  return spawnSync("/bin/sh", ["-c", "echo 'a\\tb'"], { encoding: "utf8" }).stdout === "a\tb\n";
}

interface Seen {
  readonly stdout: string;
  readonly exitCode: number;
  readonly files: { readonly [name: string]: string };
}

function realRun(command: string): Seen {
  const folder = mkdtempSync(join(tmpdir(), "ghostlight-shell-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { stdout, status } = spawnSync("/bin/sh", ["-c", command], {
      cwd: folder,
      encoding: "utf8",
      input: "",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", HOME: folder },
    });
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    const after = names.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]);
    return { stdout, exitCode: status ?? -1, files: Object.fromEntries(after) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function virtualRun(command: string): Seen {
  const below = Object.entries(files).map(([name, text]) => [`${CWD}/${name}`, text] as const);
  const seen = runShell(command, { files: Object.fromEntries(below), cwd: CWD, nowMs: 0 });
  const after = new Map<string, string>(below);
  for (const [path, text] of Object.entries(seen.changed)) {
    if (text === null) after.delete(path);
    else after.set(path, text);
  }
  const named = [...after].sort().map(([path, text]) => [path.slice(CWD.length + 1), text]);
  return { stdout: seen.stdout, exitCode: seen.exit_code, files: Object.fromEntries(named) };
}

/** Whose tools print in their own order, or word a listing in their own way. */
const gnu = hasShell && execFileSync("ls", ["--version"], { encoding: "utf8" }).includes("GNU");

test.skipIf(!hasShell || !gnu).each(commands)(
  "[SH1] as in the machine's own shell: %s",
  (command) => {
    expect(virtualRun(command)).toEqual(realRun(command));
  },
);

test("[SH1] says when the machine has no shell to compare with", () => {
  if (!hasShell || !gnu) console.warn("skipped: no dash with GNU tools to compare the shell with");
  expect(commands.length).toBeGreaterThan(100);
});
