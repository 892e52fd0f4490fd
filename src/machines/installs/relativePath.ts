/** Which paths stay within an agent's folder. Source: dossier 1.7. */

/** What a script agent without one is told, here and in the real system. */
export const NO_ENTRY = "script_entry is required when execution_mode is script";

/** What is wrong with a path; null for nothing. Backslashes and spaces pass. */
export function relativePathFault(path: string): string | null {
  if (path.trim() === "") return "path must not be empty";
  // A leading slash is an empty first part.
  return path.split("/").some((part) => part === "" || part === "." || part === "..")
    ? "path must stay within the agent directory"
    : null;
}
