// A world that takes a blink: one agent, one file, ten minutes.
export const smallScenario = `why: Somebody writes a page every now and then.
source: none
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 10m
agents: [cedar]
model:
  goals:
    - slug: note
      weight: 1
      text: Write a page (goal {n})
      artifact: /agentOS/workspace/{n}.md
      plans:
        - id: only
          weight: 1
          steps:
            - intent: write file
              params: &page
                path: "{artifact}"
                content: |
                  # A page
                  It is long enough to count as one. It says what was found, what follows from it, and
                  what others may rely on; it says so at some length, since a page that is too short
                  does not pass the gate.
            - intent: read the file contents
              params: { path: "{artifact}" }
            - intent: write file
              params: *page
expect:
  - { name: something was done, metric: goals.completed, op: ">=", value: 1, at: end }
variants:
  silent:
    why: Nobody thinks of anything.
    without: { choices: ["goal:note"] }
    expect:
      - { name: nothing was done, metric: goals.completed, op: "=", value: 0, at: end }
`;

/** One expectation that no run meets. */
export const failingScenario = smallScenario.replace(
  'op: ">=", value: 1,',
  'op: ">", value: 1000,',
);

export const boundScenario = `${smallScenario}limits: { envelopes: 50 }\n`;
