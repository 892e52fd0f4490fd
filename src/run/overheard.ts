/** The same policy; each of its leaves, or of these alone, says that it is read. What has none of them is the branch itself. */
export function overheard<T extends object>(
  branch: T,
  onRead: (path: string) => void,
  paths?: readonly string[],
  prefix = "",
): T {
  const copy: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(branch)) {
    const path = `${prefix}${name}`;
    const isBranch = typeof value === "object" && value !== null && !Array.isArray(value);
    if (paths !== undefined && !paths.some((one) => one === path || one.startsWith(`${path}.`))) {
      copy[name] = value;
    } else if (isBranch) copy[name] = overheard(value, onRead, paths, `${path}.`);
    else {
      const get = (): unknown => {
        onRead(path);
        return value;
      };
      Object.defineProperty(copy, name, { get, enumerable: true });
    }
  }
  return copy as T;
}
