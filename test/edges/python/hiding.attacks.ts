// What hides what a call burns and sleeps hides nothing.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import { callTool, testCache } from "./opened.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ cacheFolder: testCache, spare: false });
});
afterAll(() => sandbox.close());

/** The same loop, behind something that would hide what it burns. */
const FORGED = [
  [
    "monitoring",
    "import sys\nfor n in range(6):\n  try: sys.monitoring.free_tool_id(n)\n  except Exception: pass",
  ],
  [
    "tracing",
    "import sys\nsys.settrace(None); sys.setprofile(None); sys.monitoring.restart_events()",
  ],
  [
    "the harness's frames",
    "import sys\nframe = sys._getframe()\nwhile frame:\n  frame.f_locals.update({'events': 0, 'answer': {'events': 0, 'elapsedMs': 0}})\n  frame = frame.f_back",
  ],
  [
    "the answer's text",
    "import json\ntrue = json.dumps\njson.dumps = lambda *a, **k: true({**a[0], 'events': 0, 'elapsedMs': 0}) if isinstance(a[0], dict) else true(*a, **k)",
  ],
  ["the clock", "import time\ntime.time = time.monotonic = lambda: 0"],
  ["signals", "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)"],
] as const;

const LOOP = "def tool():\n    time.sleep(0.5)\n    for _ in range(50_000): pass\n    return 1";
const limits = { wallMs: 30_000, events: 2_000_000 };

test.each(FORGED)(
  "[SB5] what a call burnt and slept is counted out of reach of %s",
  async (_by, forge) => {
    const honest = await callTool(sandbox, `import time\n${LOOP}`, { limits });
    const forged = await callTool(sandbox, `${forge}\nimport time\n${LOOP}`, { limits });

    expect(forged.events).toBeGreaterThanOrEqual(50_000);
    expect(forged.events).toBeGreaterThanOrEqual((honest.events ?? 0) - 51);
    expect(forged.elapsedMs).toBeGreaterThanOrEqual(500);
  },
);

const all = ["all of them", FORGED.map(([, forge]) => forge).join("\n")] as const;

test.each([all, ...FORGED])(
  "[SB5] a call without end that hides behind %s is stopped",
  async (_by, forge) => {
    const endless = `${forge}\ndef tool():\n  while True:\n    try:\n      while True: pass\n    except BaseException: pass`;
    const stopped = await callTool(sandbox, endless, { limits: { ...limits, events: 200_000 } });

    expect(stopped).toMatchObject({ ok: false, timedOut: true });
  },
);
