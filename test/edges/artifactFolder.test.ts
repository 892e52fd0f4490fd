import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { artifactFolder, BOUNDS } from "../../src/actors/installs/edge/artifactFolder.ts";
import { BadInput } from "../../src/edges/errors.ts";
import { handleOf } from "../../src/machines/installs/content/content.ts";
import { newFolder } from "../folders.ts";

/** A folder with these files. */
function folderOf(files: { readonly [name: string]: string | Uint8Array }): string {
  const root = newFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

const namesIn = (path: string): readonly string[] =>
  artifactFolder(path).files.map((one) => one.path);

describe("the folder of an artifact", () => {
  it("[INS132] is read in the order of its names, with handle and size of each file", () => {
    const path = folderOf({ "b.py": "b", "a/z.js": "zz", "a/b/c.txt": "", "a.py": "a" });

    expect(namesIn(path)).toEqual(["a.py", "b.py", "a/z.js", "a/b/c.txt"]);
    expect(artifactFolder(path).files[2]).toEqual({
      ...{ path: "a/z.js", text: "zz", size: 2, handle: handleOf("zz") },
    });
  });

  it("[INS132] never follows a link, and says where it leads", () => {
    const [outside, path] = [folderOf({ "secret.py": "1" }), folderOf({ "in/main.py": "1" })];
    symlinkSync(join(outside, "secret.py"), join(path, "file.py"));
    symlinkSync(outside, join(path, "folder"));
    symlinkSync("../../x", join(path, "in/up"));
    symlinkSync("..", join(path, "in/loop"));
    symlinkSync("main.py", join(path, "in/same.py"));
    const { files, faults, notes } = artifactFolder(path);

    expect([files.map((one) => one.path), notes]).toEqual([["in/main.py"], []]);
    expect(faults.map(({ file, found }) => ({ file, found }))).toEqual([
      { file: "file.py", found: `a link out of the folder, to ${outside}/secret.py; not followed` },
      { file: "folder", found: `a link out of the folder, to ${outside}; not followed` },
      { file: "in/loop", found: "a link to ..; not followed" },
      { file: "in/same.py", found: "a link to main.py; not followed" },
      { file: "in/up", found: "a link out of the folder, to ../../x; not followed" },
    ]);
  });

  it("[INS132] opens no pipe, and says what of it is empty", () => {
    const path = folderOf({ "main.py": "1" });
    mkdirSync(join(path, "none/deep"), { recursive: true });
    execFileSync("mkfifo", [join(path, "pipe")]);
    const { files, notes } = artifactFolder(path);

    expect(files).toHaveLength(1);
    expect(notes.map(({ file, why }) => `${file}: ${why}`)).toEqual([
      "pipe: no file: a device, a pipe or a socket; it was not opened",
      "none/deep: an empty folder",
    ]);
    expect(artifactFolder(newFolder()).notes).toEqual([{ file: ".", why: "an empty folder" }]);
  });

  it("[INS132] a name that is no UTF-8 is a fault, and shown in letters", () => {
    const path = folderOf({ "a.py": "1" });
    writeFileSync(Buffer.from(`${path}/\xff\n.py`, "latin1"), "import os");

    expect(artifactFolder(path).faults).toMatchObject([
      { file: "\\xff\\x0a.py", found: "a name that is not UTF-8" },
    ]);
    expect(namesIn(path)).toEqual(["a.py"]);
  });

  it.runIf(process.platform === "linux")(
    "[INS132] what holds other bytes than it says cannot be read whole, which is a fault",
    () => {
      // The system makes up the text as it is read: its size is 0.
      expect(artifactFolder("/proc/sys/kernel/random").faults).toContainEqual(
        expect.objectContaining({ file: "boot_id", found: "a file that changes while it is read" }),
      );
      expect(namesIn("/proc/sys/kernel/random")).not.toContain("boot_id");
    },
  );

  it("[INS132] bytes that are no text are read as what they are, with their own handle", () => {
    const bytes = new Uint8Array([0xff, 0x00, 0x41]);
    const [file] = artifactFolder(folderOf({ "a.bin": bytes })).files;

    expect(file).toMatchObject({ text: "\ufffd\0A", size: 3, handle: handleOf(bytes) });
  });

  it("[INS133] what goes beyond a bound is a fault, and one step before it is none", () => {
    const path = folderOf({ "a.py": "12345", "b.py": "1234", "c/d.py": "12" });
    const read = (bounds: { readonly [bound in keyof typeof BOUNDS]?: number }) =>
      artifactFolder(path, undefined, { ...BOUNDS, ...bounds }).faults.map(
        ({ file, found }) => `${file}: ${found}`,
      );

    const mib = 1_048_576;
    expect(BOUNDS).toEqual({
      ...{ files: 20_000, folders: 20_000, fileBytes: 16 * mib, allBytes: 128 * mib },
    });
    expect(read({ fileBytes: 5 })).toEqual([]);
    expect(read({ fileBytes: 4 })).toEqual(["a.py: more than 4 bytes"]);
    expect(read({ files: 3 })).toEqual([]);
    expect(read({ files: 2 })).toEqual([
      "c/d.py: more than 2 files; from here on nothing was looked at",
    ]);
    expect(read({ allBytes: 11 })).toEqual([]);
    expect(read({ allBytes: 10 })).toEqual([
      "c/d.py: more than 10 bytes in all; from here on nothing was looked at",
    ]);
    expect(read({ folders: 2 })).toEqual([]);
    expect(read({ folders: 1 })).toEqual([
      "c: more than 1 folders; from here on nothing was looked at",
    ]);
  });

  it("[INS132] the folder itself may be a link, but must be a folder", () => {
    const path = folderOf({ "a.py": "1" });
    const link = join(newFolder(), "link");
    symlinkSync(path, link);

    expect(namesIn(link)).toEqual(["a.py"]);
    for (const wrong of [join(path, "a.py"), join(path, "gone")]) {
      expect(() => artifactFolder(wrong)).toThrow(BadInput);
    }
  });
});
