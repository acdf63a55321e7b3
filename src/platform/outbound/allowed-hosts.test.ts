import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { createOutboundFetch, HostNotAllowed } from "#platform/outbound/allowed-hosts.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "localhost");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

function outbound(allowedOrigins: string[]) {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  return { fetch: createOutboundFetch({ allowedOrigins, log, clock: systemClock }), lines };
}

test("a host that is not configured is never called", async () => {
  let calls = 0;
  const origin = await listen((_, response) => {
    calls++;
    response.end();
  });
  const { fetch } = outbound(["https://quickbooks.api.intuit.com"]);
  await expect(fetch(`${origin}/x`, { timeoutMs: 1000 })).rejects.toBeInstanceOf(HostNotAllowed);
  await expect(fetch("https://quickbooks.api.intuit.com.evil.example/", { timeoutMs: 1000 })).rejects.toThrow(
    "Calls to https://quickbooks.api.intuit.com.evil.example are not allowed.",
  );
  await expect(fetch("http://quickbooks.api.intuit.com/", { timeoutMs: 1000 })).rejects.toBeInstanceOf(
    HostNotAllowed,
  );
  expect(calls).toBe(0);
});

test("other hosts are reached only by https at its usual port, and by their full name", async () => {
  const called: string[] = [];
  const allowedHosts = [/^files-\d+\.example\.test$/];
  const log = pino({ base: null }, { write: (line: string) => void called.push(line) });
  const fetch = createOutboundFetch({ allowedOrigins: [], allowedHosts, log, clock: systemClock });
  const refused = [
    "http://files-1.example.test/",
    "https://files-1.example.test:8443/",
    "https://files-1.example.test.evil.example/",
    "https://evil.example/files-1.example.test",
    "https://files-1.example.test@evil.example/",
    "https://169.254.169.254/",
  ];
  for (const address of refused)
    await expect(fetch(address, { timeoutMs: 1000 })).rejects.toBeInstanceOf(HostNotAllowed);
  expect(called).toEqual([]);
  // It is sent, but no host of this name exists.
  await expect(fetch("https://files-1.example.test/", { timeoutMs: 1000 })).rejects.not.toBeInstanceOf(
    HostNotAllowed,
  );
});

test("a redirect is an answer and is not followed", async () => {
  const paths: string[] = [];
  const origin = await listen((request, response) => {
    paths.push(request.url ?? "");
    response.writeHead(302, { location: "/other" }).end();
  });
  const { fetch } = outbound([origin]);
  const response = await fetch(`${origin}/first`, { timeoutMs: 1000 });
  expect(response.status).toBe(302);
  expect(paths).toEqual(["/first"]);
});

test("a call that hangs ends at its time-out, before the headers and in the middle of the body", async () => {
  const origin = await listen((request, response) => {
    if (request.url === "/body") response.writeHead(200, { "content-length": "100" }).write("half");
  });
  const { fetch } = outbound([origin]);
  await expect(fetch(`${origin}/head`, { timeoutMs: 80 })).rejects.toMatchObject({ name: "TimeoutError" });
  const response = await fetch(`${origin}/body`, { timeoutMs: 80 });
  await expect(response.text()).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a caller can abort a call", async () => {
  const origin = await listen(() => undefined);
  const { fetch } = outbound([origin]);
  const caller = new AbortController();
  const call = fetch(origin, { timeoutMs: 5000, signal: caller.signal });
  caller.abort(new Error("the job ends"));
  await expect(call).rejects.toThrow("the job ends");
});

test("the log has method, host, path, status and time, never query, headers or bodies", async () => {
  const origin = await listen((_, response) => response.end("SECRET-answer"));
  const closed = await listen(() => undefined);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  const { fetch, lines } = outbound([origin, closed]);
  const headers = { authorization: "Bearer SECRET-header" };
  await fetch(`${origin}/v3/query?query=SECRET-query`, {
    method: "POST",
    headers,
    body: "SECRET-body",
    timeoutMs: 1000,
  });
  await fetch(`${closed}/x?query=SECRET-query`, { headers, timeoutMs: 1000 }).catch(() => undefined);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    method: "POST",
    host: new URL(origin).host,
    path: "/v3/query",
    status: 200,
    ms: expect.any(Number),
  });
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ path: "/x", failure: "ECONNREFUSED" });
  expect(lines.join("")).not.toContain("SECRET");
});
