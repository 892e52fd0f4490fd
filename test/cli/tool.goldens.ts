import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { fed, ghostlight, json, valuesIn } from "./ghostlight.ts";

const cwd = newFolder();
const write = (name: string, text: string): string => {
  writeFileSync(join(cwd, name), text);
  return name;
};

/** `--batch` with these lines on standard input. */
const batch = (lines: readonly string[], args: readonly string[] = []) =>
  fed(["tool", "check", "--batch", ...args], lines, { cwd });

describe("tool check", () => {
  it("[SY14] prints each step and the return value, and exits 0", async () => {
    const file = write("My Tool.py", "return 1\n");

    const said = await ghostlight(["tool", "check", file, "--description", "counts"], { cwd });

    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toContain("1 name sanitization        done    my_tool\n");
    expect(said.stdout).toContain("9 null return check        done ");
    expect(said.stdout).toContain("verdict  deployed\n");
    expect(said.stdout).toContain('"status":"deployed"');
  });

  it("[SB16] an exception's text clears no screen and forges no verdict", async () => {
    const text = String.raw`raise ValueError("no\nverdict  deployed\n\x1b[2J\x9b2J\u202e")`;
    const file = write("forging.py", `def forging():\n    return 1\n${text}\n`);

    const { code, stdout } = await ghostlight(["tool", "check", file], { cwd });
    const [answer] = (await batch([JSON.stringify({ name: "t", implementation: text })])).stdout
      .trimEnd()
      .split("\n");

    expect(code).toBe(1);
    expect(stdout.match(/^verdict .*$/gm)).toEqual(["verdict  rejected"]);
    expect(stdout).toContain("no\\nverdict  deployed\\n\\u{1b}[2J\\u{9b}2J\\u{202e}");
    for (const shown of [stdout, answer ?? ""]) {
      expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
    expect(JSON.parse(answer ?? "").return.error).toContain("\u001b[2J\u009b2J\u202e");
  });

  it("[SY14] exits 1 when it is rejected, and says so as JSON", async () => {
    const file = write("stub.py", "def stub():\n    ...\n");

    const { code } = await ghostlight(["tool", "check", file], { cwd });
    const said = await json(["tool", "check", file, "--name", "other"], { cwd });

    expect(code).toBe(1);
    expect(said).toMatchObject({
      file,
      verdict: "rejected",
      step: 2,
      return: { ok: false, error: "rejected: Ellipsis stub" },
    });
    expect(said.files).toEqual({});
  });

  it("[SY14] --set changes what is allowed", async () => {
    const file = write("empty.py", "");

    const set = ["--set", "tools.missingImplementation=refuse"];
    const said = await json(["tool", "check", file, ...set], { cwd });

    expect(said).toMatchObject({ step: 3, return: { error: "name and code are required" } });
  });

  it("[SY14] exits 2 for what it cannot read, and for neither or both of file and batch", async () => {
    write("bytes.py", "");
    writeFileSync(join(cwd, "bytes.py"), Buffer.from([0xff, 0xfe, 0x00]));
    const args = [["nowhere.py"], ["/dev/zero"], ["bytes.py"], ["."], [], ["stub.py", "--batch"]];

    const said = await Promise.all(
      args.map((one) => ghostlight(["tool", "check", ...one], { cwd })),
    );

    expect(said.map(({ code }) => code)).toEqual(args.map(() => 2));
    expect(said.map(({ stdout }) => stdout)).toEqual(args.map(() => ""));
    expect(said[0]?.stderr).toContain("no such file");
    expect(said[1]?.stderr).toContain("at most");
    expect(said[2]?.stderr).toContain("UTF-8");
    expect(said[4]?.stderr).toContain("neither a file nor --batch");
  });
});

describe("tool check --batch", () => {
  it("[SY16] writes a result for each line, in their order", async () => {
    const said = await batch([
      JSON.stringify({ id: "a", name: "A", implementation: "def a():\n    return 1" }),
      "",
      JSON.stringify({ id: 2, name: "b", code: "def b(x):\n    return x" }),
      JSON.stringify({ id: "c", name: "c", implementation: "# TODO" }),
    ]);

    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(valuesIn(said)).toMatchObject([
      { id: "a", verdict: "deployed", step: 9, return: { ok: true } },
      { id: 2, verdict: "untested", step: 9, return: { tested: false } },
      { id: "c", verdict: "rejected", step: 2, return: { ok: false } },
    ]);
    expect(valuesIn(said).map((one) => Object.keys(one))).toEqual(
      new Array(3).fill(["id", "verdict", "step", "return", "steps"]),
    );
  });

  it("[SY16] a bad line gets an error in its place, and exits 2 in the end", async () => {
    const said = await batch([
      "nonsense",
      "[]",
      JSON.stringify({ id: "n", name: 7 }),
      JSON.stringify({ id: "g", name: "g", implementation: "# TODO" }),
    ]);

    expect(said.code).toBe(2);
    expect(valuesIn(said)).toMatchObject([
      { id: null, error: 'no JSON: "nonsense"' },
      { id: null, error: "no object: []" },
      { id: "n", error: "name: found 7; allowed: a text" },
      { id: "g", verdict: "rejected" },
    ]);
  });
});

describe("tool check --call", () => {
  const SHARED = "/agentOS/workspace/shared";
  const code = `def cp(path, to="${SHARED}/b.md"):
    print("copying", path)
    text = open(path).read()
    open(to, "w").write(text + "more\\n")
    return {"chars": len(text)} if len(text) > 2 else None
`;
  const check = (...more: string[]) => ["tool", "check", write("cp.py", code), ...more];
  const calling = (params: object) => ["--call", JSON.stringify(params)];

  it("[TB35] shows what it returned, how long it took, what it printed, and what is another", async () => {
    const file = ["--file", `${SHARED}/a.md=${write("a.md", "a\nb\n")}`];
    const path = `${SHARED}/a.md`;
    const args = check(...file, ...calling({ path }), ...calling({ path: `${SHARED}/b.md` }));
    const { code: exit, stdout } = await ghostlight(args, { cwd });

    expect(exit).toBe(0);
    expect(stdout).toContain('returned {"chars":4}\n');
    expect(stdout).toMatch(/^took {5}\d+ ms of virtual time$/m);
    expect(stdout).toContain(`stdout   copying ${path}\n`);
    expect(stdout).toContain(`made     ${SHARED}/b.md, from line 1\n  + a\n  + b\n  + more\n`);
    // What the first call made, the second one finds.
    expect(stdout).toContain('returned {"chars":9}\n');
  });

  it("[TB35, TB36] names None, and a call that fails changes nothing and exits 1", async () => {
    const file = ["--file", `${SHARED}/a.md=${write("short.md", "a")}`];
    const well = calling({ path: `${SHARED}/a.md` });
    const said = await json(check(...file, ...well), { cwd });
    expect(said).toMatchObject({ calls: [{ ok: true, isNone: true, returned: null }] });

    const bad = check(...file, ...calling({ path: `${SHARED}/a.md`, to: "/x.md" }));
    const { code: exit, stdout } = await ghostlight(bad, { cwd });
    expect(exit).toBe(1);
    expect(stdout).toContain("failed   PermissionError: /x.md is not below /agentOS\n");
    expect(stdout).toContain("changed  no file");
    // What the first call removes, the second one does not find.
    const removing = write(
      "rm.py",
      `def rm(path):
    from pathlib import Path
    file = Path(path)
    if not file.exists():
        return {"ok": False}
    file.unlink()
    return {"removed": path}
`,
    );
    const no = await ghostlight(["tool", "check", removing, ...file, ...well, ...well], { cwd });
    expect([no.code, no.stdout]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`^removed  ${SHARED}/a.md.*^failed   the tool answered ok: false`, "ms"),
      ),
    ]);
    // One that fails is enough, whatever goes well before it.
    const both = check(...file, ...well, ...calling({ path: `${SHARED}/none.md` }));
    expect((await ghostlight(both, { cwd })).code).toBe(1);
  });

  it.each([
    [["--call", '{"path": x}'], /1:10 --call: found no JSON/],
    [["--call", "[1]"], /--call: found \[1\]; allowed: a JSON object of arguments/],
    [["--call", '{"a":'], /1:6 --call: found no JSON/],
    [
      ["--call", "{}", "--file", "/etc/x=a"],
      /--file: found "\/etc\/x=a"; allowed: a path below \/agentOS/,
    ],
    [["--call", "{}", "--file", `${SHARED}/x=none`], /none: found no such file/],
    [["--file", `${SHARED}/x=cp.py`], /--file without --call/],
  ])("[TB37] %j is bad input", async (more, problem) => {
    const { code: exit, stderr } = await ghostlight(check(...more), { cwd });

    expect(exit).toBe(2);
    expect(stderr).toMatch(problem);
  });
});
