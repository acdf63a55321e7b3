import { request as rawRequest } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { LOGROCKET_PATH } from "#features/telemetry/contract.ts";
import { LOGROCKET_BYTES } from "#features/telemetry/limits.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import { type LogRocketFault, startLogRocket } from "../../../simulators/logrocket/start.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";

const MINUTE_MS = 60_000;
const APP_ID = "au2drp/dockside";
const APP = `?a=${encodeURIComponent(APP_ID)}&r=1`;
const SCRIPT = `${LOGROCKET_PATH}/logger.min.js`;

/** The product with a LogRocket of the test's own. */
async function startRecorded(options: Parameters<typeof startApp>[0] = {}) {
  const logRocket = await startLogRocket({ port: 0 });
  onTestFinished(() => logRocket.close());
  const env = {
    LOGROCKET_APP_ID: APP_ID,
    LOGROCKET_SCRIPT_ORIGIN: logRocket.url,
    LOGROCKET_INGEST_ORIGIN: logRocket.url,
  };
  return { app: await startApp({ worker: false, ...options, env }), logRocket };
}

type Sent = { query?: string; body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> };

const send = (app: TestApp, to: string, { query = APP, body = "data", headers = {} }: Sent = {}) =>
  app.browser().request(`${LOGROCKET_PATH}/${to}${query}`, { method: "POST", body, headers });

test("AP-32 LogRocket's script and what it sends pass through our own address, without cookies, authorization or the user's address", async () => {
  const { app, logRocket } = await startRecorded();
  const browser = app.browser();
  await browser.signIn("owner@acme.example");
  const script = await browser.request(SCRIPT);
  expect([script.status, script.headers.get("content-type")]).toEqual([
    200,
    "text/javascript; charset=utf-8",
  ]);
  expect(script.text).toContain("_LRLogger");
  // A page's own address: LogRocket's is never followed.
  for (const to of ["i", "s"]) {
    const reply = await browser.request(`${LOGROCKET_PATH}/${to}${APP}`, {
      method: "POST",
      body: new Uint8Array([0, 255, 128]),
      headers: {
        "content-type": "application/octet-stream",
        "user-agent": "Browser/1",
        authorization: "Bearer secret",
        referer: `${app.url}/app/?realm_id=1`,
        "x-forwarded-for": "192.0.2.7",
      },
    });
    expect([reply.status, reply.json(), reply.headers.get("content-type")]).toEqual([
      200,
      { ok: true },
      "application/json",
    ]);
    expect(reply.headers.get("set-cookie")).toBeNull();
  }
  expect(script.headers.get("set-cookie")).toBeNull();
  expect(logRocket.calls.map(({ method, path, query }) => `${method} ${path}${query}`)).toEqual([
    "GET /logger-1.min.js",
    `POST /i${APP}`,
    `POST /s${APP}`,
  ]);
  expect(logRocket.calls[1]).toMatchObject({
    headers: { "content-type": "application/octet-stream", "user-agent": "Browser/1", "content-length": "3" },
  });
  for (const { headers } of logRocket.calls)
    for (const name of ["cookie", "authorization", "referer", "origin", "x-forwarded-for"])
      expect(headers[name], name).toBeUndefined();
});

test("LogRocket's script is fetched once an hour, however many pages ask for it", async () => {
  const clock = steppedClock();
  const { app, logRocket } = await startRecorded({ clock });
  const readScripts = async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => app.browser().request(SCRIPT)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(replies[0]?.headers.get("cache-control")).toBe("public, max-age=3600");
  };
  await readScripts();
  clock.advance(55 * MINUTE_MS);
  await readScripts();
  expect(logRocket.calls).toHaveLength(1);
  clock.advance(5 * MINUTE_MS);
  await readScripts();
  expect(logRocket.calls).toHaveLength(2);
});

test("the way to LogRocket leads nowhere else: other apps, paths, methods, sites and sizes are refused", async () => {
  const { app, logRocket } = await startRecorded();
  const other = await send(app, "i", { query: "?a=other%2Fapp" });
  expect([other.status, other.json()]).toMatchObject([403, { code: "other_app" }]);
  expect((await send(app, "i", { query: `${APP}&a=other%2Fapp` })).status).toBe(403);
  const foreign = await send(app, "i", { headers: { origin: "https://evil.example" } });
  expect([foreign.status, foreign.json()]).toMatchObject([403, { code: "cross_site" }]);
  const large = await send(app, "i", { body: new Uint8Array(LOGROCKET_BYTES + 1) });
  expect([large.status, large.json()]).toMatchObject([413, { code: "too_large" }]);
  const browser = app.browser();
  const paths = [
    "",
    "/",
    "/x",
    "/i/x",
    "/logger-1.min.js",
    "/..%2fi",
    "/http://evil.example/i",
    "//evil.example",
  ];
  for (const path of paths) {
    for (const method of ["GET", "POST"]) {
      const reply = await browser.request(`${LOGROCKET_PATH}${path}`, { method });
      expect([404, 405], `${method} ${path}`).toContain(reply.status);
    }
  }
  for (const [method, path] of [
    ["GET", "/i"],
    ["PUT", "/i"],
    ["DELETE", "/s"],
    ["POST", "/logger.min.js"],
  ] as const)
    expect([404, 405], path).toContain((await browser.request(LOGROCKET_PATH + path, { method })).status);
  // A proxy's absolute address and another host name choose no other host either.
  for (const more of [
    { path: "http://evil.example/t/l/logger.min.js" },
    { path: SCRIPT, headers: { host: "evil.example" } },
  ])
    await rawGet(app, more);
  expect(logRocket.calls.filter(({ path }) => path !== "/logger-1.min.js")).toEqual([]);
});

/** @returns the status of a request as it is written, which `fetch` would change */
const rawGet = (app: TestApp, more: { path: string; headers?: Record<string, string> }) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    const request = rawRequest({ hostname, port, ...more }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    request.on("error", reject).end();
  });

test("one network sends LogRocket 1,200 uploads a minute at most, and its error reports still arrive", async () => {
  expect(HTTP_LIMITS.steadyReportsPerMinute).toBe(1_200);
  const { app } = await startRecorded({ limits: { steadyReportsPerMinute: 5 } });
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) statuses.push((await send(app, at % 2 ? "s" : "i")).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  const report = await app.browser().request("/telemetry/errors", { method: "POST", body: "x" });
  expect(report.status).toBe(400);
});

const FAULTS: readonly LogRocketFault[] = ["error", "redirect", "huge"];

test("while LogRocket fails, pages are answered at once and it is asked again after half a minute", async () => {
  const clock = steppedClock();
  const { app, logRocket } = await startRecorded({ clock });
  for (const fault of FAULTS) {
    logRocket.setFault(fault);
    logRocket.calls.length = 0;
    for (const again of [false, true]) {
      for (const reply of [await send(app, "i"), await app.browser().request(SCRIPT)]) {
        expect([reply.status, reply.json()], `${fault} ${again}`).toMatchObject([
          503,
          { code: "recorder_unavailable", detail: "LogRocket isn't responding. The page works without it." },
        ]);
        expect(reply.headers.get("retry-after")).toBe("30");
      }
    }
    // One each: the second calls were not passed on.
    expect(logRocket.calls, fault).toHaveLength(2);
    clock.advance(30_000);
  }
  logRocket.setFault(null);
  expect((await send(app, "i")).status).toBe(200);
  expect((await app.browser().request(SCRIPT)).status).toBe(200);
});

test("a LogRocket that doesn't answer is given up, and the next upload is not passed on", async () => {
  const { app, logRocket } = await startRecorded();
  logRocket.setFault("silent");
  for (const to of ["i", "s"]) expect((await send(app, to)).status).toBe(503);
  expect(logRocket.calls).toHaveLength(1);
});

test("at most 20 uploads wait for a slow LogRocket", async () => {
  const { app, logRocket } = await startRecorded();
  logRocket.setFault("silent");
  const replies = await Promise.all(Array.from({ length: 30 }, () => send(app, "i")));
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503));
  expect(logRocket.calls).toHaveLength(20);
});

test("AP-32 without LOGROCKET_APP_ID there is no way to LogRocket, and no page may make workers from texts", async () => {
  const app = await startApp({ worker: false });
  expect((await app.browser().request(SCRIPT)).status).toBe(404);
  for (const to of ["i", "s"]) expect((await send(app, to)).status).toBe(404);
  const page = await app.browser().request("/");
  expect(page.headers.get("content-security-policy")).not.toContain("worker-src");
  expect(page.text).toContain('"logrocket":null');
});

test("with LogRocket, pages know its app in place of our recorder, and the policy allows workers from texts and nothing more", async () => {
  const { app } = await startRecorded();
  const plain = await startApp({ worker: false });
  const read = async (product: TestApp) => {
    const { text, headers } = await product.browser().request("/");
    const policy = headers.get("content-security-policy") ?? "";
    const same = policy.replace(/'nonce-[^']+'/, "nonce").replaceAll(product.stripe.url, "stripe");
    return {
      boot: JSON.parse(/id="boot"[^>]*>([^<]+)</.exec(text)?.[1] ?? "") as object,
      rules: same.split("; "),
    };
  };
  const [recorded, ordinary] = [await read(app), await read(plain)];
  expect(recorded.boot).toMatchObject({ logrocket: APP_ID, recorder: null });
  expect(ordinary.boot).toMatchObject({ logrocket: null, recorder: { app_id: "own/dockside" } });
  expect(recorded.rules.filter((rule) => !ordinary.rules.includes(rule))).toEqual([
    "worker-src 'self' blob:",
  ]);
  expect(ordinary.rules.filter((rule) => !recorded.rules.includes(rule))).toEqual([]);
});
