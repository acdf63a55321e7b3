import { randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import {
  ENVELOPE_BYTES,
  MAX_EVENTS_PER_ENVELOPE,
  FAILURES_A_MINUTE,
  MAX_REPORTS_PER_USER,
  MEASURE_SHARE,
} from "#features/telemetry/limits.ts";
import { HTTP_LIMITS } from "#platform/http/limits.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { clickAdd } from "../../../test/support/billing.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { executeSystemRun } from "../../../test/support/system-runs.ts";

const EVENT_ID = "9ec79c33ec9942ab8353589fcb2e04dc";
const localDsn = (app: TestApp) => app.url.replace("://", "://local@") + "/1";

type Item = { header: object; content: string | object };

const eventItem = (event: object): Item => ({ header: { type: "event" }, content: event });

function envelope(dsn: string | undefined, items: readonly Item[]): string {
  const lines = items.flatMap(({ header, content }) => [
    JSON.stringify(header),
    typeof content === "string" ? content : JSON.stringify(content),
  ]);
  return [JSON.stringify({ event_id: EVENT_ID, dsn }), ...lines].join("\n");
}

const makeEvent = (more: object = {}) => ({
  event_id: EVENT_ID,
  timestamp: 1_795_000_000,
  platform: "javascript",
  level: "error",
  release: "dockside@7",
  environment: "production",
  transaction: "/app/",
  tags: { branch: "main", request_id: "r-1" },
  user: { username: "olive", name: "Olive Owner", email: "owner@acme.example" },
  exception: {
    values: [
      {
        type: "TypeError",
        value: "rows is undefined",
        stacktrace: {
          frames: [
            { filename: "http://h/assets/shell-aaaaaaaa.js", function: "run", lineno: 1, colno: 2 },
            { filename: "http://h/assets/page-bbbbbbbb.js?x=1", function: "draw", lineno: 3, colno: 4 },
          ],
        },
      },
    ],
  },
  ...more,
});

/** Sends as an SDK does: as plain text, from a page. */
const send = (app: TestApp, body: string, headers: Record<string, string> = {}) =>
  app.browser().request("/telemetry/errors", {
    method: "POST",
    body,
    headers: { "content-type": "text/plain;charset=UTF-8", ...headers },
  });

const sendEvents = (app: TestApp, ...events: object[]) =>
  send(app, envelope(localDsn(app), events.map(eventItem)));

async function readErrors(app: TestApp): Promise<ListRow<"errors">[]> {
  const admin = app.browser();
  await admin.signIn("platform@dockside.example");
  const reply = await admin.call(readList, { params: { list: "errors" } });
  return (reply.json() as { rows: ListRow<"errors">[] }).rows;
}

const stored = async (app: TestApp) =>
  (await sql<{ event: object }>`select event from error_report`.execute(app.db)).rows;

test("GEN-10 reports that arrive together are all stored before they are answered, the same one once", async () => {
  const app = await startApp({ worker: false });
  const ids = Array.from({ length: 30 }, () => randomUUID().replaceAll("-", ""));
  const answered = await Promise.all(
    [...ids, ...ids.slice(0, 5)].map(async (id) => {
      const reply = await sendEvents(app, makeEvent({ event_id: id, tags: {} }));
      const { rows } = await sql`select from error_report where id = ${id}::uuid`.execute(app.db);
      return [reply.status, rows.length];
    }),
  );
  expect(answered).toEqual(Array.from({ length: 35 }, () => [200, 1]));
  expect(await stored(app)).toHaveLength(30);
  const message = 'a "b\\c", {d}, NULL';
  const several = [1, 2, 3].map((at) => makeEvent({ event_id: `${at}`.repeat(32), message }));
  expect((await sendEvents(app, ...several)).status).toBe(200);
  expect((await stored(app)).filter(({ event }) => "message" in event).map(({ event }) => event)).toEqual(
    several.map(() => expect.objectContaining({ message })),
  );
});

test("GEN-10 a report with a NUL, half a character, or an emoji where it is cut is stored, as are those that arrive with it", async () => {
  const app = await startApp({ worker: false });
  const odd = ["\u0000", "\ud83d", `${"x".repeat(499)}😀`];
  const events = odd.flatMap((message, at) => [
    makeEvent({ event_id: `${at}a`.repeat(16), message, transaction: `/app/\u0000\udc00` }),
    makeEvent({ event_id: `${at}b`.repeat(16), message: "An ordinary one" }),
  ]);
  const replies = await Promise.all(events.map((event) => sendEvents(app, event)));
  expect(replies.map(({ status }) => status)).toEqual(events.map(() => 200));
  const messages = (await stored(app)).map(({ event }) => (event as { message?: string }).message);
  expect(messages).toHaveLength(6);
  expect(new Set(messages)).toEqual(new Set(["", "An ordinary one", `${"x".repeat(499)}\ufffd`, "\ufffd"]));
});

/** Sends as a page does whose user has signed in. */
const sendAs = (browser: Browser, app: TestApp, ...events: object[]) =>
  browser.request("/telemetry/errors", {
    method: "POST",
    body: envelope(localDsn(app), events.map(eventItem)),
    headers: { "content-type": "text/plain;charset=UTF-8" },
  });

test("UO-16 GEN-11 a report's user is the one of the session that sent it, whatever it says", async () => {
  const app = await startApp({ worker: false });
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  await sendAs(clerk, app, makeEvent());
  await sendEvents(app, makeEvent({ event_id: "1".repeat(32), exception: undefined, message: "Of a guest" }));
  const users = (await readErrors(app)).map(({ title, user }) => [title, user]);
  expect(users).toEqual([
    ["Of a guest", null],
    ["TypeError: rows is undefined", "clerk@acme.example"],
  ]);
});

test("operators get one mail a day about errors that are new, and none if none is; texts of guests aren't in it", async () => {
  const app = await startApp({ mail: true });
  const operator = app.browser();
  await operator.signIn("platform@dockside.example");
  const fail = (id: string, more: object) =>
    sendAs(operator, app, makeEvent({ event_id: id.repeat(32), exception: undefined, ...more }));
  const mailed = async () => {
    await executeSystemRun(app, "telemetry.mail-causes");
    await app.settle();
    return app.mailbox().messages();
  };
  expect(await mailed()).toEqual([]);
  await fail("1", { message: "The page broke" });
  await fail("2", { message: "The list broke", transaction: "/label/" });
  await fail("3", { message: "The list broke", transaction: "/label/" });
  await sendEvents(
    app,
    makeEvent({ event_id: "4".repeat(32), exception: undefined, message: "Buy at http://x" }),
  );
  const [mail, ...more] = await mailed();
  expect([mail?.to, mail?.subject, more]).toEqual([
    ["platform@dockside.example"],
    "3 new errors in Dockside",
    [],
  ]);
  expect(mail?.text.replaceAll("\r\n", "\n")).toContain(
    [
      "The list broke (/label/, 2 times)",
      "The page broke (/app/, once)",
      "1 is listed only in Admin: too many to name here, or sent by visitors who weren't signed in.",
      `Open Errors: ${app.url}/controller/errors`,
    ].join("\n\n"),
  );
  expect((await operator.request("/controller/errors")).status).toBe(200);
  await fail("5", { message: "The page broke" });
  expect(await mailed()).toHaveLength(1);
  await fail("6", { message: "The form broke" });
  const [newest] = await mailed();
  expect([newest?.subject, app.mailbox().messages()]).toMatchObject([
    "1 new error in Dockside",
    { length: 2 },
  ]);
});

test("UO-16 guests' reports push out only those of guests, by number and by size", async () => {
  const app = await startApp({ worker: false, limits: { reportsPerMinute: 100_000 } });
  const clerk = app.browser();
  await clerk.signIn("clerk@acme.example");
  await sendAs(clerk, app, makeEvent());
  await sendEvents(app, makeEvent({ event_id: "1".repeat(32) }));
  const flood = (event: string, count: number) =>
    sql`insert into error_report select gen_random_uuid(), source, fingerprint, title, place, release, null,
      received_at + interval '1 second', ${event}::jsonb
      from error_report, generate_series(1, ${count}::int) where id = ${"1".repeat(32)}::uuid`.execute(
      app.db,
    );
  const left = async () =>
    (
      await sql<{
        guests: number;
        users: number;
      }>`select count(*) filter (where event -> 'user' is null)::int as guests,
        count(*) filter (where event -> 'user' is not null)::int as users from error_report`.execute(app.db)
    ).rows[0];
  /** As much as makes the store measured. */
  const fill = async () => {
    for (let batch = 0; batch <= MAX_REPORTS_PER_USER.count * MEASURE_SHARE; batch += MAX_EVENTS_PER_ENVELOPE)
      await sendEvents(
        app,
        ...Array.from({ length: MAX_EVENTS_PER_ENVELOPE }, () =>
          makeEvent({ event_id: randomUUID().replaceAll("-", "") }),
        ),
      );
  };
  await flood("{}", 2_000);
  await fill();
  const first = await left();
  expect(first?.users).toBe(1);
  expect(first?.guests).toBeLessThanOrEqual(MAX_REPORTS_PER_USER.count * (1 + MEASURE_SHARE));
  await sql`delete from error_report where event = '{}'`.execute(app.db);
  // Random, because the database compresses what repeats.
  await flood(JSON.stringify({ message: randomBytes(60_000).toString("base64") }), 200);
  await fill();
  const { rows } = await sql<{ bytes: number }>`select sum(pg_column_size(event))::int as bytes
    from error_report where event -> 'user' is null`.execute(app.db);
  expect(rows[0]?.bytes).toBeLessThan(MAX_REPORTS_PER_USER.bytes * (1 + MEASURE_SHARE));
  expect((await left())?.users).toBe(1);
});

test("UO-16 a large report is read as a small one is", async () => {
  const app = await startApp({ worker: false });
  const reply = await sendEvents(app, makeEvent({ extra: { rows: "x".repeat(100_000) } }));
  expect([reply.status, reply.json()]).toEqual([200, { id: EVENT_ID }]);
  expect((await readErrors(app)).map(({ title }) => title)).toEqual(["TypeError: rows is undefined"]);
});

test("AP-33 GEN-10 GEN-11 a page's report is stored with its release, branch and environment, once, and shown to operators", async () => {
  const app = await startApp({ worker: false });
  for (let time = 0; time < 2; time += 1) {
    const reply = await sendEvents(app, makeEvent());
    expect([reply.status, reply.json()]).toEqual([200, { id: EVENT_ID }]);
  }
  expect(await readErrors(app)).toEqual([
    {
      key: expect.stringMatching(/^[0-9a-f]{16}$/),
      title: "TypeError: rows is undefined",
      place: "/app/",
      source: "browser",
      release: "dockside@7",
      count: 1,
      first_at: expect.any(String),
      last_at: expect.any(String),
      user: null,
      request_id: "r-1",
      stack: "draw (http://h/assets/page-bbbbbbbb.js:3:4)\nrun (http://h/assets/shell-aaaaaaaa.js:1:2)",
    },
  ]);
  expect((await stored(app))[0]?.event).toMatchObject({
    environment: "production",
    tags: { branch: "main" },
  });
});

test("errors with one cause are one entry, in any release and with any message", async () => {
  const app = await startApp({ worker: false });
  const [value] = makeEvent().exception.values;
  const frames = [{ filename: "http://h/assets/page-cccccccc.js", function: "draw", lineno: 9, colno: 9 }];
  const again = { ...value, value: "rows is null", stacktrace: { frames } };
  await sendEvents(app, makeEvent());
  await sendEvents(
    app,
    makeEvent({ event_id: "1".repeat(32), release: "dockside@8", exception: { values: [again] } }),
  );
  await sendEvents(
    app,
    makeEvent({ event_id: "2".repeat(32), exception: { values: [{ type: "RangeError" }] } }),
  );
  const errors = await readErrors(app);
  expect(errors.map(({ title, count, release }) => [title, count, release])).toEqual([
    ["RangeError", 1, "dockside@7"],
    ["TypeError: rows is null", 2, "dockside@8"],
  ]);
});

test("RP-13 no secret and nothing from a document's content is stored", async () => {
  const app = await startApp({ worker: false });
  const secrets = [
    "pi_3Nx_secret_4242",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    "refresh-token-77",
    "hunter2",
    "Paulsen Medical Supplies owes us 1,200.00 for hammers",
    "4242424242424242",
    "session-cookie",
    "203.0.113.7",
    "whsec_abc123",
  ];
  const [client, signed, token, password, content, card, cookie, address, signing] = secrets;
  await sendEvents(
    app,
    makeEvent({
      transaction: `/payment-completion/?payment_intent_client_secret=${client}`,
      message: `refresh_token=${token} password=${password}`,
      request: {
        url: `http://h/x?code=${token}`,
        cookies: { dockside_session: cookie },
        headers: { cookie },
      },
      breadcrumbs: [{ message: card }],
      extra: { row: content },
      user: { email: "owner@acme.example", ip_address: address },
      contexts: { state: { value: content } },
      exception: {
        values: [
          {
            type: "SyntaxError",
            value: `Unexpected token, "${content}" is not valid; ${client} Bearer ${signed} ${signing}`,
            stacktrace: {
              frames: [{ filename: `http://h/a.js?t=${token}`, vars: { card }, context_line: content }],
            },
          },
        ],
      },
    }),
  );
  const text = JSON.stringify([await stored(app), await readErrors(app)]);
  expect(text).toContain("SyntaxError");
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test("AP-33 anything that is not a report from our own pages is refused, and other items of an envelope are dropped", async () => {
  const app = await startApp({ worker: false });
  const dsn = localDsn(app);
  const good = envelope(dsn, [eventItem(makeEvent())]);
  const codes = async (body: string, headers: Record<string, string> = {}) => {
    const reply = await send(app, body, headers);
    return [reply.status, (reply.json() as { code?: string }).code];
  };
  expect(await codes(envelope("https://key@sentry.example/7", [eventItem(makeEvent())]))).toEqual([
    403,
    "other_project",
  ]);
  expect(await codes(envelope(undefined, [eventItem(makeEvent())]))).toEqual([403, "other_project"]);
  expect(await codes(good, { "sec-fetch-site": "cross-site" })).toEqual([403, "cross_site"]);
  // A program, such as one with @sentry/node, does not say where it comes from.
  const program = await fetch(new URL("/telemetry/errors", app.url), { method: "POST", body: good });
  expect([program.status, await program.json()]).toMatchObject([403, { code: "cross_site" }]);
  for (const body of [
    "",
    "x",
    "[]",
    `${good}\n{`,
    envelope(dsn, [{ header: { type: "event", length: 9e9 }, content: "{}" }]),
  ])
    expect(await codes(body)).toEqual([400, "invalid_envelope"]);
  expect(await codes(good + " ".repeat(ENVELOPE_BYTES))).toEqual([413, "too_large"]);
  expect(await stored(app)).toEqual([]);
  const dropped = [
    { header: { type: "attachment", length: 5, filename: "a.txt" }, content: "a\nb\nc" },
    { header: { type: "session" }, content: {} },
    { header: { type: "client_report" }, content: {} },
  ];
  const mixed = await send(
    app,
    envelope(dsn, [...dropped, eventItem(makeEvent()), eventItem({ event_id: "no id" })]),
  );
  expect([mixed.status, mixed.json()]).toEqual([200, { id: EVENT_ID }]);
  expect(await stored(app)).toHaveLength(1);
});

test("AP-33 a network that reports too much is asked to wait", async () => {
  const app = await startApp({ worker: false });
  const statuses = new Set<number>();
  for (let count = 0; count < HTTP_LIMITS.reportsPerMinute; count += 1)
    statuses.add((await send(app, envelope(localDsn(app), []))).status);
  expect([...statuses]).toEqual([200]);
  const reply = await send(app, envelope(localDsn(app), []));
  expect([reply.status, Number(reply.headers.get("retry-after")) > 0]).toEqual([429, true]);
});

test("failures of calls and runs are stored by the same rules, with the support id, and with a limit", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  // An outage that the caller is asked to wait for isn't a failure of ours.
  await app.stripe.control("faults", { fault: "server_error", method: "POST", path: "/v1/" });
  expect((await clickAdd(owner)).status).toBe(503);
  await app.settle();
  expect(await stored(app)).toEqual([]);
  await sql`alter table upload rename to upload_gone`.execute(app.db);
  // Another test may get this database.
  onTestFinished(async () => void (await sql`alter table upload_gone rename to upload`.execute(app.db)));
  const reply = await owner.request(`/api/v1/invoices?realm_id=${ACME}`);
  expect(reply.status).toBe(500);
  await app.settle();
  expect((await stored(app)).length).toBe(1);
  const [error] = await readErrors(app);
  expect(error).toMatchObject({
    place: "GET /api/v1/invoices",
    source: "server",
    release: app.config.release,
    request_id: reply.headers.get("x-request-id"),
    user: null,
  });
  expect(error?.title).toContain('relation "upload" does not exist');
  expect(error?.stack).toContain("src/features/invoices/");
  for (let count = 0; count < FAILURES_A_MINUTE + 5; count += 1)
    await owner.request(`/api/v1/invoices?realm_id=${ACME}`);
  await app.settle();
  expect((await stored(app)).length).toBe(FAILURES_A_MINUTE);
});

test("reports are removed after 30 days", async () => {
  const app = await startApp({ worker: false });
  await sendEvents(app, makeEvent());
  await sendEvents(app, makeEvent({ event_id: "1".repeat(32) }));
  await sql`update error_report set received_at = now() - interval '30 days 1 minute'
    where id = ${EVENT_ID}::uuid`.execute(app.db);
  await executeSystemRun(app, "system.sweep");
  expect((await readErrors(app)).map(({ count }) => count)).toEqual([1]);
});

test("with a project of the operator's own, pages name it, and reports go there without secrets and not into our database", async () => {
  const received: { url: string | undefined; auth: string | undefined; lines: string[] }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const auth = request.headers["x-sentry-auth"]?.toString();
      received.push({ url: request.url, auth, lines: body.split("\n") });
      response.end("{}");
    });
  }).listen(0, "localhost");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const dsn = `http://abc123@localhost:${(server.address() as AddressInfo).port}/sub/42`;
  const app = await startApp({ worker: false, env: { SENTRY_DSN: dsn, RELEASE: "dockside@9" } });
  const page = await app.browser().request("/");
  expect(page.text).toContain(`"dsn":"${dsn}"`);
  expect(page.text).toContain('"release":"dockside@9"');
  expect((await send(app, envelope(localDsn(app), [eventItem(makeEvent())]))).status).toBe(403);
  const reply = await send(app, envelope(dsn, [eventItem(makeEvent({ message: "password=hunter2" }))]));
  expect(reply.status).toBe(200);
  const [report] = received;
  expect([received.length, report?.url]).toEqual([1, "/sub/api/42/envelope/"]);
  expect(report?.auth).toContain("sentry_key=abc123");
  expect(JSON.parse(report?.lines[0] ?? "")).toMatchObject({ event_id: EVENT_ID, dsn });
  expect(JSON.parse(report?.lines[2] ?? "")).toMatchObject({
    event_id: EVENT_ID,
    message: "password=[secret]",
  });
  expect(await stored(app)).toEqual([]);
});

test("UO-16 deep, wide and endless reports are refused, and the worst texts cost the server little", async () => {
  const app = await startApp({ worker: false });
  const half = ENVELOPE_BYTES / 2 - 1_000;
  const content = (extra: string) => JSON.stringify(makeEvent()).replace(/}$/, () => `,"extra":${extra}}`);
  const header = JSON.stringify({ dsn: localDsn(app) });
  const bodies: [string, number][] = [
    [content(`${"[".repeat(half)}${"]".repeat(half)}`), 400],
    [content(`[${"0,".repeat(half)}0]`), 400],
    ['{"type":"x"}\n{}\n'.repeat(half / 10), 400],
    [`{"type":"event"}\n${JSON.stringify(makeEvent({ message: `${"a-".repeat(half)}=` }))}`, 200],
    [`{"type":"event"}\n${JSON.stringify(makeEvent({ transaction: "?".repeat(half) }))}`, 200],
  ];
  // The first call compiles what it uses.
  await sendEvents(app, makeEvent());
  for (const [text, status] of bodies) {
    const items = text.startsWith('{"type') ? text : `{"type":"event"}\n${text}`;
    const before = process.threadCpuUsage();
    const reply = await send(app, `${header}\n${items}`);
    const { user, system } = process.threadCpuUsage(before);
    expect(reply.status).toBe(status);
    expect((user + system) / 1_000).toBeLessThan(200);
  }
});
