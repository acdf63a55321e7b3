import { expect, test } from "vitest";
import { listLabelUploads } from "#features/labels/contract.ts";
import { takeOrders } from "#features/orders/api/contract.ts";
import { ACME } from "../support/intuit.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { NO_ID } from "./sample-endpoints.ts";

/** Small, so that a day at the limit is tens of thousands of calls instead of millions. */
const LIMIT = 3;
const DAY_MS = 24 * 3_600_000;
const STEP_MS = 30_000;
/** Addresses of the senders; one each, so that each is held by its own limit. */
const NETWORK = "192.0.2.";

type AnonymousCaller = { name: string; of: string; send: (app: TestApp, at: number) => Promise<number> };

const from = (host: number) => ({ "x-forwarded-for": `${NETWORK}${host}` });
const digits = (at: number) => String(at).padStart(43, "0");
const post = async (app: TestApp, path: string, host: number, body: string) => {
  const headers = { ...from(host), origin: app.url, "content-type": "application/json" };
  const response = await app.clock.during(
    fetch(new URL(path, app.url), { method: "POST", headers, body, redirect: "manual" }),
  );
  await response.arrayBuffer();
  return response.status;
};

const ANONYMOUS_CALLERS: readonly AnonymousCaller[] = [
  {
    name: "sign-ins",
    of: "signInsPerMinute",
    send: async (app) => (await app.browser().request("/login/", { headers: from(1) })).status,
  },
  {
    name: "calls without a session",
    of: "callsPerMinute",
    send: async (app) =>
      (await app.browser().request(`/api/v1/invitation?invitation=${NO_ID}`, { headers: from(2) })).status,
  },
  {
    name: "made-up keys",
    of: "callsPerMinute",
    send: async (app, at) =>
      (
        await app.browser().call(takeOrders, {
          json: { po_number: "1" },
          headers: { ...from(3), origin: "", authorization: `Bearer dk_${digits(at)}` },
        })
      ).status,
  },
  {
    name: "error reports",
    of: "reportsPerMinute",
    send: (app, at) => post(app, "/telemetry/errors", 4, `{"event_id":"${at}"}`),
  },
  {
    name: "forged events of vendors",
    of: "vendorCallsPerMinute",
    send: (app, at) =>
      post(app, ["/intuit/webhook", "/webhooks/ups", "/stripe/webhook"][at % 3] ?? "", 5, "{}"),
  },
];

test("UO-16 over 24 hours every anonymous sender stays within its limit, and a user alongside them is never refused", async () => {
  const limits = Object.fromEntries(ANONYMOUS_CALLERS.map(({ of }) => [of, LIMIT]));
  const app = await startApp({
    worker: false,
    env: { TRUST_PROXY: "1" },
    limits: { ...limits, callsPerMinute: LIMIT * 4 },
  });
  const owner = await app.owner(ACME);
  const max = (caller: AnonymousCaller) => (caller.of === "callsPerMinute" ? LIMIT * 4 : LIMIT);
  const admitted = new Map(ANONYMOUS_CALLERS.map((caller) => [caller, [] as number[]]));
  const refused = new Map(ANONYMOUS_CALLERS.map((caller) => [caller, 0]));
  const steps = DAY_MS / STEP_MS;
  for (let step = 0; step < steps; step += 1) {
    for (const caller of ANONYMOUS_CALLERS)
      // Floods come and go: half of the time a sender sends more than it may in a minute at once.
      for (let call = 0; call < (step % 4 < 2 ? max(caller) / 2 + 1 : 1); call += 1) {
        const status = await caller.send(app, step * LIMIT + call);
        expect(status, caller.name).toBeLessThan(500);
        if (status === 429) refused.set(caller, (refused.get(caller) ?? 0) + 1);
        else admitted.get(caller)?.push(app.clock.now().getTime());
      }
    if (step % 4 === 1) expect((await owner.call(listLabelUploads)).status).toBe(200);
    app.clock.advance(STEP_MS);
  }
  for (const caller of ANONYMOUS_CALLERS) {
    const times = admitted.get(caller) ?? [];
    expect(refused.get(caller), caller.name).toBeGreaterThan(steps / 4);
    // A minute begins with a sender's first call, so that two ends of minutes may meet within one.
    const mostInAMinute = Math.max(
      ...times.map(
        (since, first) => times.slice(first, first + 100).filter((at) => at < since + 60_000).length,
      ),
    );
    expect(mostInAMinute, caller.name).toBeLessThanOrEqual(2 * max(caller));
    expect(times.length, caller.name).toBeLessThanOrEqual(max(caller) * (DAY_MS / 60_000 + 1));
    process.stdout.write(
      `24 hours of ${caller.name}: ${times.length} admitted, ${refused.get(caller)} refused\n`,
    );
  }
}, 600_000);
