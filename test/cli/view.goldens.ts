// SPEC VW: `ghostlight view` and `ghostlight export`, as their users call them.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, started } from "./ghostlight.ts";

const talk = resolve("examples/import/talk.json");
const recording = resolve("recordings/weather-fetcher");

/** Its first line is the address. It is told to end once `look` is done. */
async function served<T>(
  args: readonly string[],
  look: (address: string) => Promise<T>,
  cwd = newFolder(),
  env: NodeJS.ProcessEnv = {},
) {
  const child = started(["view", ...args], { cwd, env });
  let [said, told] = ["", ""];
  child.stderr.on("data", (bytes: Buffer) => {
    told += bytes.toString();
  });
  const address = await new Promise<string>((done, failed) => {
    child.stdout.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("\n")) done(said.trim());
    });
    child.on("close", () => failed(new Error(told)));
  });
  const closed = new Promise<number | null>((done) => void child.on("close", done));
  const found = await look(address).finally(() => child.kill("SIGINT"));
  return { address, found, told, code: await closed };
}

const read = async (address: string): Promise<string> => (await fetch(address)).text();

describe.skipIf(process.platform === "win32")("(skipped where no signal ends a process)", () => {
  it("[VW11] [VW15] a bundle is served at the address that is printed, until Ctrl-C", async () => {
    const programs = newFolder();
    const opened = join(programs, "opened");
    for (const name of ["xdg-open", "open"]) {
      writeFileSync(join(programs, name), `#!/bin/sh\ntouch "${opened}"\n`, { mode: 0o755 });
    }
    const { address, found, code, told } = await served(
      [recording, "--at", "3m", "--actor", "planner.default"],
      read,
      newFolder(),
      { PATH: `${programs}:${process.env["PATH"]}` },
    );

    expect(address).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/0\/\?token=[\w-]+#at=0:03:00&actor=planner\.default$/,
    );
    expect(found).toContain("<title>weather-fetcher · Ghostlight</title>");
    expect(found).toContain("connect-src 'self'");
    expect(told).toContain("Ctrl-C ends it.");
    expect(code).toBe(0);
    // Its output is no terminal: nobody sits there to whom a browser could show it.
    expect(existsSync(opened)).toBe(false);
  });

  it("[VW12] a page that is served holds no rows: they come in pieces, with the token alone", async () => {
    const { found } = await served([recording], async (address) => {
      const at = (name: string) => address.replace("/0/", `/0/0-${name}`);
      const html = await read(address);
      const rows = JSON.parse(await read(at("piece-0"))) as readonly object[];
      const [words, none] = JSON.parse(await read(at("words-0_99999"))) as readonly object[][];
      const beyond = await fetch(at("piece-99999"));
      const stranger = await fetch(at("piece-0").replace(/\?.*/, ""));
      const carried = JSON.stringify(words).match(/"(event|changes|prompt|answer)":/g);
      const bare = [words?.length, none?.length, carried];
      return { html, rows: rows.length, bare, codes: [beyond.status, stranger.status] };
    });

    expect(found.html).not.toContain('id="piece-0"');
    expect(found.html).toContain(`"count":${found.rows},`);
    expect(found.bare).toEqual([found.rows, 0, null]);
    expect(found.codes).toEqual([404, 403]);
  });

  it("[VW13] a log of others is read and opened, with what was not read on top, and nothing stays", async () => {
    const cwd = newFolder();
    const folder = join(cwd, "logs");
    mkdirSync(folder);
    cpSync(talk, join(folder, "talk.json"));
    writeFileSync(join(folder, "notes.txt"), "no log at all\n");
    const { found, told } = await served([folder], read, cwd);

    expect(found).toContain("<title>talk · Ghostlight</title>");
    expect(found).toContain("1 piece could not be read: ");
    expect(told).toContain("notes.txt");
    expect(existsSync(join(cwd, "runs"))).toBe(false);
  });

  it("[VW13] [VW16] two logs of others open side by side, each path one", async () => {
    const cwd = newFolder();
    const other = join(cwd, "other.json");
    writeFileSync(other, readFileSync(talk, "utf8").replace("555-0142", "555-0143"));
    const { address, found } = await served(
      [talk, other],
      async (at) => {
        const [page, columns] = await Promise.all([
          read(at),
          fetch(at.replace("/0-1/", "/0-1/1-columns")),
        ]);
        return { page, status: columns.status };
      },
      cwd,
    );

    expect(address).toMatch(/:\d+\/0-1\/\?token=/);
    expect(found.page).toContain("<title>talk beside other · Ghostlight</title>");
    expect(found.page).toContain('"beside":{"names":["talk","other"]');
    expect(found.status).toBe(200);
  });

  it("[VW14] a folder is a list, the worst first; what cannot be opened says why", async () => {
    const cwd = newFolder();
    const into = (name: string) => join(cwd, "runs", name);
    cpSync(resolve("recordings/weather-fetcher-corrected"), into("a-good"), { recursive: true });
    await ghostlight(["import", talk, "--out", into("b-bad")], { cwd });
    cpSync(recording, into("c-broken"), { recursive: true });
    writeFileSync(join(into("c-broken"), "manifest.json"), "{}");
    const { address, found } = await served([], read, cwd);
    const rows = [...found.matchAll(/<tr><td>.*?<\/tr>/g)].map(([row]) => row);

    expect(address).toMatch(/:\d+\/\?token=/);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/<a href="1\/\?token=[\w-]+">talk<\/a>/);
    expect(rows.at(-1) ?? "").toContain("Cannot be opened");
  });
});

it("[VW15] what cannot be opened is refused: a name, a port, a moment, a file that is no log", async () => {
  const cwd = newFolder();
  writeFileSync(join(cwd, "no.txt"), "nothing here\n");
  const said = await Promise.all(
    [["nowhere"], [recording, "--port", "99999"], [recording, "--at", "noon"], ["no.txt"], []].map(
      (args) => ghostlight(["view", ...args], { cwd }),
    ),
  );

  expect(said.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
  expect(said.map(({ stderr }) => stderr.split("\n")[0])).toEqual([
    expect.stringContaining("nowhere: found nothing"),
    expect.stringMatching(/--port.*allowed: 1 … 65535/),
    expect.stringContaining("--at"),
    expect.stringContaining("no.txt"),
    expect.stringContaining("no folder runs/ here"),
  ]);
});

it("[VW16] [VW18] of two each must be one, and what is followed must have no end yet", async () => {
  const cwd = newFolder();
  for (const name of ["a", "b"]) cpSync(recording, join(cwd, "runs", name), { recursive: true });
  const [many, none] = await Promise.all([
    ghostlight(["view", recording, "runs"], { cwd }),
    ghostlight(["view", "--follow"], { cwd }),
  ]);

  expect([many.code, none.code]).toEqual([2, 2]);
  expect(many.stderr).toContain("runs: found 2 runs or logs; allowed: one of them");
  expect(none.stderr).toContain("runs: found no run that has no end yet");
});

it("[VW2] [VW8] export writes one file and says how large it is and what it leaves out", async () => {
  const cwd = newFolder();
  const { code, stdout, stderr } = await ghostlight(
    ["export", recording, "--html", "page.html", "--no-texts"],
    { cwd },
  );

  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "It was exported without prompts, answers and contents of letters.\n",
  });
  expect(stdout).toMatch(/^page\.html, \d+ kB: the run on one page; open it in a browser\.\n$/);
  expect(readFileSync(join(cwd, "page.html"), "utf8")).toContain("<!doctype html>");
});

it("[VW26] variants stand beside one run on a page, and nowhere else: what is none is refused", async () => {
  const cwd = newFolder();
  const said = await Promise.all(
    [
      [recording, "--html", "page.html", "--with", "no-such"],
      [recording, recording, "--html", "page.html", "--with", "corrected"],
      [recording, "--perfetto", "run.json", "--with", "corrected"],
    ].map((args) => ghostlight(["export", ...args], { cwd })),
  );

  expect(said.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(said.map(({ stderr }) => stderr.split("\n")[0])).toEqual([
    expect.stringContaining('variant: found "no-such"; allowed: corrected'),
    expect.stringContaining("--with: found a variant beside two runs"),
    expect.stringContaining("--with: found a variant for no page"),
  ]);
  expect(existsSync(join(cwd, "page.html"))).toBe(false);
});

let played: Promise<string> | undefined;
const compared = () => {
  const cwd = newFolder();
  const run = ["run", "weather-fetcher", "--compare", "--out", "one"];
  played ??= ghostlight(run, { cwd }).then(() => cwd);
  return played;
};

it("[VW9] a comparison leaves its table beside the run, with the digest of the run", async () => {
  const cwd = await compared();
  const of = (name: string) => JSON.parse(readFileSync(join(cwd, "one", name), "utf8"));

  expect(of("variants.json").of).toBe(of("manifest.json").final.digest);
  expect(of("variants.json").rows.map(({ cells }: { cells: string[] }) => cells[0])).toEqual([
    "(as it was)",
    "corrected",
  ]);
});

it("[VW9] variants that were played beside a run stand on its page, and on that of no other run", async () => {
  const cwd = await compared();
  cpSync(recording, join(cwd, "other"), { recursive: true });
  const table = JSON.parse(readFileSync(join(cwd, "one", "variants.json"), "utf8"));
  writeFileSync(join(cwd, "other", "variants.json"), JSON.stringify({ ...table, of: "0" }));
  const [one, other] = await Promise.all(
    ["one", "other"].map(async (name) => {
      await ghostlight(["export", name, "--html", `${name}.html`], { cwd });
      return readFileSync(join(cwd, `${name}.html`), "utf8");
    }),
  );

  expect(one).toContain('"variants":{"title":');
  expect(other).toContain('"variants":null');
});

it("[VW3] a bundle that was changed is shown by neither: it is exit 3", async () => {
  const cwd = newFolder();
  const bundle = join(cwd, "bundle");
  cpSync(recording, bundle, { recursive: true });
  const inputs = readFileSync(join(bundle, "inputs.jsonl"), "utf8");
  writeFileSync(
    join(bundle, "inputs.jsonl"),
    inputs.replace(/"latencyMs":(\d)/, '"latencyMs":1$1'),
  );
  const { code } = await ghostlight(["export", bundle, "--html", "page.html"], { cwd });
  const without = await ghostlight(["export", recording], { cwd });

  expect(code).toBe(3);
  expect(existsSync(join(cwd, "page.html"))).toBe(false);
  expect(without.stderr).toContain("allowed: --html FILE");
});
