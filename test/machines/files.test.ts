import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type FilesReply,
  type FilesRequest,
  type FilesState,
  filesService,
} from "../../src/machines/files.ts";
import { type File, lastWriters } from "../../src/machines/fileTree.ts";
import { isPlainPath } from "../../src/machines/folders.ts";
import type { Letter } from "../../src/machines/letter.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";
import { changesBetween } from "../../src/substrate/changes.ts";
import { serviceBehaviour } from "../../src/substrate/serviceBehaviour.ts";
import { mailOf } from "../mail.ts";
import { Premise } from "../premise.ts";
import { served } from "./served.ts";

/** The service alone; every request is a question. */
function files(initial: { readonly [path: string]: string } = {}) {
  const one = served(filesService, { files: initial });
  return {
    ask(request: FilesRequest, from = "engine", nowMs = 0) {
      const { letters } = one.send(request, { nowMs, from, asked: true });
      const [reply] = letters.filter(({ re }) => re === one.seq);
      const answered: Partial<FilesReply> =
        reply === undefined ? {} : mailOf(reply, "files.replied");
      return {
        ...answered,
        because: reply?.because,
        notices: letters.filter(({ re }) => re === undefined),
      };
    },
    at: (path: string): File | undefined => {
      const slash = path.lastIndexOf("/");
      const folder = one.state.files.tree()[path.slice(0, slash)] ?? {};
      return Object.entries(folder).find(([name]) => name === path.slice(slash + 1))?.[1];
    },
    get state(): FilesState {
      return one.state;
    },
    get plain() {
      return one.plain;
    },
    get tree() {
      return one.state.files.tree();
    },
  };
}

const A = "/agentOS/workspace/a.md";
const B = "/agentOS/workspace/b.md";
const TOOLS = "/agentOS/tools/dynamic";

describe("requests", () => {
  it("[FS1] write makes or replaces a file, read gives its text", () => {
    const one = files();

    expect(one.ask({ type: "files.write", path: A, text: "first" }).ok).toBe(true);
    expect(one.ask({ type: "files.write", path: A, text: "second" }).ok).toBe(true);
    expect(one.ask({ type: "files.read", path: A })).toMatchObject({ ok: true, text: "second" });
  });

  it("[FS1] append adds at the end, and begins a file that is not there", () => {
    const one = files({ [A]: "x" });

    one.ask({ type: "files.append", path: A, text: "y" });
    one.ask({ type: "files.append", path: B, text: "z" });

    expect([one.at(A)?.text, one.at(B)?.text]).toEqual(["xy", "z"]);
  });

  it("[FS1] edit replaces the first match and takes both texts literally", () => {
    const one = files({ [A]: "a.b a.b" });

    one.ask({ type: "files.edit", path: A, oldText: "a.b", newText: "$&" });

    expect(one.at(A)?.text).toBe("$& a.b");
  });

  it("[FS1, FS4] move takes the file along, over what was there, and onto itself", () => {
    const one = files({ [A]: "x", [B]: "y" });

    one.ask({ type: "files.move", path: A, to: B });
    one.ask({ type: "files.watch", folder: "/agentOS/workspace" });
    const { notices } = one.ask({ type: "files.move", path: B, to: B });

    expect([one.at(A), one.at(B)?.text]).toEqual([undefined, "x"]);
    expect(notices.map(({ event }) => event)).toEqual([
      { type: "folder.changed", path: B, text: "x" },
    ]);
  });

  it("[FS1] delete removes what is there; a missing file is no error", () => {
    const one = files({ [A]: "x" });

    expect(one.ask({ type: "files.delete", paths: [A, B] }).ok).toBe(true);
    expect(one.at(A)).toBeUndefined();
  });

  it("[FS1] snapshot gives the texts below its folders, and only those", () => {
    const one = files({
      [`${TOOLS}/x.json`]: "1",
      [`${TOOLS}/deep/y`]: "2",
      "/agentOS/tools/dynamic2/z": "3",
    });

    expect(one.ask({ type: "files.snapshot", folders: [TOOLS] }).files).toEqual({
      [`${TOOLS}/deep/y`]: "2",
      [`${TOOLS}/x.json`]: "1",
    });
    expect(one.ask({ type: "files.snapshot", folders: ["/agentOS/none"] }).files).toEqual({});
    const all = one.ask({ type: "files.snapshot", folders: ["/agentOS"] }).files;
    expect(Object.keys(all ?? {}).length).toBeGreaterThan(1);
  });

  it("[SH18] a view with its times has at most 3,000,000 characters of a letter", () => {
    const frame = 3 * `"${A}"`.length + 40 + '""'.length;
    const viewOf = (text: string) =>
      files({ [A]: text }).ask({ type: "files.snapshot", folders: ["/agentOS"], times: true }).ok;
    const room = 3_000_000 - frame;

    expect([viewOf("x".repeat(room)), viewOf("x".repeat(room + 1))]).toEqual([true, false]);
    const codes = "\u0001".repeat(room / 6);
    expect([viewOf(codes), viewOf(`${codes}123456`)]).toEqual([true, false]);
  });

  it("[FS1] a request that fails says why in a sentence and changes nothing", () => {
    const one = files({ [A]: "x" });
    const before = one.state;
    const missing = `FileNotFoundError: ${B}`;

    expect(one.ask({ type: "files.read", path: B })).toMatchObject({ ok: false, error: missing });
    expect(one.ask({ type: "files.list", path: B })).toMatchObject({ ok: false, error: missing });
    expect(one.ask({ type: "files.move", path: B, to: A })).toMatchObject({
      ok: false,
      error: missing,
    });
    expect(one.ask({ type: "files.edit", path: B, oldText: "x", newText: "y" }).error).toBe(
      missing,
    );
    expect(one.ask({ type: "files.edit", path: A, oldText: "q", newText: "y" }).error).toBe(
      `ValueError: the text to replace is not in ${A}`,
    );
    expect(one.state).toBe(before);
  });

  it("[FS1] nobody is answered who did not ask", () => {
    const one = served(filesService, { files: {} });
    const append: FilesRequest = { type: "files.append", path: A, text: "x" };

    expect(one.send(append, { from: "goal/cedar/1" }).letters).toEqual([]);
  });
});

describe("paths", () => {
  it.each([
    "",
    "a.md",
    "agentOS/a.md",
    "/agentOS",
    "/agentOS/",
    "/agentOS//a.md",
    "/agentOS/a/",
    "/agentOS/./a.md",
    "/agentOS/../etc/passwd",
    "/agentOS/workspace/..",
    "/agentOS/__proto__/a",
    "/agentOS/a/__proto__",
    "/agentOSx/a.md",
    "/etc/passwd",
    `/agentOS/${"x".repeat(992)}`,
  ])("[FS2] %.60s is refused by every request", (path) => {
    const one = files({ [A]: "x" });
    const before = one.state;
    const requests: FilesRequest[] = [
      { type: "files.read", path },
      { type: "files.write", path, text: "y" },
      { type: "files.append", path, text: "y" },
      { type: "files.edit", path, oldText: "x", newText: "y" },
      { type: "files.list", path },
      { type: "files.move", path, to: A },
      { type: "files.move", path: A, to: path },
      { type: "files.delete", paths: [A, path] },
      // All there is may be looked at whole.
      ...(path === "/agentOS"
        ? []
        : [{ type: "files.snapshot" as const, folders: ["/agentOS/workspace", path] }]),
    ];

    for (const request of requests) {
      expect(one.ask(request)).toMatchObject({
        ok: false,
        error: `ValueError: not a plain absolute path: ${path}`,
      });
    }
    expect(one.state).toBe(before);
  });

  it("[FS2] all there is may be looked at whole, and nothing above it", () => {
    const one = files({ [A]: "x" });
    const looked = (type: "files.snapshot" | "files.measure", folder: string) =>
      one.ask({ type, folders: [folder] }).ok;

    for (const type of ["files.snapshot", "files.measure"] as const) {
      expect([looked(type, "/agentOS"), looked(type, "/"), looked(type, "/agentOS/")]).toEqual([
        ...[true, false, false],
      ]);
    }
  });

  it.each([
    A,
    "/agentOS/x",
    "/agentOS/a b/ü.md",
    "/agentOS/...",
    "/agentOS/a..b",
    `/agentOS/${"x".repeat(991)}`,
  ])("[FS2] %.60s is plain", (path) => {
    expect(isPlainPath(path)).toBe(true);
  });

  it.each(["constructor", "toString", "hasOwnProperty", "__defineGetter__"])(
    "[FS2] a file may be called %s like any other",
    (name) => {
      const one = files({ [A]: "x" });
      const path = `/agentOS/workspace/${name}`;

      expect(one.ask({ type: "files.read", path })).toMatchObject({ ok: false });
      one.ask({ type: "files.append", path, text: "y" });
      expect(one.ask({ type: "files.read", path })).toMatchObject({ ok: true, text: "y" });
    },
  );
});

describe("times and facts", () => {
  it("[FS3] the mtime is the virtual moment of the last change, whatever changed", () => {
    const one = files({ [A]: "x" });
    const touched = (request: FilesRequest, nowMs: number) => {
      one.ask(request, "engine", nowMs);
      return one.at(A)?.mtimeMs;
    };

    expect(one.at(A)?.mtimeMs).toBe(0);
    expect(touched({ type: "files.write", path: A, text: "x" }, 100)).toBe(100);
    expect(touched({ type: "files.append", path: A, text: "y" }, 200)).toBe(200);
    expect(touched({ type: "files.edit", path: A, oldText: "y", newText: "z" }, 300)).toBe(300);
    expect(touched({ type: "files.read", path: A }, 400)).toBe(300);
    expect(touched({ type: "files.move", path: A, to: A }, 500)).toBe(500);
  });

  it("[FS3] what is read rests on the delivery that made it", () => {
    const one = files({ [A]: "x" });

    expect(one.ask({ type: "files.read", path: A }).because).toEqual([1]);
    one.ask({ type: "files.write", path: A, text: "y" });
    const madeBy = one.at(A)?.madeBy;
    expect(one.ask({ type: "files.read", path: A }).because).toEqual([madeBy]);
    expect(madeBy).toBe(3);
  });
});

describe("watching", () => {
  const watched = () => {
    const one = files({ [A]: "x" });
    one.ask({ type: "files.watch", folder: TOOLS }, "engine");
    return one;
  };
  const notice = (path: string, text: string | null): Letter => ({
    to: "engine",
    event: { type: "folder.changed", path, text },
  });

  it("[FS4] every change below the folder is told, by whomever and at any depth", () => {
    const one = watched();
    const path = `${TOOLS}/x.json`;

    expect(one.ask({ type: "files.write", path, text: "1" }, "stage").notices).toEqual([
      notice(path, "1"),
    ]);
    expect(one.ask({ type: "files.append", path, text: "2" }).notices).toEqual([
      notice(path, "12"),
    ]);
    expect(one.ask({ type: "files.delete", paths: [path] }).notices).toEqual([notice(path, null)]);
    const deep = `${TOOLS}/deep/y.json`;
    expect(one.ask({ type: "files.write", path: deep, text: "1" }).notices).toEqual([
      notice(deep, "1"),
    ]);
  });

  it("[FS4] a move is told as a removal and an arrival, each where it happens", () => {
    const one = watched();
    const [path, to] = [`${TOOLS}/x.json`, `${TOOLS}/y.json`];
    one.ask({ type: "files.write", path, text: "1" });

    expect(one.ask({ type: "files.move", path, to }).notices).toEqual([
      notice(path, null),
      notice(to, "1"),
    ]);
    expect(one.ask({ type: "files.move", path: to, to: A }).notices).toEqual([notice(to, null)]);
  });

  it("[FS4] reads, failures, vain deletes and other folders are not told", () => {
    const one = watched();
    const quiet: FilesRequest[] = [
      { type: "files.read", path: `${TOOLS}/x.json` },
      { type: "files.delete", paths: [`${TOOLS}/x.json`] },
      { type: "files.write", path: A, text: "1" },
      { type: "files.write", path: `${TOOLS}2/x.json`, text: "1" },
      { type: "files.write", path: TOOLS, text: "1" },
    ];

    expect(quiet.flatMap((request) => one.ask(request).notices)).toEqual([]);
  });

  it("[FS4] a watcher has one folder at a time, and none after unwatch", () => {
    const one = watched();
    one.ask({ type: "files.watch", folder: "/agentOS/other" }, "engine");
    expect(one.ask({ type: "files.write", path: `${TOOLS}/x.json`, text: "1" }).notices).toEqual(
      [],
    );

    one.ask({ type: "files.watch", folder: TOOLS }, "engine#2");
    one.ask({ type: "files.unwatch" }, "engine");
    const { notices } = one.ask({ type: "files.write", path: `${TOOLS}/x.json`, text: "1" });
    expect(notices.map(({ to }) => to)).toEqual(["engine#2"]);
    expect(one.state.watches).toEqual([{ folder: TOOLS, watcher: "engine#2" }]);
  });
});

describe("listing", () => {
  it("[FS5] gives what lies directly in the folder, sorted, with type and bytes", () => {
    const one = files({
      "/agentOS/w/b.md": "ü",
      "/agentOS/w/a/deep/x": "1",
      "/agentOS/w/a/y": "2",
      "/agentOS/w/c.md": "👻x",
      "/agentOS/w/a.md": "",
    });

    expect(one.ask({ type: "files.list", path: "/agentOS/w" }).entries).toEqual([
      { name: "a.md", type: "file", size: 0 },
      { name: "a", type: "directory", size: 0 },
      { name: "b.md", type: "file", size: 2 },
      { name: "c.md", type: "file", size: 5 },
    ]);
  });

  it("[FS5, FS7] gives the bytes of what was appended, too, one by one and together", () => {
    const one = files({ [A]: "né" });
    const list = () => one.ask({ type: "files.list", path: "/agentOS/workspace" }).entries;
    const before = list();

    one.ask({ type: "files.append", path: A, text: "é" });
    one.ask({ type: "files.append", path: B, text: "é" });

    const bytes = [
      { name: "a.md", type: "file", size: 5 },
      { name: "b.md", type: "file", size: 2 },
    ];
    expect(list()).toEqual(bytes);
    expect(before).toEqual([{ name: "a.md", type: "file", size: 3 }]);
    one.ask({ type: "files.append", path: A, text: "" });
    expect(list()).toEqual(bytes);
    const measured = one.ask({ type: "files.measure", folders: ["/agentOS/workspace"] });
    expect(measured).toMatchObject({ sizes: [{ bytes: 7, files: 2 }] });
  });

  it("[FS5] a folder is there as long as a file lies below it", () => {
    const one = files({ [A]: "x" });
    expect(one.ask({ type: "files.list", path: "/agentOS/workspace" }).ok).toBe(true);

    one.ask({ type: "files.delete", paths: [A] });

    expect(one.ask({ type: "files.list", path: "/agentOS/workspace" }).ok).toBe(false);
    const other = files({ "/agentOS/w/deep/x": "1", "/agentOS/w/y": "2" });
    other.ask({ type: "files.delete", paths: ["/agentOS/w/deep/x"] });
    expect(other.ask({ type: "files.list", path: "/agentOS/w" }).entries).toEqual([
      { name: "y", type: "file", size: 1 },
    ]);
  });
});

it("[FS7] folders are measured in bytes and files, at any depth", () => {
  const one = files({
    "/agentOS/w/a.md": "ü",
    "/agentOS/w/deep/er/b.md": "👻x",
    "/agentOS/wide/c.md": "x",
  });
  const sizes = () =>
    one.ask({ type: "files.measure", folders: ["/agentOS/w", "/agentOS/none"] }).sizes;

  expect(sizes()).toEqual([
    { folder: "/agentOS/w", bytes: 7, files: 2 },
    { folder: "/agentOS/none", bytes: 0, files: 0 },
  ]);
  one.ask({ type: "files.write", path: "/agentOS/w/a.md", text: "" });
  expect(sizes()?.[0]).toEqual({ folder: "/agentOS/w", bytes: 5, files: 2 });
  expect(one.ask({ type: "files.measure", folders: ["/etc"] }).ok).toBe(false);
});

const segment = fc.constantFrom(
  "a",
  "b",
  "..",
  ".",
  "",
  "__proto__",
  "constructor",
  "x.json",
  "tools",
  "dynamic",
);
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(A, B) },
  fc.array(segment, { maxLength: 4 }).map((segments) => ["/agentOS", ...segments].join("/")),
  fc.string({ maxLength: 12 }),
);
const anyText = fc.string({ maxLength: 8 });
const request: fc.Arbitrary<FilesRequest> = fc.oneof(
  fc.record({ type: fc.constantFrom("files.read" as const, "files.list" as const), path }),
  fc.record({
    type: fc.constantFrom("files.write" as const, "files.append" as const),
    path,
    text: anyText,
  }),
  fc.record({ type: fc.constant("files.edit" as const), path, oldText: anyText, newText: anyText }),
  fc.record({ type: fc.constant("files.move" as const), path, to: path }),
  fc.record({
    type: fc.constant("files.delete" as const),
    paths: fc.array(path, { maxLength: 3 }),
  }),
  fc.record({
    type: fc.constantFrom("files.snapshot" as const, "files.measure" as const),
    folders: fc.array(path, { maxLength: 3 }),
  }),
  fc.record({ type: fc.constant("files.watch" as const), folder: path }),
  fc.constant({ type: "files.unwatch" as const }),
);

it("[KN18] what it says has grown is what comparing the texts would find", () => {
  const one = fc.record({
    type: fc.constantFrom("files.append" as const, "files.write" as const),
    path: fc.constantFrom(A, B),
    text: anyText,
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(one, request), { maxLength: 20 }), (requests) => {
      const one = served(filesService, { files: {} });
      for (const each of requests) {
        const before = one.plain;
        const { grown } = one.send(each, { from: "engine" });
        const changes = changesBetween({}, {}, grown);
        expect(changes).toEqual(changesBetween(before, one.plain));
      }
    }),
  );
});

it("[FS6] every state stays what it was, whatever comes after it, and is a beginning like any other", () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 25 }), fc.nat(25), (requests, at) => {
      const states: { readonly state: FilesState; readonly text: string }[] = [];
      const one = served(filesService, { files: { [A]: "one" } });
      for (const each of requests) {
        states.push({ state: one.state, text: textOf(one.state) });
        one.send(each, { from: "engine" });
      }
      const { state, text } = states[at % (states.length || 1)] ?? { state: one.state, text: "" };
      const list = { type: "files.list", path: "/agentOS", at: stamp } as const;
      const fresh = behaviour.restore("files", JSON.parse(textOf(state)));
      expect(filesService.on["files.list"]?.(state, list)).toEqual({
        ...filesService.on["files.list"]?.(fresh, list),
        state,
      });
      for (const { state, text } of states.reverse()) expect(textOf(state)).toBe(text);
      if (text !== "") expect(textOf(state)).toBe(text);
    }),
  );
});

const behaviour = serviceBehaviour(filesService);
/** In which order names stand of what is gone says nothing. */
const textOf = (state: FilesState): string => canonicalJson(behaviour.persist(state));

const stamp = { nowMs: 5, seq: 900, from: "engine", asked: true } as const;

it("[FS6] no request makes it throw; state and answers stay strict JSON; the files are a plain map", () => {
  const isThere = new Premise();
  fc.assert(
    fc.property(fc.array(request, { maxLength: 40, size: "max" }), (requests) => {
      const one = files();
      const model = new Map<string, string>();
      for (const [at, each] of requests.entries()) {
        const reply = one.ask(each, "engine", at);
        if (reply.ok) follow(model, each);
        canonicalJson({ state: one.plain, notices: reply.notices, error: reply.error ?? null });
        if (each.type === "files.read" && isThere.holds(reply.ok === true)) {
          expect(reply.text).toBe(model.get(each.path));
        }
      }
      const kept = Object.entries(one.tree).flatMap(([folder, names]) =>
        Object.entries(names).map(([name, { text }]) => [`${folder}/${name}`, text]),
      );
      expect(kept.sort()).toEqual([...model].sort());
    }),
  );
  isThere.expectAtLeast(0.05);
});

/** What a request that succeeded means for a map of texts by path. */
function follow(model: Map<string, string>, each: FilesRequest): void {
  switch (each.type) {
    case "files.write":
      model.set(each.path, each.text);
      break;
    case "files.append":
      model.set(each.path, (model.get(each.path) ?? "") + each.text);
      break;
    case "files.edit":
      model.set(
        each.path,
        (model.get(each.path) ?? "").replace(each.oldText, () => each.newText),
      );
      break;
    case "files.move": {
      const text = model.get(each.path) ?? "";
      model.delete(each.path);
      model.set(each.to, text);
      break;
    }
    case "files.delete":
      for (const one of each.paths) model.delete(one);
      break;
    default:
  }
}

describe("an answer rests on who wrote what it tells", () => {
  const written = () => {
    const one = files({ [A]: "stage" });
    const seqOf = (request: FilesRequest, nowMs = 0) => {
      one.ask(request, "engine", nowMs);
      return one.at(A)?.madeBy ?? one.at(B)?.madeBy ?? -1;
    };
    return { one, seqOf };
  };
  const read = (path: string): FilesRequest => ({ type: "files.read", path });

  it("[FS9] a whole write alone; an append, an edit and a move also on those whose text is left", () => {
    const { one, seqOf } = written();
    const first = seqOf({ type: "files.write", path: A, text: "one two" });
    expect(one.ask(read(A)).because).toEqual([first]);

    const second = seqOf({ type: "files.append", path: A, text: " three" });
    const third = seqOf({ type: "files.edit", path: A, oldText: "two", newText: "2" });
    expect(one.ask(read(A)).because).toEqual([first, second, third]);
    const vain = one.ask({ type: "files.edit", path: A, oldText: "four", newText: "4" });
    expect(vain).toMatchObject({ ok: false, because: [first, second, third] });
    const since = { ms: 0, seq: first, created: [] };
    const late = one.ask({ type: "files.apply", changed: { [A]: "mine", [B]: "mine" }, since });
    expect(late).toMatchObject({ ok: false, because: [first, second, third] });

    const moved = seqOf({ type: "files.move", path: A, to: B });
    expect(one.ask(read(B)).because).toEqual([first, second, third, moved]);
    expect(one.ask(read(A)).because).toEqual([moved]);

    const again = seqOf({ type: "files.write", path: B, text: "anew" });
    expect(one.ask(read(B)).because).toEqual([again]);
  });

  it("[FS9] what is gone, on who removed it; what never was, on nobody", () => {
    const { one } = written();
    one.ask({ type: "files.delete", paths: [A] });
    const { because: [remover] = [] } = one.ask(read(A));
    expect(remover).toBeGreaterThan(0);
    expect(one.ask({ type: "files.snapshot", folders: [A] }).because).toEqual([remover]);
    const folder = A.slice(0, A.lastIndexOf("/"));
    expect(one.ask({ type: "files.list", path: folder }).because).toEqual([remover]);
    expect(one.ask(read(B)).because).toEqual([]);
    one.ask({ type: "files.write", path: A, text: "again" });
    expect(one.ask(read(A)).because).not.toContain(remover);
  });

  it("[FS9] a folder of 500 files, a view of them and a file of 500 appends, on the five that wrote last", () => {
    const { one, seqOf } = written();
    const folder = "/agentOS/workspace/many";
    for (let n = 0; n < 500; n++) {
      one.ask({ type: "files.write", path: `${folder}/${n}`, text: "x" }, "engine", 500 - n);
      seqOf({ type: "files.append", path: A, text: "x" }, n);
    }
    const last = [4, 3, 2, 1, 0].map((n) => {
      return one.tree[folder]?.[String(n)]?.madeBy;
    });

    expect(one.ask({ type: "files.list", path: folder }).because).toEqual(last);
    expect(one.ask({ type: "files.snapshot", folders: [folder] }).because).toEqual(last);
    expect(one.ask(read(A)).because).toHaveLength(5);
    expect(one.ask(read(A)).because?.at(-1)).toBe(one.at(A)?.madeBy);
    // Whoever wrote several at once is named once, beside four others.
    const changed = Object.fromEntries([7, 8, 9].map((n) => [`${folder}/${n}`, "y"]));
    one.ask({ type: "files.apply", changed }, "engine", 501);
    const writer = one.tree[folder]?.["9"]?.madeBy;
    expect(one.ask({ type: "files.list", path: folder }).because).toEqual([
      ...last.slice(1),
      writer,
    ]);
  });

  it("[FS9] of several files, each with those who wrote what of it is left, the last in the order of time", () => {
    const changes = [
      { ms: 5, seq: 9, earlier: [2, 4] },
      { ms: 5, seq: 7 },
      { ms: 1, seq: 30 },
    ];

    expect(lastWriters(changes)).toEqual([30, 7, 2, 4, 9]);
    expect(lastWriters([{ ms: 6, seq: 11 }, ...changes])).toEqual([7, 2, 4, 9, 11]);
    expect(lastWriters([...changes, { ms: 9, seq: 30 }])).toEqual([7, 2, 4, 9, 30]);
  });

  it("[FS9] a snapshot tells the writer of each file, and the state that is kept knows them all", () => {
    const { one } = written();
    one.ask({ type: "files.append", path: A, text: "!" });
    one.ask({ type: "files.write", path: B, text: "b" });
    one.ask({ type: "files.delete", paths: [B] });
    const { madeBy } = one.ask({ type: "files.snapshot", folders: ["/agentOS"] });
    expect(madeBy).toEqual({ [A]: one.at(A)?.madeBy });

    const kept = filesService.kept;
    const again = kept?.plain(kept.restored(JSON.parse(JSON.stringify(kept.plain(one.state)))));
    expect(again).toEqual(kept?.plain(one.state));
    expect(again).toHaveProperty(["gone", B]);
  });
});
