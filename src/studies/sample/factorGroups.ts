/** Factors that Morris's and Saltelli's designs move together (SALib's groups); one that is in no group is a group by itself. */
import type { Study } from "../study.ts";

/** Names in the order of their first factors; of each factor, the place of its group among them. */
export function factorGroups({ design, factors }: Pick<Study, "design" | "factors">) {
  const isGrouped = design?.kind === "morris" || design?.kind === "saltelli";
  const groups = Object.entries((isGrouped && design.groups) || {});
  const own = factors.map(
    ({ name }) => groups.find(([, members]) => members.includes(name))?.[0] ?? name,
  );
  const names = [...new Set(own)];
  return { names, groupOf: own.map((name) => names.indexOf(name)) };
}
