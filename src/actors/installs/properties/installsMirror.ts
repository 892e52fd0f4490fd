/** What the log says of installs, recounted: who judged what, which revision needs whom, by what each agent lives. */
import { GATEWAY } from "../../../machines/installs/addresses.ts";
import type { Books } from "../../../machines/installs/gateway/books.ts";
import type { Grant } from "../../../machines/installs/warden/grant.ts";
import type { Mail } from "../../../machines/letter.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";

export interface RevisionSeen {
  readonly agent: string;
  readonly artifact: string | null;
  readonly gates: readonly string[];
  wasActive: boolean;
  isRejected: boolean;
}

export class InstallsMirror {
  readonly revisions = new Map<string, RevisionSeen>();
  /** By artifact and role: whether the last record passes, and of what digest. */
  readonly records = new Map<string, { readonly pass: boolean; readonly digest: string | null }>();
  /** By artifact: its digest. */
  readonly digests = new Map<string, string>();
  /** By agent: its active revision. */
  readonly active = new Map<string, string>();
  /** By agent: what the warden was told last. */
  readonly grants = new Map<string, readonly Grant[]>();
  /** By child: the installed agent that it belongs to. */
  readonly roots = new Map<string, string>();
  readonly #wanted = new Map<string, string>();
  readonly #lives = new Map<string, string>();

  observe({ event, fate, from }: SeenDelivery): void {
    // What the books say is so, whether or not it is news to the revision.
    if (event.type === "revision.created" && from === GATEWAY) this.#created(event);
    if (fate !== "handled") return;
    switch (event.type) {
      case "artifact.built":
        this.digests.set(event.artifact, event.digest);
        break;
      case "promotion.recorded":
        this.records.set(recordKey(event.artifact, event.role), event);
        break;
      case "revision.activated":
        this.active.set(event.agent, event.revision);
        this.#mark(event.revision, { wasActive: true });
        break;
      case "revision.rolledBack":
      case "revision.superseded":
        if (this.active.get(event.agent) === event.revision) this.active.delete(event.agent);
        break;
      case "revision.rejected":
        this.#mark(event.revision, { isRejected: true });
        break;
      case "active.changed":
        this.grants.set(event.agent, event.revision?.grants ?? []);
        this.#wanted.set(event.agent, event.revision?.id ?? "");
        break;
      case "installed.born":
        if (event.fault === null) this.#lives.set(event.agent, event.revision);
        break;
      case "installed.ended":
        this.#lives.delete(event.agent);
        break;
      case "installed.spawned":
        this.roots.set(event.child, event.agent);
    }
  }

  /** What lies there from the start, with its records. */
  opened({ artifacts, records }: Books): void {
    for (const { id, digest } of Object.values(artifacts)) this.digests.set(id, digest);
    for (const [id, { judgements }] of Object.entries(records)) {
      for (const [role, { pass, digest = null }] of Object.entries(judgements)) {
        this.records.set(recordKey(id, role), { pass, digest });
      }
    }
  }

  /** It lives by the revision that the warden was told of last. */
  isSettled(agent: string): boolean {
    return this.#lives.has(agent) && this.#lives.get(agent) === this.#wanted.get(agent);
  }

  #created({ revision, agent, artifact, gates }: Mail["revision.created"]): void {
    if (this.revisions.has(revision)) return;
    const seen = { agent, artifact, gates, wasActive: false, isRejected: false };
    this.revisions.set(revision, seen);
  }

  #mark(id: string, as: Partial<Pick<RevisionSeen, "wasActive" | "isRejected">>): void {
    const revision = this.revisions.get(id);
    if (revision !== undefined) Object.assign(revision, as);
  }
}

export const recordKey = (artifact: string, role: string): string => `${artifact} ${role}`;
