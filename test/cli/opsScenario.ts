/** An install that a person has to allow. */
export const opsScenario = `why: A person has to say yes to an agent that may reach the network.
source: seed 003
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 30m
installs:
  wanted:
    - id: ops
      at: 1s
      goal: Post to the feed
      intent:
        agent_id: moltbook-ops
        description: Posts to the feed
        instructions: "# Ops"
        execution_mode: reasoning
        llm_config: { provider: openrouter, model: google/gemini-3-flash-preview }
        capabilities: [{ type: NetworkAccess, hosts: [localhost] }]
  person:
    - { id: "yes", decision: approve, after: 1m }
`;
