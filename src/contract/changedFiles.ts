import type { SeenDelivery } from "../substrate/envelope.ts";

/** The virtual files that a delivery to `files` made, changed or removed. */
export const changedFiles = (delivery: SeenDelivery): string[] =>
  delivery.to !== "files"
    ? []
    : delivery.changes.flatMap((change) => {
        const [root, folder = "", name] = change.path;
        if (root !== "tree") return [];
        if (name !== undefined) return [`${folder}/${name}`];
        const names = "to" in change ? Object.keys((change.to ?? {}) as object) : [""];
        return names.map((one) => `${folder}/${one}`);
      });
