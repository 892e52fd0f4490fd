// A world of one agent whose tools are called by name: a table, Python in the sandbox, and what comes with the program.
export const byNameScenario = `why: An agent calls its tools by name.
source: ours
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 10m
agents: [cedar]
policy: { router.kind: name }
tools:
  - name: weather
    description: The weather of a city.
    parameters:
      type: object
      properties: { city: { type: string }, day: { type: integer } }
      required: [city]
    answers:
      - when: { city: Rome }
        returns: { sky: clear }
    otherwise: { error: no such city }
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
            - tool: weather
              params: { city: Rome }
            - tool: fs_write
              params: &page
                path: "{artifact}"
                content: |
                  # A page
                  It is long enough to count as one. It says what was found, what follows from it, and
                  what others may rely on; it says so at some length, since a page that is too short
                  does not pass the gate.
            - tool: fs_read
              params: { path: "{artifact}" }
expect:
  - { name: something was done, metric: goals.completed, op: ">=", value: 1, at: end }
`;
