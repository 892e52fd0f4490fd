// Three clerks who work by way of shared files: one looks a price up, one copies it, one answers a customer with it.
export const clerksScenario = `why: A finder looks a price up, a keeper copies it, and a replier answers a customer with it, each through a shared file.
source: ours
startsAt: 2026-01-05T09:00:00Z
seed: 1
runsFor: 30m
agents: [finder, keeper, replier]
policy: { router.kind: name, ghosts.nullIsFailure: false, folders.writable: [/desk] }
files: { /desk/catalogue.csv: "tea,4\\ncoffee,7\\n", /desk/found.txt: "4", /desk/price.txt: "4" }
events:
  - { id: new-catalogue, at: 10m, does: files.write, path: /desk/catalogue.csv, text: "tea;5\\ncoffee;8\\n" }
tools:
  - name: look_up
    description: look a price up and write it down
    python: |
      def look_up(catalogue, item, into):
          rows = dict(line.split(",") for line in open(catalogue).read().split() if "," in line)
          open(into, "w").write(rows.get(item, ""))
          return {"price": rows[item]} if item in rows else None
  - name: copy_price
    description: copy a price
    python: |
      def copy_price(source, into):
          open(into, "w").write(open(source).read())
          return {"copied": True}
  - name: send_reply
    description: answer the customer
    python: |
      def send_reply(price):
          text = open(price).read()
          if not text:
              raise ValueError("there is no price to quote")
          return {"sent": "It costs " + text}
model:
  goals:
    - slug: look
      agents: [finder]
      weight: 1
      text: Find the price of tea, time {n}
      artifact: /agentOS/workspace/{agent}/look-{n}.md
      plans:
        - id: look
          weight: 1
          steps:
            - { tool: look_up, params: { catalogue: /desk/catalogue.csv, item: tea, into: /desk/found.txt } }
            - tool: fs_write
              params: &page
                path: "{artifact}"
                content: |
                  # {goal}
                  It says what was found and what follows from it, at some length: a page of fewer than 200
                  characters does not pass the goal gate, nor does one in which the words of the goal are missing.
    - slug: copy
      agents: [keeper]
      weight: 1
      text: Copy the price, time {n}
      artifact: /agentOS/workspace/{agent}/copy-{n}.md
      plans:
        - id: copy
          weight: 1
          steps:
            - { tool: copy_price, params: { source: /desk/found.txt, into: /desk/price.txt } }
            - { tool: fs_write, params: *page }
    - slug: reply
      agents: [replier]
      weight: 1
      text: Answer customer {n}
      artifact: /agentOS/workspace/{agent}/reply-{n}.md
      plans:
        - id: reply
          weight: 1
          steps:
            - { tool: send_reply, params: { price: /desk/price.txt } }
            - { tool: fs_write, params: *page }
expect:
  - { name: the replier fails, metric: calls.failed, actor: replier, op: ">=", value: 1 }
variants:
  same-catalogue:
    why: The catalogue stays as it is.
    without: { events: [new-catalogue] }
    expect: [{ name: nobody fails, metric: calls.failed, op: "=", value: 0 }]
`;
