/**
 * What the engine's own capabilities say about themselves: the text the router scores. Terse and
 * technical, as manual pages are, and that is how a plainer description can outscore them.
 *
 * Source: ours; the wording of no real system is copied.
 */
import type { Described } from "./router.ts";

/** In the order of registration, which decides between equal scores. */
export const builtinDescriptions: readonly Described[] = [
  {
    name: "fs_read",
    description:
      "POSIX read(2) on a regular file: opens path O_RDONLY, returns contents as UTF-8 and size.",
  },
  {
    name: "fs_write",
    description:
      "POSIX write(2) to a regular file at path, O_TRUNC: content as UTF-8, creates parent " +
      "directories, returns bytes_written.",
  },
  {
    name: "fs_edit",
    description:
      "In-place edit of a regular file at path: replaces the first exact match of a text by another " +
      "text, returns the number of replacements.",
  },
  {
    name: "fs_list",
    description: "POSIX readdir(3): lists directory entries at path with name, type and size.",
  },
  {
    name: "memory_set",
    description: "Sets key to a JSON value in shared memory, replacing what the key held.",
  },
  {
    name: "memory_get",
    description: "Gets the JSON value of key from shared memory, or null when the key is unset.",
  },
  {
    name: "synthesize_capability",
    description:
      "Compiles Python source text into a new registered capability: synthesizes name, description and implementation.",
  },
];
