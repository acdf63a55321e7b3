import { createConnection, type AddressInfo, type Socket } from "node:net";
import { setImmediate as yieldTurn, setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { Readable, Writable } from "node:stream";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { endpoint, type Endpoint } from "#contract/endpoint.ts";
import { problemSchema } from "#contract/problem.ts";
import { AppError, conflict } from "#platform/errors.ts";
import { HTTP_LIMITS, type HttpLimits } from "#platform/http/limits.ts";
import { systemClock } from "#platform/clock.ts";
import { createMount, type Mount } from "#platform/http/mount.ts";
import { createGate } from "#platform/http/gate.ts";
import { createHttpServer } from "#platform/http/server.ts";
import { systemIds } from "#platform/ids.ts";

const SECRET = "password-of-the-database";

const echo = endpoint({
  method: "POST",
  path: "/api/v1/echo/:id",
  summary: "Says what it was given",
  access: { kind: "public" },
  params: z.object({ id: z.uuid() }),
  query: z.object({ count: z.coerce.number().int().max(9) }),
  body: z.object({ name: z.string().min(1) }),
  response: z.object({ name: z.string() }),
});

const take = endpoint({
  method: "POST",
  path: "/api/v1/take",
  summary: "Takes a file",
  access: { kind: "public" },
  file: { field: "file", maxBytes: 1_000 },
  status: 202,
  response: z.object({ bytes: z.int(), cut: z.boolean() }),
});

const fail = (path: string) =>
  endpoint({ method: "GET", path, summary: "Fails", access: { kind: "public" }, response: z.object({}) });

const FAILURES: Record<string, () => never> = {
  "/api/v1/bug": () => {
    throw new Error(`connect ECONNREFUSED postgres://me:${SECRET}@db/x`);
  },
  "/api/v1/text": () => {
    throw `a thrown text with ${SECRET}`; // oxlint-disable-line typescript/only-throw-error -- libraries do this
  },
  "/api/v1/status": () => {
    throw Object.assign(new Error(SECRET), { statusCode: 502 });
  },
  "/api/v1/odd-status": () => {
    throw Object.assign(new Error(SECRET), { statusCode: 999 });
  },
};

/** A server without sessions lets everyone in. */
const findMount = async (app: FastifyInstance) =>
  createMount<null>(app, {
    authorize: () => Promise.resolve(null),
    readSession: () => null,
    gate: createGate(systemClock, HTTP_LIMITS),
  });

/** A server with calls that work and calls that fail, and what it logged. */
async function startServer(
  more?: (app: FastifyInstance, mount: Mount<null>) => void,
  limits: Partial<HttpLimits> = {},
) {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = await createHttpServer({
    clock: systemClock,
    log: pino({ level: "debug" }, sink),
    ids: systemIds,
    https: false,
    proxies: 0,
    limits: { ...HTTP_LIMITS, ...limits },
  });
  const mount = await findMount(app);
  mount(echo, ({ body }) => Promise.resolve({ name: body.name }));
  mount(take, async ({ file }) => {
    let bytes = 0;
    for await (const chunk of file.stream) bytes += (chunk as Buffer).length;
    return { bytes, cut: file.isCut() };
  });
  for (const [path, failure] of Object.entries(FAILURES)) mount(fail(path), async () => failure());
  more?.(app, mount);
  await app.listen({ port: 0, host: "localhost" });
  onTestFinished(() => app.close());
  const port = (app.server.address() as AddressInfo).port;
  const url = `http://localhost:${port}`;
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(new URL(path, url), { ...init, headers: { origin: url, ...init.headers } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { app, url, port, send, lines };
}

const ID = "00000000-0000-4000-8000-000000000000";
const json = (body: string) => ({ method: "POST", headers: { "content-type": "application/json" }, body });

function readProblem({ status, headers, text }: { status: number; headers: Headers; text: string }) {
  expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  const problem = problemSchema.parse(JSON.parse(text));
  expect(problem.status).toBe(status);
  expect(problem.request_id).toBe(headers.get("x-request-id"));
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  return problem;
}

test.each(Object.keys(FAILURES))(
  "ER-27 a bug (%s) answers 500 with a support id and no internals, and the log has its cause",
  async (path) => {
    const { send, lines } = await startServer();
    const reply = await send(path);
    const problem = readProblem(reply);
    expect(problem).toMatchObject({ status: 500, code: "internal_error", title: "Internal Server Error" });
    expect(problem.detail).toBe(
      `Something went wrong on our side. Try again; if it happens again, contact us with the support ID ${problem.request_id}.`,
    );
    expect(reply.text).not.toContain(SECRET);
    expect(lines.join("")).toContain(problem.request_id);
    expect(lines.join("")).toContain("A request failed");
  },
);

test.each<[string, string, RequestInit, number, string]>([
  ["bad JSON", `/api/v1/echo/${ID}?count=1`, json("{"), 400, "invalid_request"],
  ["an empty body", `/api/v1/echo/${ID}?count=1`, json(""), 400, "invalid_request"],
  ["a poisoned body", `/api/v1/echo/${ID}?count=1`, json('{"__proto__":{"x":1}}'), 400, "invalid_request"],
  ["a wrong shape", `/api/v1/echo/${ID}?count=1`, json('{"name":7}'), 400, "invalid_request"],
  ["a wrong query", `/api/v1/echo/${ID}?count=ten`, json('{"name":"x"}'), 400, "invalid_request"],
  ["a wrong id", "/api/v1/echo/7?count=1", json('{"name":"x"}'), 400, "invalid_request"],
  ["a long id", `/api/v1/echo/${"7".repeat(300)}?count=1`, json("{}"), 400, "invalid_address"],
  ["a large body", `/api/v1/echo/${ID}?count=1`, json(`"${"x".repeat(1_100_000)}"`), 413, "too_large"],
  [
    "another media type",
    `/api/v1/echo/${ID}?count=1`,
    { method: "POST", headers: { "content-type": "application/xml" }, body: "<a/>" },
    415,
    "wrong_media_type",
  ],
  ["JSON where a file is expected", "/api/v1/take", json("{}"), 415, "wrong_media_type"],
  [
    "a form without a boundary",
    "/api/v1/take",
    { method: "POST", headers: { "content-type": "multipart/form-data" }, body: "x" },
    400,
    "invalid_form",
  ],
  ["a malformed address", "/api/v1/%zz", {}, 400, "invalid_address"],
])(
  "ER-27 %s is answered with a sentence, a code and a support id",
  async (_name, path, init, status, code) => {
    const { send } = await startServer();
    const reply = await send(path, init);
    const problem = readProblem(reply);
    expect([reply.status, problem.code]).toEqual([status, code]);
    expect(problem.detail).toMatch(/^[A-Z].*[.]$/s);
  },
);

test("everything wrong with a request's shape is reported at once, by name", async () => {
  const { send } = await startServer();
  const { detail } = readProblem(await send(`/api/v1/echo/${ID}?count=10`, json('{"name":""}')));
  expect(detail).toMatch(/query parameter "count"/);
});

test("a verb's refusal reaches the caller word for word, with Retry-After where it has one", async () => {
  const busy = () =>
    new AppError({ status: 429, code: "busy", detail: "Wait a moment.", retryAfterSeconds: 7 });
  const { send } = await startServer((_app, mount) => {
    mount(fail("/api/v1/busy"), () => Promise.reject(busy()));
    mount(fail("/api/v1/twice"), () => Promise.reject(conflict("taken", "It is taken already.")));
  });
  const reply = await send("/api/v1/busy");
  expect(reply.headers.get("retry-after")).toBe("7");
  expect(readProblem(reply)).toMatchObject({ status: 429, code: "busy", detail: "Wait a moment." });
  expect(readProblem(await send("/api/v1/twice"))).toMatchObject({ status: 409, title: "Conflict" });
});

test("an answer that does not match its own contract is our bug and is not sent", async () => {
  const { send } = await startServer((_app, mount) => {
    const call: Endpoint = { ...fail("/api/v1/drift"), response: z.object({ id: z.uuid() }) };
    (mount as (endpoint: Endpoint, handler: () => Promise<unknown>) => void)(call, () =>
      Promise.resolve({ id: SECRET }),
    );
  });
  const reply = await send("/api/v1/drift");
  expect(readProblem(reply).code).toBe("internal_error");
  expect(reply.text).not.toContain(SECRET);
});

test("an answer contains what its contract names and nothing else", async () => {
  const { send } = await startServer((_app, mount) => {
    mount(fail("/api/v1/more"), () => Promise.resolve({ secret: SECRET } as unknown as undefined));
  });
  expect((await send("/api/v1/more")).text).toBe("{}");
});

const makeForm = (field: string, bytes: number) => {
  const body = new FormData();
  body.set(field, new Blob([new Uint8Array(bytes)]), "a.xlsx");
  return { method: "POST", body };
};

test("a file arrives complete up to its limit, and is marked as cut beyond it", async () => {
  const { send } = await startServer();
  expect((await send("/api/v1/take", makeForm("file", 1_000))).text).toBe('{"bytes":1000,"cut":false}');
  expect((await send("/api/v1/take", makeForm("file", 1_001))).text).toBe('{"bytes":1000,"cut":true}');
});

test("a form without a file, or with it in another field, says which field is needed", async () => {
  const { send } = await startServer();
  const empty = new FormData();
  empty.set("note", "x");
  for (const init of [makeForm("other", 10), { method: "POST", body: empty }]) {
    const problem = readProblem(await send("/api/v1/take", init));
    expect(problem).toMatchObject({
      code: "no_file",
      detail: 'Choose a file: the form needs one in the field "file".',
    });
  }
});

test.each([1, 1_000])(
  "a form with two files is refused with a sentence, the first of %i bytes",
  async (bytes) => {
    const { send, lines } = await startServer();
    const body = new FormData();
    for (const name of ["a.xlsx", "b.xlsx"]) body.append("file", new Blob([new Uint8Array(bytes)]), name);
    const problem = readProblem(await send("/api/v1/take", { method: "POST", body }));
    expect(problem).toMatchObject({
      status: 400,
      code: "two_files",
      detail: "The form has more than one file. Send them one at a time.",
    });
    body.append("file", new Blob([new Uint8Array(900_000)]), "c.xlsx");
    expect(readProblem(await send("/api/v1/take", { method: "POST", body })).code).toBe("two_files");
    expect(lines.join("")).not.toContain("A request failed");
  },
);

test("a form with a field before and after its file is accepted", async () => {
  const { send } = await startServer();
  const body = new FormData();
  body.append("note", "x");
  body.append("file", new Blob(["file"]), "a.xlsx");
  body.append("note", "y");
  expect((await send("/api/v1/take", { method: "POST", body })).text).toBe('{"bytes":4,"cut":false}');
});

test("every request has its own id, and a caller cannot choose it", async () => {
  const { send } = await startServer();
  const ids = await Promise.all(
    Array.from({ length: 10 }, () =>
      send("/api/v1/unknown", { headers: { "request-id": "mine", "x-request-id": "mine" } }),
    ),
  );
  expect(new Set(ids.map(({ headers }) => headers.get("x-request-id"))).size).toBe(10);
  expect(ids.some(({ text }) => text.includes("mine"))).toBe(false);
});

test("a request with two Host headers is refused, even if they are equal", async () => {
  const { port } = await startServer();
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = createConnection(port, "localhost", () =>
      socket.end("GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\nConnection: close\r\n\r\n"),
    );
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answer).toContain("The request has more than one Host header. Send one.");
});

test("the log has each response's path, status and time, and never the query", async () => {
  const { send, lines } = await startServer();
  await send("/api/v1/unknown?code=code-of-sign-in", {
    headers: { cookie: "dockside_session=cookie-of-a-session", authorization: "Bearer token-of-somebody" },
  });
  await send("/%zz?code=code-of-sign-in");
  await expect.poll(() => lines.join("")).toContain('"path":"/api/v1/unknown"');
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({ method: "GET", path: "/api/v1/unknown", status: 404, ms: expect.any(Number) }),
  );
  expect(lines.join("")).not.toMatch(/code-of-sign-in|cookie-of-a-session|token-of-somebody/);
});

test("a caller who disconnects during an upload does no harm to the server", async () => {
  const { port, send, lines } = await startServer();
  await new Promise<void>((resolve) => {
    const socket = createConnection(port, "localhost", () => {
      socket.write(
        `POST /api/v1/take HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\n` +
          "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 900\r\n\r\n" +
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\nhalf',
        () => socket.destroy(),
      );
    });
    socket.on("close", () => resolve());
  });
  expect((await send("/api/v1/take", makeForm("file", 5))).status).toBe(202);
  expect(lines.join("")).not.toContain("A request failed");
});

test("UO-16 a caller who resets the connection before the call begins is dropped without a failure", async () => {
  let calls = 0;
  const { port, send, lines, app } = await startServer((server) => {
    server.addHook("onRequest", (_request, _reply, done) => {
      calls += 1;
      done();
    });
  });
  const arrivals: Socket[] = [];
  app.server.on("connection", (socket) => void arrivals.push(socket));
  const socket = createConnection(port, "localhost");
  await expect.poll(() => arrivals).toHaveLength(1);
  const body = JSON.stringify({ name: "Ada" });
  const closed = new Promise<void>((resolve) => arrivals[0]?.once("close", () => resolve()));
  socket.write(
    `POST /api/v1/echo/${ID}?count=1 HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  socket.resetAndDestroy();
  await closed;
  expect(lines.join("")).toContain("The caller left before the call began");
  expect(lines.join("")).not.toContain("A request failed");
  expect((await send("/api/v1/take", makeForm("file", 5))).status).toBe(202);
  expect(calls).toBe(1);
});

test.each([
  ["/api/v1/unknown", "404 Not Found"],
  ["/%zz", "400 Bad Request"],
])(
  "UO-16 ten calls of %s behind each other are answered, and of more the connection is closed",
  async (path, status) => {
    const { port, lines } = await startServer();
    const call = `GET ${path} HTTP/1.1\r\nHost: a\r\n`;
    const countAnswers = async (calls: number) => {
      const all = `${`${call}\r\n`.repeat(calls - 1)}${call}Connection: close\r\n\r\n`;
      return (await dribble(port, [all], 0)).split(`HTTP/1.1 ${status}\r`).length - 1;
    };
    expect(await countAnswers(10)).toBe(10);
    expect(await countAnswers(1_000)).toBeLessThanOrEqual(10);
    expect(lines.filter((line) => line.includes("than it took answers"))).toHaveLength(1);
    expect(lines.join("")).not.toContain("A request failed");
  },
);

test.each([
  "--b\r\n",
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
  "",
  "x",
])(
  "a form that ends too early (%j) is refused with a sentence and leaves no trace of a bug",
  async (body) => {
    const { send, lines } = await startServer();
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const problem = readProblem(await send("/api/v1/take", { method: "POST", headers, body }));
    expect([problem.status, problem.code]).toEqual([
      400,
      expect.stringMatching(/^(cut_form|invalid_form|no_file)$/),
    ]);
    expect(lines.join("")).not.toContain("A request failed");
  },
);

test("bodies over 1 kB are sent compressed to clients that accept it", async () => {
  const { send } = await startServer((app) => {
    app.get("/long", (_request, reply) => reply.type("text/plain").send("long ".repeat(1_000)));
  });
  const reply = await send("/long", { headers: { "accept-encoding": "br" } });
  expect(reply.headers.get("content-encoding")).toBe("br");
  expect(reply.text).toHaveLength(5_000);
});

test.each([
  ["br;q=0, gzip", "gzip"],
  ["*", "br"],
  ["gzip;q=0.5, BR;q=0.1", "br"],
  ["deflate, *;q=0", null],
  ["br;q=x", null],
  ["identity", null],
])("a client that accepts %j gets %j, as text and as a stream", async (accepted, expected) => {
  const { send } = await startServer((app) => {
    app.get("/long", (_request, reply) => reply.type("text/csv").send("long,".repeat(100_000)));
    app.get("/stream", (_request, reply) =>
      reply.type("text/csv").send(Readable.from(["long,".repeat(50_000), "long,".repeat(50_000)])),
    );
    app.get("/picture", (_request, reply) => reply.type("image/png").send("long,".repeat(1_000)));
    app.get("/broken", (_request, reply) =>
      reply.type("text/csv").send(
        Readable.from(
          (function* () {
            yield "long,".repeat(1_000);
            throw new Error("The source failed");
          })(),
        ),
      ),
    );
  });
  const headers = { "accept-encoding": accepted };
  for (const path of ["/long", "/stream"]) {
    const reply = await send(path, { headers });
    expect([reply.headers.get("content-encoding"), reply.headers.get("vary")], path).toEqual([
      expected,
      "Accept-Encoding",
    ]);
    expect(reply.text, path).toBe("long,".repeat(100_000));
  }
  expect((await send("/picture", { headers })).headers.get("content-encoding")).toBeNull();
  await expect(send("/broken", { headers })).rejects.toThrow();
});

test("AP-34 where users reach us by https, a page on our host that came over plain http changes nothing", async () => {
  const app = await createHttpServer({
    clock: systemClock,
    log: pino({ level: "silent" }),
    ids: systemIds,
    https: true,
    proxies: 0,
  });
  onTestFinished(() => app.close());
  const mount = await findMount(app);
  mount(echo, ({ body }) => Promise.resolve(body));
  const post = (origin: string) =>
    app.inject({
      method: "POST",
      url: `/api/v1/echo/${ID}?count=1`,
      headers: { host: "dockside.example", origin },
      payload: { name: "a" },
    });
  expect((await post("http://dockside.example")).json()).toMatchObject({ status: 403, code: "cross_site" });
  expect((await post("https://dockside.example")).statusCode).toBe(200);
});

/** Opens a connection and writes to it piece by piece, with pauses (ms). @returns what came back until it was ended */
async function dribble(port: number, pieces: readonly string[], pauseMs: number): Promise<string> {
  const socket = createConnection(port, "localhost");
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString()));
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => undefined);
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece);
    await wait(pauseMs);
  }
  await ended;
  return text;
}

const uploadHead = (port: number, length: number) =>
  `POST /api/v1/take HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\nConnection: close\r\n` +
  `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n` +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\n';
const UPLOAD_TAIL = "\r\n--b--\r\n";
/** Bytes of a form around the bytes of its file. */
const FORM_BYTES = uploadHead(0, 0).split("\r\n\r\n").slice(1).join("\r\n\r\n").length + UPLOAD_TAIL.length;

test("a form that says that it is far longer than any file may be is refused before it is read, and its connection ends", async () => {
  const { port } = await startServer();
  const head = uploadHead(port, 1_000_000_000_000).replace("Connection: close\r\n", "");
  const answer = await dribble(port, [head, "x"], 10);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain("too_large");
}, 10_000);

test.each([
  ["its first ones", "", 413],
  [
    "a file that is refused",
    '--b\r\nContent-Disposition: form-data; name="x"; filename="a"\r\n\r\n\r\n',
    400,
  ],
])(
  "UO-16 a form of 100,000 parts is read no further than %s",
  async (_what, first, status) => {
    const { port } = await startServer();
    const form = first + "--b\r\n\r\n".repeat(100_000);
    const [head = ""] = uploadHead(port, form.length).replace("Connection: close\r\n", "").split("--b");
    const next = `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`;
    const before = process.threadCpuUsage();
    const answer = await dribble(port, [head, form, next], 0);
    const { user, system } = process.threadCpuUsage(before);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, "HTTP/1.1 404"]);
    expect((user + system) / 1_000).toBeLessThan(400);
  },
  60_000,
);

test("a form that doesn't say how long it is, as a program streams one, is read", async () => {
  const { port } = await startServer();
  const [head = "", start = ""] = uploadHead(port, 0)
    .replace("Content-Length: 0", "Transfer-Encoding: chunked")
    .split(/(?<=\r\n\r\n)(?=--b)/);
  const form = `${start}12345${UPLOAD_TAIL}`;
  const answer = await dribble(port, [head, `${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`], 10);
  expect(answer).toMatch(/^HTTP\/1\.1 202 /);
  expect(answer).toContain('{"bytes":5,"cut":false}');
}, 10_000);

test("a connection that sends no headers, or sends them a byte at a time, is closed, and 300 of them hold up no other", async () => {
  // Long enough to read a call on a busy machine; the slow ones take twice as long.
  const { port, send } = await startServer(undefined, { headersMs: 2_000, checkConnectionsMs: 100 });
  const silent = Array.from({ length: 150 }, () => dribble(port, [""], 0));
  const slow = Array.from({ length: 150 }, () =>
    dribble(port, ["GET / HTTP/1.1\r\n", ..."X-Slow: 123456789012345678901234567890".split("")], 100),
  );
  expect((await send("/api/v1/take", makeForm("file", 5))).status).toBe(202);
  for (const answer of await Promise.all([...silent, ...slow]))
    expect(answer).toMatch(/^(HTTP\/1\.1 408 Request Timeout\r\n|$)/);
});

/** An upload that arrives piece by piece at its own server. */
async function startSlowUpload(bytes: number, limits: Partial<HttpLimits> = {}) {
  let note = (_socket: Socket) => {};
  const came = new Promise<Socket>((resolve) => {
    note = resolve;
  });
  const server = await startServer((app) => {
    app.addHook("onRequest", ({ raw }, _reply, done) => {
      note(raw.socket);
      done();
    });
  }, limits);
  const socket = createConnection(server.port, "localhost");
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString()));
  const answer = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  socket.on("error", () => undefined);
  const head = uploadHead(server.port, FORM_BYTES + bytes);
  socket.write(head);
  const received = await came;
  let sent = head.length;
  // `expect.poll` would move the timers of a test that has set its own.
  const arrival = async () => {
    while (received.bytesRead < sent) await yieldTurn();
  };
  await arrival();
  const write = async (piece: string) => {
    sent += piece.length;
    socket.write(piece);
    await arrival();
  };
  return { ...server, answer, write, end: () => socket.write(UPLOAD_TAIL) };
}

test("a body slower than the limit is cut, and one that is slow but fast enough arrives completely", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const [overMs, least] = [400, 40];
  const limits = { slowestBody: { bytesPerSecond: 100, overMs } };
  const slow = await startSlowUpload(200, limits);
  await slow.write("x".repeat(least));
  vi.advanceTimersByTime(overMs);
  await slow.write("x".repeat(least - 1));
  vi.advanceTimersByTime(overMs - 1);
  expect(slow.lines.join("")).not.toContain("came too slowly");
  vi.advanceTimersByTime(1);
  expect(await slow.answer).toBe("");
  expect(slow.lines.join("")).toContain("came too slowly and was cut");
  const steady = await startSlowUpload(5 * least, limits);
  for (let window = 0; window < 5; window += 1) {
    await steady.write("x".repeat(least));
    vi.advanceTimersByTime(overMs);
  }
  steady.end();
  expect(await steady.answer).toContain('{"bytes":200,"cut":false}');
  expect(steady.lines.join("")).not.toContain("A request failed");
});

test("a body that comes too slowly is cut although its call was refused before", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { app, port } = await startServer(undefined, { slowestBody: { bytesPerSecond: 100, overMs: 400 } });
  const came = new Promise<Socket>((resolve) => void app.server.once("connection", resolve));
  const socket = createConnection(port, "localhost");
  socket.write("POST /api/v1/unknown HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nx");
  const answer = await new Promise<Buffer>((resolve) => void socket.once("data", resolve));
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 404 /);
  const received = await came;
  vi.advanceTimersByTime(399);
  expect(received.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(received.destroyed).toBe(true);
});

test("before it stops, a server lets the upload in progress finish, answers reads, and accepts no more changes", async () => {
  const { app, send, answer, write, end } = await startSlowUpload(30);
  let isOver = false;
  const finished = app.finishChanges(new AbortController().signal).then(() => (isOver = true));
  const refused = await send("/api/v1/take", makeForm("file", 5));
  expect(readProblem(refused)).toMatchObject({ status: 503, code: "restarting" });
  expect(refused.headers.get("retry-after")).toBe("30");
  expect((await send("/api/v1/unknown")).status).toBe(404);
  await write("x".repeat(30));
  expect(isOver).toBe(false);
  end();
  expect(await answer).toContain('{"bytes":30,"cut":false}');
  await finished;
});

test("a server that must stop at once waits for no upload", async () => {
  const { app, answer } = await startSlowUpload(30);
  const hurry = new AbortController();
  const finished = app.finishChanges(hurry.signal);
  hurry.abort();
  await finished;
  await app.close();
  expect(await answer).toBe("");
});
