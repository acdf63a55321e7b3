import { expect, test } from "vitest";
import * as z from "zod";
import { endpoint, type Gate } from "#contract/endpoint.ts";
import { systemClock } from "#platform/clock.ts";
import { createGate, requireGates } from "#platform/http/gate.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import { createMount } from "#platform/http/mount.ts";
import { createServeRoute } from "#platform/http/serve-route.ts";
import { createHttpServer } from "#platform/http/server.ts";
import { systemIds } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";

async function startFeature() {
  const app = await createHttpServer({
    clock: systemClock,
    log: createLog("silent"),
    ids: systemIds,
    https: false,
    proxies: 0,
  });
  requireGates(app);
  const gate = createGate(systemClock, HTTP_LIMITS);
  const mount = createMount<null>(app, {
    authorize: () => Promise.resolve(null),
    readSession: () => null,
    gate,
  });
  return { app, mount, serveRoute: createServeRoute(app, gate) };
}

const open = (gate?: Gate) =>
  endpoint({
    method: "POST",
    path: "/api/v1/open",
    summary: "Takes input of anybody",
    access: { kind: "public" },
    ...(gate && { gate }),
    body: z.object({}),
    response: z.object({}),
  });

test("UO-16 what takes input from callers who are not known, and declares no gate, stops the start", async () => {
  const { app, mount, serveRoute } = await startFeature();
  expect(() => mount(open(), () => Promise.resolve())).toThrow(
    "POST /api/v1/open takes input from callers who are not known. Declare its gate.",
  );
  expect(() => app.post("/past-the-mount", () => "")).toThrow("POST /past-the-mount takes input");
  expect(() =>
    serveRoute({ method: "POST", path: "/page" }, async (_request, reply) => reply.send("here")),
  ).toThrow("POST /page takes input");
  expect(() => mount(open({ of: "guests", maxBytes: 100_000 }), () => Promise.resolve())).toThrow(
    "POST /api/v1/open takes more than 65536 bytes. Declare how its gate reads them.",
  );
});

test("UO-16 a gate's size is the limit of what is read", async () => {
  const { app, mount } = await startFeature();
  mount(open({ of: "guests", maxBytes: 100 }), () => Promise.resolve());
  const send = async (text: string) =>
    (
      await app.inject({
        method: "POST",
        url: "/api/v1/open",
        headers: { "sec-fetch-site": "same-origin" },
        payload: { text },
      })
    ).statusCode;
  expect([await send("a"), await send("a".repeat(100))]).toEqual([200, 413]);
});

test("PF-02 a call takes the gate at most 0.2 ms of processor time", () => {
  const gate = createGate(systemClock, { ...HTTP_LIMITS, callsPerMinute: 1_000_000 });
  const before = process.threadCpuUsage();
  const calls = 20_000;
  for (let call = 0; call < calls; call += 1) {
    const ip = `2001:db8:${(call % 5_000).toString(16)}::1`;
    gate.enter({ ip }, `made-up ${call}`);
    if (call % 2 === 0) gate.admit(`session ${call % 100}`);
    gate.enter({ ip }, `session ${call % 100}`);
  }
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000 / (calls * 2)).toBeLessThan(0.2);
});
