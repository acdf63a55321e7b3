// @vitest-environment jsdom
import { endpoint } from "#contract/endpoint.ts";
import { call } from "#web/kit/api-client.ts";
import type { ApiError } from "#web/kit/api-error.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { problem, startServer } from "#web/test-support.tsx";
import axios from "axios";
import { expect, test } from "vitest";
import * as z from "zod";

const getThing = endpoint({
  method: "GET",
  path: "/api/v1/thing/:id",
  summary: "A thing",
  access: { kind: "user" },
  params: z.object({ id: z.string() }),
  query: z.object({ realm_id: z.string() }),
  response: z.object({ name: z.string() }),
});
const getDocument = endpoint({
  method: "GET",
  path: "/api/v1/document",
  summary: "A document",
  access: { kind: "user" },
  response: { mediaType: "application/pdf" },
});
const putThing = endpoint({
  method: "PUT",
  path: "/api/v1/thing",
  summary: "Changes a thing",
  access: { kind: "user" },
  body: z.object({ name: z.string() }),
  response: z.object({}),
});

const sendFile = endpoint({
  method: "POST",
  path: "/api/v1/file",
  summary: "Takes a file",
  access: { kind: "user" },
  file: { field: "file", maxBytes: 1_000 },
  response: z.object({}),
});

const server = await startServer([getThing, getDocument, putThing, sendFile]);

const catchError = (calling: Promise<unknown>) =>
  calling.then(
    () => expect.fail("the call should have failed"),
    (error: unknown) => error as ApiError,
  );
const get = () => call(getThing, { params: { id: "7" }, query: { realm_id: "1" } });

test("every call begins its own trace", async () => {
  server.on("GET /api/v1/thing/7", { json: { name: "x" } });
  await get();
  await get();
  const traces = server.requests.map(({ trace }) => trace);
  expect(traces).toEqual(Array(2).fill(expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)));
  expect(new Set(traces).size).toBe(2);
});

test("every call names the current company in a header, or has no header without a company", async () => {
  server.on("GET /api/v1/thing/7", { json: { name: "x" } });
  await get();
  realmStore.set("9341");
  await get();
  expect(server.requests.map(({ realm }) => realm)).toEqual([null, "9341"]);
});

test("AP-01 a call puts parameters into the path, the query after it and the body as JSON", async () => {
  server.on("GET /api/v1/thing/a%2Fb", { json: { name: "x" } });
  server.on("PUT /api/v1/thing", { json: {} });
  expect(await call(getThing, { params: { id: "a/b" }, query: { realm_id: "1 2" } })).toEqual({ name: "x" });
  await call(putThing, { body: { name: "y" } });
  expect(server.requests[0]?.url.searchParams.get("realm_id")).toBe("1 2");
  expect(JSON.parse(server.requests[1]?.body ?? "")).toEqual({ name: "y" });
});

test("AP-02 AP-03 an error received for a document is read as text, and JSON in it gives its detail", async () => {
  server.on("GET /api/v1/document", problem(400, "No such label."));
  const error = await catchError(call(getDocument, {}));
  expect(error).toMatchObject({
    message: "No such label.",
    status: 400,
    code: "some_code",
    requestId: "r-1",
  });
});

test("AP-04 an error document that is not JSON is shown as it is", async () => {
  server.on("GET /api/v1/document", {
    status: 500,
    text: "plain words",
    headers: { "content-type": "text/plain" },
  });
  expect((await catchError(call(getDocument, {}))).message).toBe("plain words");
});

test("a document keeps the name the server gave it", async () => {
  const headers = {
    "content-type": "application/pdf",
    "content-disposition": 'attachment; filename="slip 7.pdf"',
  };
  server.on("GET /api/v1/document", { text: "%PDF", headers });
  const { blob, filename } = await call(getDocument, {});
  expect([filename, blob.size]).toEqual(["slip 7.pdf", 4]);
});

test("ER-20 the text of a failure is the server's detail", async () => {
  server.on("GET /api/v1/thing/7", problem(409, "Void the labels of this order first."));
  expect((await catchError(get())).message).toBe("Void the labels of this order first.");
});

test("ER-23 a call without an answer reads Network Error and has no status", async () => {
  server.visit("/");
  axios.defaults.baseURL = "http://127.0.0.1:1";
  try {
    expect(await catchError(get())).toMatchObject({ message: "Network Error", status: null });
  } finally {
    delete axios.defaults.baseURL;
  }
});

test("ER-25 an aborted call reads Request aborted", async () => {
  const stop = new AbortController();
  server.on("GET /api/v1/thing/7", { wait: new Promise(() => undefined) });
  const failing = catchError(
    call(getThing, { params: { id: "7" }, query: { realm_id: "1" }, signal: stop.signal }),
  );
  stop.abort();
  expect(await failing).toMatchObject({ message: "Request aborted", status: null, code: "aborted" });
});

test("ER-26 an error without a body reads as its status code", async () => {
  server.on("GET /api/v1/thing/7", { status: 500, text: "" });
  expect((await catchError(get())).message).toBe("Request failed with status code 500");
});

test("ER-24 AP-36 a call that takes too long reads timeout exceeded; uploads have no limit", async () => {
  server.on("GET /api/v1/thing/7", { wait: new Promise(() => undefined) });
  const hurried = axios.interceptors.request.use((request) => ({ ...request, timeout: 20 }));
  try {
    expect((await catchError(get())).message).toBe("timeout exceeded");
  } finally {
    axios.interceptors.request.eject(hurried);
  }
  const limits: unknown[] = [];
  const noted = axios.interceptors.request.use((request) => {
    limits.push(request.timeout);
    return request;
  });
  try {
    server.on("GET /api/v1/thing/7", { json: { name: "x" } });
    await get();
    server.on("POST /api/v1/file", { json: {} });
    await call(sendFile, { file: new File(["x"], "a.xlsx") });
    server.on("GET /api/v1/document", { text: "%PDF", headers: { "content-type": "application/pdf" } });
    await call(getDocument, {});
  } finally {
    axios.interceptors.request.eject(noted);
  }
  expect(limits).toEqual([30_000, 0, 60_000]);
});

test("an answer that is not JSON fails at once instead of breaking the page later", async () => {
  server.on("GET /api/v1/thing/7", { text: "<html>", headers: { "content-type": "text/html" } });
  expect((await catchError(get())).message).toBe("Invalid response from server");
});
