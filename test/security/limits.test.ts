import { createConnection } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { followChanges } from "#features/companies/contract.ts";
import { getUser } from "#features/identity/contract.ts";
import { readColumns } from "#features/invoices/workbook/contract.ts";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { exportSsccs, listLabelUploads, readLabelSettings } from "#features/labels/contract.ts";
import { takeOrders } from "#features/orders/api/contract.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import type { Browser, Reply } from "../support/browser.ts";
import { ACME } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";
import { NO_ID } from "./sample-endpoints.ts";
import { expectProblem } from "./walk-endpoints.ts";

function expectTooMany(reply: Reply, sentence: RegExp): void {
  expect(reply.status).toBe(429);
  expect(expectProblem(reply.headers, reply.text)).toMatchObject({
    code: "too_many_requests",
    title: "Too Many Requests",
    detail: expect.stringMatching(sentence),
  });
  const seconds = Number(reply.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(reply.text).toContain(`${seconds} second`);
}

test("an address starts at most 30 sign-ins a minute, and signed-in users are not affected", async () => {
  const app = await startApp({ worker: false });
  const browser = app.browser();
  await browser.signIn("owner@acme.example");
  for (let count = 1; count < 30; count += 1)
    expect((await app.browser().request("/login/")).status).toBe(302);
  expectTooMany(
    await app.browser().request("/login/"),
    /^Too many sign-ins came from your network\. Try again in \d+ seconds\.$/,
  );
  expect((await browser.request("/api/v1/user")).status).toBe(200);
});

test("behind a proxy each address has its own sign-in limit, and a caller cannot claim another address", async () => {
  const app = await startApp({
    worker: false,
    env: { TRUST_PROXY: "1" },
    limits: { signInsPerMinute: 2 },
  });
  const start = (address: string) =>
    app
      .browser()
      .request("/login/", { headers: { "x-forwarded-for": address } })
      .then(({ status }) => status);
  expect([await start("192.0.2.1"), await start("192.0.2.1"), await start("192.0.2.1")]).toEqual([
    302, 302, 429,
  ]);
  expect(await start("192.0.2.2")).toBe(302);
  expect(await start("192.0.2.99, 192.0.2.1")).toBe(429);
});

test("a session sends at most 60 files a minute through all calls together, and another session is not slowed", async () => {
  const app = await startApp({ worker: false });
  const [browser, other] = [await app.owner(ACME), app.browser()];
  await other.signIn("owner@acme.example");
  const file = { name: "a.xlsx", bytes: new Uint8Array() };
  const send = (from: Browser, count: number) =>
    from.call([postInvoices, checkInvoices, readColumns][count % 3] ?? postInvoices, {
      query: { realm_id: ACME },
      file,
    });
  for (let count = 0; count < 60; count += 1) expect((await send(browser, count)).status).toBe(400);
  for (const count of [0, 1, 2])
    expectTooMany(
      await send(browser, count),
      /^You've sent too many files in the last minute\. Try again in \d+ seconds\.$/,
    );
  expect((await send(other, 0)).status).toBe(400);
});

test("a session makes at most 600 calls a minute, 60 of them heavy, and another session is not slowed", async () => {
  const app = await startApp({ worker: false, limits: HTTP_LIMITS });
  const [browser, other] = [await app.owner(ACME), app.browser()];
  await other.signIn("owner@acme.example");
  const before = 2;
  for (let count = 0; count < 60; count += 1) expect((await browser.call(exportSsccs)).status).toBe(200);
  expectTooMany(
    await browser.call(exportSsccs),
    /^You've asked for too many documents and lists in the last minute\. Try again in \d+ seconds\.$/,
  );
  const light = await Promise.all(
    Array.from({ length: 600 - 61 + before }, async () => (await browser.call(listLabelUploads)).status),
  );
  expect(light.filter((status) => status === 200)).toHaveLength(600 - 61);
  expectTooMany(
    await browser.call(readLabelSettings),
    /^You've sent too many requests in the last minute\. Try again in \d+ seconds\.$/,
  );
  expect((await other.call(exportSsccs)).status).toBe(200);
  expect((await browser.request("/app")).status).toBe(200);
});

test("what is open to everyone has a limit per address, which a made-up session doesn't lift", async () => {
  const app = await startApp({ worker: false, env: { TRUST_PROXY: "1" }, limits: { callsPerMinute: 2 } });
  const read = async (address: string, session: string) => {
    const headers = { "x-forwarded-for": address, cookie: `dockside_session=${session}` };
    return (await app.browser().request(`/api/v1/invitation?invitation=${NO_ID}`, { headers })).status;
  };
  const from = "192.0.2.1";
  expect([await read(from, "a"), await read(from, "b"), await read(from, "c")]).toEqual([404, 404, 429]);
  expect(await read("192.0.2.2", "d")).toBe(404);
});

test("UO-16 the description of all calls, dear to draw, is answered 60 times a minute to an address", async () => {
  const app = await startApp({
    worker: false,
    env: { TRUST_PROXY: "1" },
    limits: { callsPerMinute: HTTP_LIMITS.callsPerMinute },
  });
  const read = async (path: string, address: string) => {
    const headers = { "x-forwarded-for": address };
    return app.browser().request(path, { headers });
  };
  for (let count = 0; count < 30; count += 1) {
    expect((await read("/api/?q=order", "192.0.2.1")).status).toBe(200);
    expect((await read("/api/openapi.json", "192.0.2.1")).status).toBe(200);
  }
  for (const path of ["/api/", "/api/openapi.json"])
    expectTooMany(
      await read(path, "192.0.2.1"),
      /^You've asked for too many documents and lists in the last minute\. Try again in \d+ seconds\.$/,
    );
  expect((await read("/api/", "192.0.2.2")).status).toBe(200);
  expect((await read("/", "192.0.2.1")).status).toBe(200);
});

test("UO-16 calls with made-up keys and sessions count for their network, and slow no user who is known", async () => {
  const callsPerMinute = 50;
  const app = await startApp({ worker: false, limits: { callsPerMinute } });
  const owner = await app.owner(ACME);
  await owner.call(listLabelUploads);
  const attack = async (headers: (at: number) => Record<string, string>) => {
    const statuses = [];
    for (let at = 0; at < callsPerMinute + 10; at += 1)
      statuses.push(
        (await app.browser().call(takeOrders, { json: { po_number: "1" }, headers: headers(at) })).status,
      );
    return statuses;
  };
  const digits = (at: number) => String(at).padStart(43, "0");
  const keys = await attack((at) => ({ authorization: `Bearer dk_${digits(at)}`, origin: "" }));
  const sessions = await attack((at) => ({ cookie: `dockside_session=${digits(at)}`, origin: "" }));
  // Calls for keys read no session, so the second are calls without any.
  for (const statuses of [keys, sessions]) {
    const admitted = statuses.filter((status) => status === 401);
    expect(admitted.length).toBeLessThanOrEqual(callsPerMinute);
    expect(statuses).toEqual([...admitted, ...Array(statuses.length - admitted.length).fill(429)]);
  }
  expect((await owner.call(listLabelUploads)).status).toBe(200);
});

test("UO-16 calls without a session flood a network, and its users whose session is not known yet are admitted", async () => {
  const app = await startApp({ worker: false, limits: { callsPerMinute: 20 } });
  const early = app.browser();
  await early.signIn("owner@acme.example");
  const flood = async () => (await app.browser().call(listLabelUploads)).status;
  const statuses = await Promise.all(Array.from({ length: 30 }, flood));
  expect(statuses.filter((status) => status === 401)).toHaveLength(20);
  expect((await early.call(getUser)).status).toBe(200);
});

test("UO-16 a call that another site makes counts for its network before it is refused", async () => {
  const app = await startApp({ worker: false, limits: { callsPerMinute: 2, reportsPerMinute: 2 } });
  const headers = { origin: "https://evil.example", "content-type": "application/json" };
  const send = async (path: string) =>
    (await fetch(new URL(path, app.url), { method: "POST", headers, body: "{}" })).status;
  for (const path of ["/api/v1/contact", "/telemetry/errors"])
    expect([await send(path), await send(path), await send(path)], path).toEqual([403, 403, 429]);
});

test("UO-16 a caller with a made-up key is refused before its body has arrived", async () => {
  const app = await startApp({ worker: false });
  const { port } = new URL(app.url);
  const socket = createConnection(Number(port), "localhost");
  onTestFinished(() => void socket.destroy());
  const answer = new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));
  socket.write(
    `POST ${takeOrders.path} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer dk_${"0".repeat(43)}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n[",
  );
  expect(await app.clock.during(answer)).toMatch(/^HTTP\/1\.1 401 /);
});

test("UO-16 vendors' events have a limit for each network, forged ones too", async () => {
  const app = await startApp({ worker: false, limits: { vendorCallsPerMinute: 2 } });
  const statuses = [];
  for (const path of ["/intuit/webhook", "/webhooks/ups", "/stripe/webhook"])
    statuses.push((await fetch(new URL(path, app.url), { method: "POST", body: "{}" })).status);
  expect(statuses).toEqual([401, 401, 429]);
});

test("a session has at most 8 change streams open, and closing one allows another", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const follow = async () => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const headers = { cookie };
    const response = await fetch(new URL(followChanges.path, app.url), { headers, signal: stop.signal });
    return { response, stop };
  };
  const streams = [];
  for (let count = 0; count < 8; count += 1) streams.push(await follow());
  expect(streams.map(({ response }) => response.status)).toEqual(Array.from({ length: 8 }, () => 200));
  const { response } = await follow();
  const problem = expectProblem(response.headers, await response.text());
  expect(problem).toMatchObject({ status: 429, code: "too_many_streams" });
  expect(response.headers.get("retry-after")).toBe("5");
  streams[0]?.stop.abort();
  await app.settle();
  expect((await follow()).response.status).toBe(200);
});
