// A world in which it is known what makes cedar list a folder: it is asked to, and thinks of it for that alone.
import { smallScenario } from "./smallScenario.ts";

const [head = "", model = ""] = smallScenario.split("model:\n");
const [repertoire = ""] = model.split("expect:\n");

const listing = `    - slug: list
      weight: 2000
      heard: list
      text: List what there is (goal {n})
      artifact: /agentOS/workspace/{n}.md
      plans:
        - id: only
          weight: 1
          steps:
            - intent: list the files in the workspace directory
              params: { path: /agentOS/workspace }
            - intent: write file
              params: *page
            - intent: read the file contents
              params: { path: "{artifact}" }
            - intent: write file
              params: *page
`;

/** In three minutes it is listed once; in six some goal fails, too. */
export const plantedScenario = (
  runsFor: "3m" | "6m",
): string => `${head.replace("10m", runsFor)}events:
  - { id: noise, at: 30s, does: files.write, path: /agentOS/workspace/noise.md, text: nothing }
  - { id: ask, at: 1m, does: host.message, agent: cedar, text: Please list what there is. }
  - { id: late, at: 2m50s, does: files.write, path: /agentOS/workspace/late.md, text: nothing }
model:
${repertoire}${listing}expect:
  - { name: it was listed, metric: ran.fs_list, op: ">=", value: 1, at: end }
  - { name: ten were done, metric: goals.completed, op: ">=", value: 1000, at: end }
variants:
  unasked:
    why: Nobody asks, and nobody makes a noise.
    without: { events: [ask, noise] }
  louder:
    why: More noise.
    events:
      - { id: more-noise, at: 2m, does: files.write, path: /agentOS/workspace/noise.md, text: more }
`;
