// Artifacts: ids, digests, refusals and tampering. SPEC: "Installing agents (seed 003)".
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Artifact,
  type ArtifactBook,
  type ArtifactPolicy,
  artifactBuilt,
  artifactInspected,
  type BuildRequest,
  fileNameFault,
} from "../../../src/machines/installs/content/artifact.ts";
import { handleOf } from "../../../src/machines/installs/content/content.ts";
import { gatePolicy } from "./gateRules.ts";

const { artifact: seed } = gatePolicy();
const real: ArtifactPolicy = { idOf: "contents" };

const filesOf = (texts: { readonly [name: string]: string }): BuildRequest["files"] =>
  Object.entries(texts).map(([name, text]) => ({
    name,
    handle: handleOf(text),
    size: text.length,
  }));

const built = (
  texts: { readonly [name: string]: string },
  {
    book = {},
    policy = seed,
    ...rest
  }: Partial<BuildRequest> & {
    book?: ArtifactBook;
    policy?: ArtifactPolicy;
  } = {},
) => artifactBuilt(book, { files: filesOf(texts), builtBy: "coder.default", ...rest }, policy);

function artifactOf(texts: { readonly [name: string]: string }): Artifact {
  const made = built(texts);
  if ("fault" in made) throw new Error(made.fault.said);
  return made.artifact;
}

const said = (answer: object) =>
  "fault" in answer ? (answer.fault as { said: string }).said : null;

describe("an artifact's id", () => {
  it("[INS53] is of names and contents, in whatever order they came, and of entrypoints", () => {
    const id = artifactOf({ "a.py": "1", "b.py": "2" }).id;

    expect(id).toMatch(/^art_[0-9a-f]{8}$/);
    expect(artifactOf({ "b.py": "2", "a.py": "1" }).id).toBe(id);
    expect(artifactOf({ "a.py": "2", "b.py": "1" }).id).not.toBe(id);
    const entered = built({ "a.py": "1", "b.py": "2" }, { entrypoints: ["a.py"] });
    expect(entered).toMatchObject({ artifact: { entrypoints: ["a.py"] } });
    expect("artifact" in entered && entered.artifact.id).not.toBe(id);
    const layered = built({ "a.py": "1", "b.py": "2" }, { layers: ["python-3.14"] });
    expect("artifact" in layered && layered.artifact.id).not.toBe(id);
    const both = (...names: readonly string[]) => {
      const made = built({ "a.py": "1", "b.py": "2" }, { entrypoints: names, layers: names });
      return "artifact" in made ? made.artifact.digest : null;
    };
    expect(both("a.py", "b.py")).not.toBeNull();
    expect(both("b.py", "a.py", "b.py")).toBe(both("a.py", "b.py"));
  });

  it("[INS53] the same files are the same artifact, whoever builds them; its digest is of the content alone", () => {
    const first = built({ "a.py": "1" });
    const again = built(
      { "a.py": "1" },
      { book: "book" in first ? first.book : {}, builtBy: "planner.default" },
    );

    expect(first).toMatchObject({ reused: false });
    expect(again).toMatchObject({ reused: true, artifact: artifactOf({ "a.py": "1" }) });
  });

  it("[INS53] where it is of contents alone, a renamed file collides and is refused, not reused", () => {
    const first = built({ "a.py": "1" }, { policy: real });
    const renamed = built(
      { "b.py": "1" },
      { policy: real, book: "book" in first ? first.book : {} },
    );

    expect(said(renamed)).toMatch(/^artifact 'art_[0-9a-f]{8}' exists with an identity mismatch/);
    expect(said(built({ "b.py": "1" }, { book: "book" in first ? first.book : {} }))).toBeNull();
  });

  it("[INS53] no two different lists of files have one id", () => {
    const texts = fc.dictionary(
      fc.constantFrom("a", "b", "a/b", "c d"),
      fc.constantFrom("1", "2"),
      {
        minKeys: 1,
        noNullPrototype: true,
      },
    );
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const isSame =
          Object.keys(one).length === Object.keys(other).length &&
          Object.entries(one).every(([name, text]) => other[name] === text);
        expect(artifactOf(one).id === artifactOf(other).id).toBe(isSame);
      }),
    );
  });
});

describe("a build is refused", () => {
  it("[INS54] without files, with an empty one, with two contents of one name, with an entrypoint that is no file", () => {
    const twice = [...filesOf({ "a.py": "1" }), ...filesOf({ "a.py": "2" })];

    expect(said(built({}))).toBe("artifact inputs must not be empty");
    expect(said(built({ "a.py": "" }))).toBe("artifact input 'a.py' resolved to empty content");
    expect(said(built({}, { files: twice }))).toContain("given twice");
    expect(said(built({ "a.py": "1" }, { entrypoints: ["nope.py"] }))).toBe(
      "entrypoint 'nope.py' not found in artifact inputs",
    );
    expect(said(built({ "a.py": "1" }, { entrypoints: ["a.py", "b.py"] }))).toBe(
      "entrypoint 'b.py' not found in artifact inputs",
    );
    expect(said(built({ "a.py": "1", "b.py": "2" }, { entrypoints: ["a.py", "b.py"] }))).toBeNull();
    expect(said(built({ "a.py": "1", "b.py": "" }))).toContain("'b.py' resolved to empty");
    expect(
      said(built({}, { files: [...filesOf({ "a.py": "1" }), ...filesOf({ "a.py": "1" })] })),
    ).toBeNull();
  });

  it.each([
    ...["/a.py", "a/../b.py", "./a.py", "a//b.py", "a/", "..", "", "  ", "a\0.py"],
    ...["__proto__", "a/__proto__/b.py", "a".repeat(501)],
  ])("[INS54] for the name %j", (name) => {
    expect(fileNameFault(name)).toMatchObject({ fault: { field: "files" } });
  });

  it.each([
    "main.py",
    "a/b.py",
    "a b.py",
    "a\\b.py",
    "..a",
    "SKILL.md.txt",
    "docs/SKILL.md",
    "a".repeat(500),
  ])("[INS54] but not for %j", (name) => {
    expect(fileNameFault(name)).toBeNull();
  });

  it.each(["SKILL.md", "runtime.lock", "skill.MD"])(
    "[INS54] for %s, which the gateway writes itself",
    (name) => {
      expect(said(built({ [name]: "x" }))).toBe(`artifact must not contain '${name}'`);
    },
  );
});

describe("an inspected artifact", () => {
  const texts: { readonly [handle: string]: string } = { [handleOf("print(1)")]: "print(1)" };
  const one = artifactOf({ "a.py": "print(1)" });
  const inspected = (artifact: Artifact, of = texts, id = one.id) =>
    artifactInspected({ [one.id]: artifact }, id, (handle) => of[handle]);

  it("[INS55] is returned as it was built", () => {
    expect(inspected(one)).toEqual({ artifact: one });
  });

  it("[INS55] is refused where anything of it was changed since", () => {
    const [file] = one.files;
    const changed: readonly Artifact[] = [
      { ...one, digest: handleOf("other") },
      { ...one, files: [] },
      { ...one, files: [{ name: "b.py", handle: file?.handle ?? "" }] },
      { ...one, entrypoints: ["a.py"] },
      { ...one, layers: ["sha256:x"] },
    ];

    for (const artifact of changed) {
      expect(said(inspected(artifact))).toContain("Possible tampering or corruption");
      expect(said(inspected(artifact))).toContain("digest mismatch");
    }
    expect(said(inspected({ ...one, id: "art_00000000" }))).toContain("id mismatch");
    expect(said(inspected(one, { [handleOf("print(1)")]: "print(2)" }))).toContain(
      "digest mismatch of 'a.py'",
    );
    expect(said(inspected(one, {}))).toContain("found nothing");
  });

  it("[INS8] raw handles and loose files are told from artifacts, with whom to ask", () => {
    for (const id of [handleOf("x"), "main.py", "art_123", "art_a1b2c3dg", "ART_a1b2c3d4"]) {
      expect(inspected(one, texts, id)).toMatchObject({
        fault: { field: "artifact_id", todo: expect.stringContaining("coder.default") },
      });
    }
    expect(said(inspected(one, texts, handleOf("x")))).toContain("a raw handle");
    expect(said(inspected(one, texts, "art_00000000"))).toBe("artifact 'art_00000000' not found");
  });
});
