// What PostgreSQL calls an error, as the queue understands it: what passes is waited for.
import * as Cause from "effect/Cause";
import { expect, it } from "vitest";
import { queueAddress } from "../../../../src/edges/studies/queue/queueAddress.ts";
import {
  isHopeless,
  queueRefused,
  willPass,
} from "../../../../src/edges/studies/queue/queueError.ts";

const address = queueAddress("postgres://worker:hidden@127.0.0.1/studies");
const refusal = (code: string): Cause.Cause<unknown> =>
  Cause.fail(Object.assign(new Error(`refused with ${code}`), { code }));

it.each([
  ["is still starting (57P03)", "57P03", true, "Wait until the server has started."],
  ["takes no more connections (53300)", "53300", true, "Start fewer workers"],
  ["knows no such database (3D000)", "3D000", false, "createdb"],
  ["takes no such password (28P01)", "28P01", false, "PGPASSWORD"],
  ["lets nobody in from there (28000)", "28000", false, "pg_hba.conf"],
  ["lets this role make no tables (42501)", "42501", false, "GRANT CREATE ON SCHEMA public"],
  ["has a certificate of its own", "DEPTH_ZERO_SELF_SIGNED_CERT", false, "NODE_EXTRA_CA_CERTS"],
  ["has another's certificate", "ERR_TLS_CERT_ALTNAME_INVALID", false, "NODE_EXTRA_CA_CERTS"],
  ["cannot prove its certificate", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", false, "NODE_EXTRA_CA_CERTS"],
])(
  "[ST115] a server that %s is waited for, or given up, and the words say what to do",
  (...row) => {
    const [, code, passes, todo] = row;

    expect({ passes: willPass(refusal(code)), hopeless: isHopeless(refusal(code)) }).toEqual({
      ...{ passes, hopeless: !passes },
    });
    expect(queueRefused(refusal(code), address).message).toContain(todo);
  },
);

it("[ST115] of a server without TLS it is said what to do, and nobody waits for it", () => {
  const without = Cause.fail(new Error("the server does not support TLS"));

  expect([willPass(without), isHopeless(without)]).toEqual([false, true]);
  expect(queueRefused(without, address).message).toContain("Turn TLS on at the server");
});
