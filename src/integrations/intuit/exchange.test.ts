import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { exchange, type Call } from "#integrations/intuit/exchange.ts";
import { systemClock } from "#platform/clock.ts";
import { createOutboundFetch } from "#platform/outbound/allowed-hosts.ts";

type Script = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

const INVOICE = z.object({ Invoice: z.looseObject({ Id: z.string() }) });
const READ: Call = { path: "/invoice/1", timeoutMs: 2000 };
const WRITE: Call = { path: "/invoice", write: true, requestId: "row-1", body: {}, timeoutMs: 2000 };

/** Sends a call to a server that answers by the script, for answers that no simulator needs to know. */
async function send(call: Call, script: Script) {
  const server = createServer(script).listen(0, "localhost");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return sendTo(`http://localhost:${(server.address() as AddressInfo).port}`, call);
}

function sendTo(origin: string, call: Call) {
  const fetch = createOutboundFetch({
    allowedOrigins: [origin],
    log: pino({ level: "silent" }),
    clock: systemClock,
  });
  const place = { fetch, apiBaseUrl: origin, realmId: "9130", accessToken: "access-1" };
  return exchange({ ...place, onAnswer: () => undefined }, call, INVOICE);
}

/** An address without a listener. */
async function closedOrigin(): Promise<string> {
  const server = createServer().listen(0, "localhost");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://localhost:${port}`;
}

const catchFailure = (sent: Promise<unknown>) =>
  sent.then(
    () => {
      throw new Error("it was expected to fail");
    },
    (error: unknown) => error,
  );

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Script =>
  (_, response) =>
    response.writeHead(status, { intuit_tid: "tid-1", ...headers }).end(body);

test("a call names realm, version, request id, token and the response format", async () => {
  let seen: IncomingMessage | undefined;
  const sent = await send(WRITE, (request, response) => {
    seen = request;
    response.writeHead(200, { intuit_tid: "tid-7" }).end('{"Invoice":{"Id":"5000000000000503624"}}');
  });
  expect(sent).toEqual({ data: { Invoice: { Id: "5000000000000503624" } }, tid: "tid-7" });
  expect(seen?.method).toBe("POST");
  expect(seen?.url).toBe("/v3/company/9130/invoice?minorversion=75&requestid=row-1");
  expect(seen?.headers).toMatchObject({
    authorization: "Bearer access-1",
    accept: "application/json",
    "content-type": "application/json",
  });
});

const withCode = (code: string) =>
  `{"Fault":{"Error":[{"Message":"m","Detail":"d","code":"${code}"}],"type":"SystemFault"}}`;
const busy = '{"Fault":{"Error":[{"Message":"m","Detail":"d","code":"3001"}],"type":"SERVICE"}}';
const broken = '{"Fault":{"Error":[{"Message":"m","Detail":"d","code":"10000"}],"type":"SystemFault"}}';

test.each([
  ["500 with a fault", answer(500, broken), "system", "uncertain", 500],
  ["503 in HTML", answer(503, "<html><body>Service Unavailable</body></html>"), "system", "uncertain", 503],
  ["502 without a body", answer(502, ""), "system", "uncertain", 502],
  ["200 in HTML", answer(200, "<html></html>"), "network", "uncertain", 200],
  ["200 without a body", answer(200, ""), "network", "uncertain", 200],
  ["200 with half of the JSON", answer(200, '{"Invoice":{"Id":"1"'), "network", "uncertain", 200],
  ["200 with another shape", answer(200, '{"Invoice":{"Id":7}}'), "bug", "uncertain", 200],
  ["200 with a system fault", answer(200, broken), "system", "uncertain", 200],
  ["204", answer(204, ""), "network", "uncertain", 204],
  ["302", answer(302, "", { location: "/login" }), "network", "uncertain", 302],
  ["400 in HTML", answer(400, "<html>Bad Request</html>"), "network", "uncertain", 400],
  ["401 without a body", answer(401, ""), "network", "uncertain", 401],
  ["401 with a fault", answer(401, withCode("3200")), "auth", "auth", 401],
  ["402 in HTML", answer(402, "<html>Payment Required</html>"), "network", "uncertain", 402],
  ["403 in HTML", answer(403, "<html>Access Denied</html>"), "network", "uncertain", 403],
  ["403 with a fault", answer(403, withCode("3100")), "reconnect", "reconnect", 403],
  ["500 with the code of a lost permission", answer(500, withCode("3100")), "system", "uncertain", 500],
  ["500 with the code of a lost user", answer(500, withCode("120")), "system", "uncertain", 500],
  ["400 with code 500", answer(400, withCode("500")), "system", "uncertain", 400],
  ["400 with code 10000", answer(400, broken), "system", "uncertain", 400],
  ["400 with a system fault of another code", answer(400, withCode("99")), "system", "uncertain", 400],
  ["400 with a limit of the plan", answer(400, withCode("5020")), "plan", "plan", 400],
  ["400 from the wrong environment", answer(400, withCode("130")), "environment", "environment", 400],
  ["404 in JSON", answer(404, '{"message":"no Route matched"}'), "network", "uncertain", 404],
  ["413 in HTML", answer(413, "<html>Too Large</html>"), "network", "uncertain", 413],
  ["451 in HTML", answer(451, "<html>Unavailable</html>"), "network", "uncertain", 451],
  ["429 in JSON", answer(429, busy), "throttled", "throttled", 429],
  ["429 without a body", answer(429, ""), "throttled", "uncertain", 429],
  ["403 that throttles", answer(403, busy), "throttled", "throttled", 403],
  [
    "a cut connection",
    (_: IncomingMessage, response: ServerResponse) => response.destroy(),
    "network",
    "uncertain",
    null,
  ],
] as const)("%s is understood, for a read and for a write", async (_, script, ofRead, ofWrite, http) => {
  const read = await catchFailure(send(READ, script));
  expect(read).toMatchObject({ name: "IntuitError", kind: ofRead, http });
  const write = await catchFailure(send(WRITE, script));
  expect(write).toMatchObject({ name: "IntuitError", kind: ofWrite, http });
  if (http !== null) expect(write).toMatchObject({ tid: "tid-1" });
});

test("a body that stops in the middle leaves a write uncertain", async () => {
  const half: Script = (_, response) => {
    const cut = () => response.socket?.destroySoon();
    response.writeHead(200, { "content-length": "100", intuit_tid: "tid-2" }).write('{"Invoice":', cut);
  };
  expect(await catchFailure(send(READ, half))).toMatchObject({ kind: "network", tid: "tid-2" });
  expect(await catchFailure(send(WRITE, half))).toMatchObject({ kind: "uncertain", tid: "tid-2" });
});

test("a call that hangs ends at its time-out; a write is then uncertain", async () => {
  const hang: Script = () => undefined;
  expect(await catchFailure(send({ ...READ, timeoutMs: 100 }, hang))).toMatchObject({
    kind: "network",
    message: "No answer from Intuit in time (network)",
  });
  expect(await catchFailure(send({ ...WRITE, timeoutMs: 100 }, hang))).toMatchObject({
    kind: "uncertain",
    message: "No answer from Intuit in time (uncertain)",
  });
});

test("a refused connection means that a write was certainly not sent", async () => {
  const closed = await closedOrigin();
  expect(await catchFailure(sendTo(closed, WRITE))).toMatchObject({ kind: "network", http: null });
});

test.each([
  ["7", 7],
  ["Sat, 21 Nov 2026 08:00:30 GMT", 30],
  ["1.5", 2],
  ["Sat, 21 Nov 2026 07:59:00 GMT", 0],
  ["soon", undefined],
  ["-5", undefined],
  ["60 seconds", undefined],
])("Retry-After %s is read", async (value, seconds) => {
  const headers = { "retry-after": value, date: "Sat, 21 Nov 2026 08:00:00 GMT" };
  expect(await catchFailure(send(READ, answer(429, busy, headers)))).toMatchObject({
    retryAfterSeconds: seconds,
  });
});
