/** How much lies below a folder. */
export interface FolderSize {
  readonly folder: string;
  /** Bytes in UTF-8 of all files below it, at any depth, and how many they are. */
  readonly bytes: number;
  readonly files: number;
}
