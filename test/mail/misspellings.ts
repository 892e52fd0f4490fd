// Ways to get a field of an event wrong, each as an edit of one source, none of which may compile.

export interface Edit {
  /** What is wrong after it. */
  readonly is: string;
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** A field that has another name in the protocol itself, so that those who use it are wrong. */
export interface Renamed extends Edit {
  readonly sender: string;
  readonly reader: string;
}

const edit = (file: string, is: string, find: string, replace: string): Edit => ({
  ...{ file: `src/${file}`, is, find, replace },
});

const AGENTS = "machines/agents";
const SYNT = "machines/synt";

export const senders: readonly Edit[] = [
  edit(
    `${AGENTS}/agent/agent.ts`,
    "a renamed field of step.reported",
    "n: goal.n, goal: goal.text,",
    "n: goal.n, gaol: goal.text,",
  ),
  edit(
    `${AGENTS}/daemon.ts`,
    "a renamed field of end.answered",
    '"end.answered", name, ok: false, reason }',
    '"end.answered", name, okay: false, reason }',
  ),
  edit(
    `${AGENTS}/agent/agentTurn.ts`,
    "a renamed field of cycle.ended",
    "    goal: worked?.text ?? null,",
    "    gaol: worked?.text ?? null,",
  ),
  edit(
    `${AGENTS}/agent/agentTurn.ts`,
    "a missing field of work.claimed",
    "    n: goal.n,\n    path: goal.artifact,",
    "    n: goal.n,",
  ),
  edit(
    `${AGENTS}/engine/execution.ts`,
    "a text for a number in call.routed",
    "runnerUpScore: runnerUp?.score ?? 0,",
    'runnerUpScore: runnerUp?.score ?? "0",',
  ),
  edit(
    "actors/skills/properties/macros.ts",
    "a missing field of call.finished",
    "result: null, nothing: false",
    "nothing: false",
  ),
  edit(
    `${AGENTS}/engine/engine.ts`,
    "a renamed field of files.watch",
    '{ type: "files.watch", folder: TOOLS_FOLDER }',
    '{ type: "files.watch", path: TOOLS_FOLDER }',
  ),
  edit(
    `${AGENTS}/suffering/stressor.ts`,
    "a renamed field of stressor.changed",
    "    sinceMs,\n    ...severityLaw(",
    "    since: sinceMs,\n    ...severityLaw(",
  ),
  edit(
    `${AGENTS}/suffering/goalLedger.ts`,
    "an extra field in place.answered",
    '{ type: "place.answered", granted }',
    '{ type: "place.answered", granted, load: 0 }',
  ),
  edit(
    `${AGENTS}/goal/goal.ts`,
    "another list in goal.ended",
    "failedSteps, reason, notes };",
    "failedSteps, reason, notes: facts };",
  ),
  edit(
    `${AGENTS}/daemon.ts`,
    "an extra field in daemon.stopped",
    'context.children.map((to): Letter => ({ to, event: { type: "daemon.stopped" } })',
    'context.children.map((to): Letter => ({ to, event: { type: "daemon.stopped", to } })',
  ),
  edit(
    "machines/files.ts",
    "a renamed field of folder.changed",
    '{ type: "folder.changed", path, text }',
    '{ type: "folder.changed", paht: path, text }',
  ),
  edit(
    `${SYNT}/stages/paidCall.ts`,
    "a missing field of money.asked",
    "            served: input.served,\n",
    "",
  ),
  edit(
    `${SYNT}/turn/userTurn.ts`,
    "a renamed field of turn.closed",
    "        replayed: context.isReplayed,",
    "        repalyed: context.isReplayed,",
  ),
  edit(
    `${SYNT}/desk/syntDesk.ts`,
    "null for a text in synth.ended",
    "        rationale: said.rationale,\n        artefact: said.artefact,\n      },",
    "        rationale: null,\n        artefact: said.artefact,\n      },",
  ),
  edit(
    `${SYNT}/ager.ts`,
    "a renamed field of night.came",
    '{ to: POOL, event: { type: "night.came", night, lookbackMs } }',
    '{ to: POOL, event: { type: "night.came", night, lookback: lookbackMs } }',
  ),
  edit(
    `${SYNT}/pool/pool.ts`,
    "a renamed field of pool.answered",
    "    uncovered: uncovered(state),",
    "    missing: uncovered(state),",
  ),
  edit(
    `${SYNT}/request/requestSteps.ts`,
    "a missing field of executor.offered",
    '{ type: "executor.offered", offer }',
    '{ type: "executor.offered" }',
  ),
  edit(
    "machines/letter.ts",
    "a renamed field of ask.cancelled",
    'event: { type: "ask.cancelled", key },',
    'event: { type: "ask.cancelled", keys: key },',
  ),
  edit(
    "substrate/kernel.ts",
    "a renamed field of actor.stopped",
    'const event = { type: "actor.stopped", address, output } as const;',
    'const event = { type: "actor.stopped", address, outputs: output } as const;',
  ),
  edit(
    "substrate/kernel.ts",
    "a renamed field of ask.bounced",
    '{ type: "ask.bounced", address }',
    '{ type: "ask.bounced", adress: address }',
  ),
  edit(
    "actors/agents/scriptedTools.ts",
    "a renamed field of sandbox.replied",
    "? { ok: true, result: outcome.result, isNone",
    "? { ok: true, resutl: outcome.result, isNone",
  ),
  edit(
    "actors/agents/scriptedModel.ts",
    "a renamed field of llm.replied",
    'event: { type: "llm.replied", text },',
    'event: { type: "llm.replied", txet: text },',
  ),
  edit(
    "faults/toolPorts.ts",
    "a missing field of executor.ended",
    '"executor.ended", ok: true, cents',
    '"executor.ended", cents',
  ),
  edit(
    "actors/synt/scriptedSynt.ts",
    "a number for a text in sign.signed",
    '{ type: "sign.signed", signature, key: open }',
    '{ type: "sign.signed", signature, key: nth }',
  ),
  edit(
    "actors/synt/stage.ts",
    "a missing field of homeostasis.asked",
    'event: { type: "homeostasis.asked", lookbackMs }',
    'event: { type: "homeostasis.asked" }',
  ),
  edit(
    "actors/agents/stage.ts",
    "a renamed field of host.message",
    '{ type: "host.message", agent: event.agent, text: event.text }',
    '{ type: "host.message", agent: event.agent, said: event.text }',
  ),
  edit(
    "actors/world/part.ts",
    "one path for many in files.delete",
    '{ type: "files.delete", paths: [event.path] }',
    '{ type: "files.delete", paths: event.path }',
  ),
  edit(
    "faults/toolPorts.ts",
    "a renamed field of shell.replied",
    "{ exitCode: 0, stdout: textOf",
    "{ exit: 0, stdout: textOf",
  ),
  edit(
    "edges/python/sandboxPort.ts",
    "a renamed field of sandbox.replied",
    '    type: "sandbox.replied",\n    ok,\n    timedOut,\n',
    '    type: "sandbox.replied",\n    ok,\n    timeout: timedOut,\n',
  ),
  // Fields that are there or not.
  edit(
    `${AGENTS}/agent/agentTurn.ts`,
    "a misspelt optional field of plan.judged",
    "    opinion: said ?? null,\n    fault:",
    "    opinion: said ?? null,\n    falt:",
  ),
  edit(
    `${AGENTS}/agent/agentTurn.ts`,
    "a misspelt optional field of a view",
    "    signal: signals.length",
    "    singal: signals.length",
  ),
  edit(
    `${AGENTS}/agent/choosing.ts`,
    "a misspelt optional field of a view",
    "    signals: signals.length",
    "    singals: signals.length",
  ),
  edit(
    `${AGENTS}/engine/finishing.ts`,
    "a misspelt optional field of call.finished",
    "    wrote,\n    unwritten,\n    kind,",
    "    wrote,\n    unwriten: unwritten,\n    kind,",
  ),
  edit(
    `${AGENTS}/engine/replies.ts`,
    "a misspelt optional field of what call.finished says",
    "    wrote: made.length",
    "    wroet: made.length",
  ),
  edit(
    `${AGENTS}/agent/agentTurn.ts`,
    "misspelt facts of a question",
    "event: givenUp, because: failed",
    "event: givenUp, becuase: failed",
  ),
  edit(
    "machines/skills/skillListing.ts",
    "misspelt facts of a letter",
    "({ to: from, event, re: seq, because })",
    "({ to: from, event, re: seq, becuase: because })",
  ),
  edit(
    `${SYNT}/desk/syntDesk.ts`,
    "a misspelt optional field of person.decided",
    "      feedback: typeof feedback",
    "      feedbak: typeof feedback",
  ),
  edit(
    `${SYNT}/desk/deskMoney.ts`,
    "a misspelt optional field of money.answered",
    "({ spent, soft, cap } satisfies",
    "({ spend: spent, soft, cap } satisfies",
  ),
  edit(
    `${SYNT}/request/requestSteps.ts`,
    "a misspelt optional field of synth.stated",
    "    redirect: redirect ?? undefined,",
    "    redirct: redirect ?? undefined,",
  ),
  edit(
    `${SYNT}/pool/pool.ts`,
    "a misspelt optional field within pool.answered",
    "        affinity,\n",
    "        afinity: affinity,\n",
  ),
  edit(
    "actors/synt/scriptedSynt.ts",
    "a misspelt optional field of executor.ended",
    "      error: ok ? undefined",
    "      eror: ok ? undefined",
  ),
  edit(
    "actors/synt/scriptedSynt.ts",
    "a misspelt optional field within person.decided",
    "target: target ?? undefined });",
    "traget: target ?? undefined });",
  ),
  edit(
    "actors/synt/edge/gateText.ts",
    "a misspelt optional field of what a person decides",
    "feedback: change, target:",
    "feedback: change, traget:",
  ),
  edit(
    "actors/agents/scriptedWorld.ts",
    "a misspelt optional field of tool.replied",
    "        changed: Object.keys",
    "        chnaged: Object.keys",
  ),
  edit(
    "edges/shell/shellPort.ts",
    "a misspelt optional field of shell.replied",
    "    changed: isKept",
    "    chnaged: isKept",
  ),
  edit(
    "edges/python/sandboxPort.ts",
    "a misspelt optional field of sandbox.replied",
    "    created: created.length",
    "    craeted: created.length",
  ),
  edit(
    "edges/python/parsePort.ts",
    "a misspelt optional field of python.parsed",
    "      hidden: isNames(hidden)",
    "      hiden: isNames(hidden)",
  ),
  edit(
    "edges/program/portTranslations.ts",
    "a misspelt optional field of llm.replied",
    "text, tokens: counted }",
    "text, tokns: counted }",
  ),
];

export const readers: readonly Edit[] = [
  edit(
    `${AGENTS}/agent/advice.ts`,
    "a misspelt field of section.answered",
    "{ title, lines, nudges = [], at }",
    "{ titel: title, lines, nudges = [], at }",
  ),
  edit(
    `${AGENTS}/engine/hooked.ts`,
    "a misspelt field of permission.answered",
    "{ granted, reason, at }",
    "{ granded: granted, reason, at }",
  ),
  edit(
    `${AGENTS}/lessons/lessonKeeper.ts`,
    "a misspelt field of goal.ended in a statechart",
    "  notes: event.notes,",
    "  notes: event.note,",
  ),
  edit(
    `${AGENTS}/agent/agentTurn.ts`,
    "a misspelt field of call.finished in a statechart",
    "    capability: event.capability,",
    "    capability: event.capabilty,",
  ),
  edit(
    `${AGENTS}/engine/engine.ts`,
    "a misspelt field of stressor.changed in a service",
    "const before = state.suffering.get(event.agent) ?? [];",
    "const before = state.suffering.get(event.agnet) ?? [];",
  ),
  edit(
    `${SYNT}/stages/paidCall.ts`,
    "an outcome of money.answered that there is not, in a statechart",
    'event.outcome === "reserved"',
    'event.outcome === "reservd"',
  ),
  edit(
    `${SYNT}/turn/turnPlanner.ts`,
    "a misspelt field of catalogue.answered in a statechart",
    "known: event.executors }",
    "known: event.executor }",
  ),
  edit(
    `${SYNT}/pool/pool.ts`,
    "a misspelt field of catalogue.asked in a service",
    "const query = normalised(event.query);",
    "const query = normalised(event.qurey);",
  ),
  edit(
    "substrate/kernel.ts",
    "a misspelt field of actor.start",
    "const { address, machine, input } = event;",
    "const { address, machin: machine, input } = event;",
  ),
  edit(
    "actors/agents/scriptedTools.ts",
    "a misspelt field of sandbox.run",
    "codeOf(tool) === event.code ?",
    "codeOf(tool) === event.cdoe ?",
  ),
  edit(
    "actors/agents/words.ts",
    "a misspelt field of artifacts.assessed",
    "event.unseen} had no",
    "event.unsene} had no",
  ),
  edit(
    "actors/synt/words.ts",
    "a misspelt field of synth.stated",
    '"synth.stated": ({ request, state, rationale }) =>',
    '"synth.stated": ({ request, state, reason: rationale }) =>',
  ),
  edit(
    "actors/agents/meter.ts",
    "a misspelt field of lessons.read and lesson.noted",
    '.count("lessons.promoted", event.agent, dueMs, event.promoted);',
    '.count("lessons.promoted", event.agent, dueMs, event.promotes);',
  ),
  edit(
    "actors/agents/questions.ts",
    "a misspelt field of stressor.changed",
    "delivery.event.sinceMs !== null",
    "delivery.event.since !== null",
  ),
  edit(
    "actors/agents/story.ts",
    "a misspelt field of lesson.noted",
    "event.lesson}`",
    "event.lessons}`",
  ),
  edit(
    "actors/synt/story.ts",
    "a misspelt field of money.ran",
    "synt.runningCents += event.cents;",
    "synt.runningCents += event.cent;",
  ),
  edit(
    "actors/agents/book/toolLives.ts",
    "a misspelt field of files.move",
    '"files.move" ? change.event.to : ""',
    '"files.move" ? change.event.target : ""',
  ),
  edit(
    "actors/synt/meter.ts",
    "a misspelt field of turn.closed",
    'this.#set("synt.turnMs", event.ms),',
    'this.#set("synt.turnMs", event.tookMs),',
  ),
  edit(
    "run/modelUse.ts",
    "a misspelt field of llm.replied",
    "answerFault(parts, purpose, event.text, view)",
    "answerFault(parts, purpose, event.texts, view)",
  ),
  edit(
    "actors/agents/properties/goals.ts",
    "a status of goal.judged that there is not",
    'event.type === "goal.judged" && event.status === "missed"',
    'event.type === "goal.judged" && event.status === "mised"',
  ),
  edit(
    "actors/synt/properties/books.ts",
    "a misspelt field of llm.replied",
    "const { tokens } = event;",
    "const { token: tokens } = event;",
  ),
  edit(
    "actors/agents/properties/tools.ts",
    "a misspelt field of synthesis.stepped",
    "event.step === 6",
    "event.stage === 6",
  ),
  edit(
    "edges/live/livePorts.ts",
    "a misspelt field of llm.asked",
    "event.maxTokens ?? live.answerTokens",
    "event.tokensMax ?? live.answerTokens",
  ),
  edit(
    "edges/program/portTranslations.ts",
    "a misspelt field of llm.asked",
    "tier: event.tier ?? null",
    "tier: event.teir ?? null",
  ),
  edit(
    "edges/python/parsePort.ts",
    "a misspelt field of python.parse",
    "readPython(sandbox, event.text, purpose",
    "readPython(sandbox, event.txet, purpose",
  ),
  edit(
    "edges/play/personPort.ts",
    "a misspelt field of tool.called",
    "event.agent} asks for",
    "event.agnet} asks for",
  ),
];

const AGENTS_MAIL = `src/${AGENTS}/mail.ts`;
const SYNT_MAIL = `src/${SYNT}/mail.ts`;
const PORT_MAIL = "src/machines/portMail.ts";

export const renamed: readonly Renamed[] = [
  {
    is: "failedSteps of goal.ended",
    file: AGENTS_MAIL,
    find: "readonly failedSteps: number;",
    replace: "readonly failed: number;",
    sender: `src/${AGENTS}/goal/goal.ts`,
    reader: `src/${AGENTS}/lessons/lessonKeeper.ts`,
  },
  {
    is: "sinceMs of stressor.changed",
    file: AGENTS_MAIL,
    find: "readonly sinceMs: number | null;",
    replace: "readonly beganMs: number | null;",
    sender: `src/${AGENTS}/suffering/stressor.ts`,
    reader: "src/actors/agents/properties/seen.ts",
  },
  {
    is: "runnerUpScore of call.routed",
    file: AGENTS_MAIL,
    find: "readonly runnerUpScore: number;",
    replace: "readonly secondScore: number;",
    sender: `src/${AGENTS}/engine/execution.ts`,
    reader: "src/actors/agents/words.ts",
  },
  {
    is: "actual of money.settled",
    file: SYNT_MAIL,
    find: "readonly actual: number | null",
    replace: "readonly cost: number | null",
    sender: `src/${SYNT}/stages/paidCall.ts`,
    reader: "src/actors/synt/properties/books.ts",
  },
  {
    is: "isReplayed of plan.made",
    file: SYNT_MAIL,
    find: "readonly isReplayed: boolean;",
    replace: "readonly replayed: boolean;",
    sender: `src/${SYNT}/turn/turnPlanner.ts`,
    reader: `src/${SYNT}/turn/userTurn.ts`,
  },
  {
    is: "exitCode of shell.replied",
    file: PORT_MAIL,
    find: "readonly exitCode: number;",
    replace: "readonly exit: number;",
    sender: "src/edges/shell/shellPort.ts",
    reader: `src/${AGENTS}/engine/replies.ts`,
  },
  {
    is: "vectors of embed.replied",
    file: PORT_MAIL,
    find: '"embed.replied": { readonly vectors:',
    replace: '"embed.replied": { readonly points:',
    sender: "src/actors/world/scriptedPorts.ts",
    reader: "src/actors/synt/properties/terms.ts",
  },
  {
    is: "machine of actor.start",
    file: "src/machines/letter.ts",
    find: '"actor.start": { readonly machine: string;',
    replace: '"actor.start": { readonly name: string;',
    sender: "src/machines/letter.ts",
    reader: "src/substrate/kernel.ts",
  },
];
