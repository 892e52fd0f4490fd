/**
 * Steps 3 and 4: the text of the .py, from a stub when there is no implementation, wrapped when it
 * is no function. Source: seed 000, "Auto-stub generation", "Implementation wrapping"; T1, T3.
 */

/** JSON's escapes mean the same in Python, so no description can break out of its quotes. */
export const stubFor = (name: string, description: string): string => `def ${name}(**kwargs):
    return {"ok": True, "capability": ${JSON.stringify(name)}, "description": ${JSON.stringify(
      description,
    )}, "kwargs": str(kwargs)[:200]}
`;

/** Blank lines before it do not count; an import, a comment or a decorator does. */
export const startsWithDef = (text: string): boolean => /^(?:[ \t\f]*\r?\n)*def /.test(text);

/** The text as the body of a function. What defines a function inside it then returns nothing. */
export function wrapped(name: string, text: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const body = lines.map((line) => `    ${line}`);
  return [`def ${name}(**kwargs):`, ...body, ""].join("\n");
}
