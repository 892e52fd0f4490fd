/** What those who install ask models for: the prompt, the form of the answer, and whether it can be read. */

import type { Purpose } from "../../contract/part.ts";
import {
  type CrewView,
  crewSchemas,
  type Read,
  readAudit,
  readBuild,
  readEvaluation,
  readPlan,
  readTurn,
  renderCrew,
} from "../../machines/installs/crew/crewModel.ts";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import type { View } from "../../machines/portMail.ts";

export const isCrewView = (view: View): view is CrewView => view.purpose.startsWith("install.");

function render(view: View): string {
  if (!isCrewView(view)) throw new Error(`${view.purpose} is no purpose of installs`);
  return renderCrew(view);
}

function purposeOf(
  purpose: CrewView["purpose"],
  read: (text: string) => Read<unknown>,
  tier: keyof LivePolicy["tier"],
): Purpose {
  const faultIn = (text: string): string | null => {
    const { fault } = read(text);
    return fault === undefined ? null : `${fault.field} is not ${fault.allowed}`;
  };
  return {
    render,
    format: crewSchemas[purpose],
    tier: (_, tiers) => tiers[tier],
    fault: (text) => faultIn(text) ?? "",
    unusable: faultIn,
  };
}

export const purposes: { readonly [purpose in CrewView["purpose"]]: Purpose } = {
  "install.plan": purposeOf("install.plan", readPlan, "plan"),
  "install.build": purposeOf("install.build", readBuild, "plan"),
  "install.turn": purposeOf("install.turn", readTurn, "plan"),
  "install.evaluate": purposeOf("install.evaluate", readEvaluation, "judge"),
  "install.audit": purposeOf("install.audit", readAudit, "judge"),
};
