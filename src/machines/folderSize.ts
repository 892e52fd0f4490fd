/** How much lies below a folder. */
import { utf8Length } from "./utf8Length.ts";

export interface FolderSize {
  readonly folder: string;
  /** Bytes in UTF-8 of all files below it, at any depth, and how many they are. */
  readonly bytes: number;
  readonly files: number;
}

interface Text {
  readonly text: string;
}

export const sizeOf = (folder: string, files: readonly Text[]): FolderSize => ({
  folder,
  bytes: files.reduce((sum, file) => sum + bytesOf(file), 0),
  files: files.length,
});

/** Counted once for each written text: folders are measured often and files change seldom. */
const counted = new WeakMap<Text, number>();

function bytesOf(file: Text): number {
  const bytes = counted.get(file) ?? utf8Length(file.text);
  counted.set(file, bytes);
  return bytes;
}
