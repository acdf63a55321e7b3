import { once } from "node:events";
import { connect } from "node:net";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { makeKey } from "#features/companies/api-keys/contract.ts";
import { followChanges, switchCompany } from "#features/companies/contract.ts";
import { listTrail } from "#features/companies/trail/contract.ts";
import { getUser } from "#features/identity/contract.ts";
import { listUploads } from "#features/invoices/contract.ts";
import { listOpenOrders, type OpenOrders } from "#features/labels/carrier/contract.ts";
import { takeOrders } from "#features/orders/api/contract.ts";
import { HOME } from "#platform/cells.ts";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import { createLog } from "#platform/log.ts";
import { type Browser } from "../../../test/support/browser.ts";
import { holdLock } from "../../../test/support/hold-lock.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { removeMember } from "../../../test/support/members.ts";
import { programOrder } from "../../../test/support/orders.ts";
import { NO_CALLER_LIMITS, startApp } from "../../../test/support/start-app.ts";
import { openTrackingDesk, until } from "../../../test/support/tracking.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { invoiceLine } from "../../../test/support/workbooks.ts";

const about = (realmId: string) => ({ query: { realm_id: realmId } });
import { ENDPOINTS } from "../endpoints.ts";
import { openDirectory } from "./directory.ts";
import { openCells } from "./test-cells.ts";

const list = async <Row>(db: Db, query: string) => (await sql.raw<Row>(query).execute(db)).rows;

test("OP-18 companies of two databases work in one product, and one user works in both", async () => {
  const { app, owner, platform } = await openCells();
  const { first_name: name, companies } = (await owner.call(getUser)).json() as {
    first_name: string;
    companies: { id: string; name: string }[];
  };
  expect(companies.map(({ id }) => id)).toEqual([ACME, BAY]);
  const known = new Map<string, number>();
  for (const realmId of [ACME, BAY]) {
    known.set(realmId, (await app.intuit.invoices(realmId)).length);
    const numbers = ["CELL-1", "CELL-2", "CELL-3"];
    expect(
      (
        await uploadRows(
          owner,
          realmId,
          numbers.map((number) => invoiceLine(number)),
        )
      ).status,
    ).toBe(202);
  }
  for (const realmId of [ACME, BAY]) {
    const { uploads } = await settledUploads(owner, realmId);
    expect(uploads).toMatchObject([{ uploaded_by: `${name} Owner` }]);
    expect((await app.intuit.invoices(realmId)).length).toBe((known.get(realmId) ?? 0) + 3);
    const trail = (await owner.call(listTrail, about(ACME))).json() as { entries: { user: string }[] };
    expect(trail.entries[0]?.user).toBe("owner@acme.example");
  }
  for (const [db, realmId] of [
    [app.home, ACME],
    [app.db, BAY],
  ] as const)
    for (const table of [
      "company",
      "intuit_connection",
      "company_member",
      "upload",
      "upload_invoice",
      "write",
    ])
      expect(await list(db, `select distinct realm_id from ${table} where realm_id <> ''`), table).toEqual([
        { realm_id: realmId },
      ]);
  expect(await list(app.db, "select from session")).toEqual([]);
  // A user without a company there.
  const other = app.browser();
  await other.signIn("clerk@acme.example");
  for (const headers of [{}, { "x-cell": "east" }, { "x-cell": "home" }, { "x-realm-id": ACME }]) {
    expect((await other.call(listUploads, { ...about(BAY), headers })).status).toBe(403);
    expect((await platform.call(listUploads, { ...about(ACME), headers })).status).toBe(403);
  }
});

test("OP-18 a company's calls are refused to users of another one, whichever database a caller names", async () => {
  const { app, owner, platform } = await openCells({ worker: false, limits: NO_CALLER_LIMITS });
  await removeMember(app.db, "owner@acme.example");
  const ofCompanies = ENDPOINTS.filter(({ access }) => access.kind === "member");
  expect(ofCompanies.length).toBeGreaterThan(50);
  const answered = new Set<string>();
  for (const [browser, realmId] of [
    [platform, ACME],
    [owner, BAY],
  ] as const)
    for (const endpoint of ofCompanies)
      for (const headers of [{}, { "x-cell": "home" }, { "x-cell": "east" }]) {
        const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, "1"] as const);
        const params = Object.fromEntries(names);
        const { status } = await browser.call(endpoint, { ...about(realmId), params, headers });
        answered.add(status === 403 ? "refused" : `${endpoint.method} ${endpoint.path} ${status}`);
      }
  expect([...answered]).toEqual(["refused"]);
});

test("a call that names no company is about the one of its session, or of its key", async () => {
  const { app, owner, platform } = await openCells();
  const makeOrders = async (browser: Browser, realmId: string, numbers: readonly number[]) => {
    const json = { name: "Shop", scopes: ["orders"] };
    const { secret } = (await browser.call(makeKey, { ...about(realmId), json })).json() as {
      secret: string;
    };
    const authorization = { authorization: `Bearer ${secret}` };
    const made = await app
      .browser()
      .call(takeOrders, { headers: authorization, json: numbers.map((number) => programOrder(number)) });
    expect(made.status, made.text).toBe(200);
    return authorization;
  };
  const listOrders = async (browser: Browser) =>
    ((await browser.call(listOpenOrders)).json() as OpenOrders).open.map(({ po_number }) => po_number);
  await makeOrders(owner, ACME, [1]);
  const headers = await makeOrders(platform, BAY, [2, 3]);
  expect([await listOrders(owner), await listOrders(platform)]).toEqual([["90001"], ["90002", "90003"]]);
  expect((await owner.call(switchCompany, about(BAY))).status).toBe(200);
  expect(await listOrders(owner)).toEqual(["90002", "90003"]);
  await owner.signIn("owner@acme.example");
  expect(await listOrders(owner)).toEqual(["90002", "90003"]);
  const elsewhere = { headers, json: [programOrder(4)] };
  expect((await app.browser().call(takeOrders, { ...elsewhere, ...about(ACME) })).status).toBe(401);
  await owner.request("/logout/", { method: "POST" });
  expect((await owner.call(listOpenOrders)).status).toBe(401);
});

test("users follow changes of their companies in both databases", async () => {
  const { app, owner } = await openCells({ worker: false });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(new URL(followChanges.path, app.url), {
    headers: { cookie },
    signal: stop.signal,
  });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const chunk of response.body ?? [])
      seen.push(
        ...[
          ...Buffer.from(chunk)
            .toString()
            .matchAll(/"realm_id":"(\d+)"/g),
        ].map(([, id]) => id ?? ""),
      );
  })().catch(() => undefined);
  await until(
    app,
    async () => {
      await publishChange(app.home, { realmId: ACME, kind: "invoices" });
      await publishChange(app.db, { realmId: BAY, kind: "invoices" });
      return new Set(seen);
    },
    (found) => found.size === 2,
  );
  stop.abort();
  await reading;
});

test("while one database is down, companies of the other one work, and users and programs of the first are asked to wait", async () => {
  const { app, owner, platform } = await openCells({ worker: false });
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db);
  const name = sql.id(rows[0]?.name ?? "");
  const json = { name: "Shop", scopes: ["orders"] };
  const { secret } = (await platform.call(makeKey, { ...about(BAY), json })).json() as { secret: string };
  const sendOrder = () =>
    app.browser().call(takeOrders, {
      headers: { authorization: `Bearer ${secret}` },
      json: [programOrder(1)],
    });
  const allow = async (isAllowed: boolean) => {
    await sql`alter database ${name} allow_connections ${sql.raw(String(isAllowed))}`.execute(app.home);
    if (!isAllowed)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${rows[0]?.name}`.execute(
        app.home,
      );
  };
  onTestFinished(() => allow(true));
  await allow(false);
  expect((await owner.call(listUploads, about(ACME))).status).toBe(200);
  const refused = await owner.call(listUploads, about(BAY));
  expect([refused.status, refused.json()]).toMatchObject([503, { code: "database_unavailable" }]);
  // Not 401: its key is as good as before.
  const waiting = await sendOrder();
  expect([waiting.status, waiting.json()]).toMatchObject([503, { code: "database_unavailable" }]);
  const { companies } = (await owner.call(getUser)).json() as { companies: { id: string }[] };
  expect(companies.map(({ id }) => id)).toEqual([ACME]);
  const ready = await owner.request("/readyz");
  expect([ready.status, ready.json()]).toMatchObject([200, { ready: true, failing: ["database east"] }]);
  await allow(true);
  await until(
    app,
    () => owner.call(listUploads, about(BAY)),
    ({ status }) => status === 200,
  );
  expect((await sendOrder()).status).toBe(200);
});

test("a further database that hangs is named by /readyz, and the process stays ready", async () => {
  const { app } = await openCells({ worker: false });
  const release = await holdLock(app, (tx) => sql`lock table run in access exclusive mode`.execute(tx));
  onTestFinished(release);
  const ready = await app.browser().request("/readyz");
  expect([ready.status, ready.json()]).toMatchObject([
    200,
    { ready: true, failing: ["database east"], queue: { working: 0 } },
  ]);
});

test("a flood of calls that name no company is refused without a query", async () => {
  const lines: string[] = [];
  const log = createLog("warn", { write: (line: string) => void lines.push(line) });
  const { app, owner } = await openCells({ worker: false, log, limits: { callsPerMinute: 30 } });
  // The first counts for the network: its session is not known yet where the database is chosen.
  for (let calls = 0; calls <= 30; calls += 1) await owner.call(listOpenOrders);
  const release = await holdLock({ ...app, db: app.home }, (tx) =>
    sql`lock table session in access exclusive mode`.execute(tx),
  );
  onTestFinished(release);
  expect((await owner.call(listOpenOrders)).status).toBe(429);
  expect(lines.filter((line) => line.includes("The database of a request was not found"))).toEqual([]);
});

test("a call whose caller hangs up while its database is looked for does not hold up a stop", async () => {
  const { app, owner } = await openCells({ worker: false });
  const release = await holdLock({ ...app, db: app.home }, (tx) =>
    sql`lock table session in access exclusive mode`.execute(tx),
  );
  const { port, hostname, host } = new URL(app.url);
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const client = connect(Number(port), hostname);
  await once(client, "connect");
  client
    .resume()
    .end(
      `POST ${switchCompany.path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${app.url}\r\nCookie: ${cookie}\r\n\r\n`,
    );
  await once(client, "close");
  await release();
  // Looked for after that call, and so answered after it.
  await owner.call(listOpenOrders);
  await app.finishChanges(new AbortController().signal);
});

test("companies from before there were two databases stay in the first, and a start refuses to lose one", async () => {
  const app = await startApp({ worker: false });
  await app.owner(ACME);
  const home = { ...app.application.ctx, cell: HOME };
  const east = { ...home, cell: "east" };
  const directory = await openDirectory({ home, cells: [home, east] });
  expect([await directory.find(ACME), await directory.find(BAY)]).toEqual([HOME, undefined]);
  expect([await directory.place(ACME, "east"), await directory.place(BAY, "east")]).toEqual([HOME, "east"]);
  // Of two that connect it at once, one decides.
  expect(await directory.place(BAY, HOME)).toBe("east");
  await expect(openDirectory({ home, cells: [home] })).rejects.toThrow(
    "CELLS lacks east, the database of 1 company: add it again.",
  );
});

test("messages of Intuit, UPS and Stripe reach the database of their company", async () => {
  const desk = await openTrackingDesk({ hasCells: true });
  const [number = ""] = await desk.packages({ ageHours: 1 });
  const { Id: id } = await desk.invoice({ TrackingNum: number });
  await desk.turnOn();
  await desk.set({ attach_pods: "true" });
  await until(desk.app, desk.list, (invoices) => invoices[0]?.state === "label_created");
  await desk.move(number, "delivered");
  const [file] = await until(
    desk.app,
    () => desk.files(id),
    (files) => files.length > 0,
  );
  expect(file).toMatchObject({ FileName: `proof-of-delivery-${number}.pdf` });
  const calls = await list<{ calls: number }>(desk.app.home, "select sum(calls) as calls from metered_calls");
  expect(Number(calls[0]?.calls)).toBeGreaterThan(0);
  expect(await list(desk.app.db, "select from metered_calls")).toEqual([]);
});
