import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { readDays, readOverview } from "#features/admin/contract.ts";
import {
  downloadList,
  LIST_NAMES,
  readList,
  type ListName,
  type ListPage,
  type ListRow,
} from "#features/admin/lists/contract.ts";
import { auditBy } from "#features/audit/index.ts";
import { askForGrant } from "#features/companies/support/contract.ts";
import { addReports } from "#features/telemetry/store.ts";
import { addAdminRows } from "../../../../test/support/admin-rows.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { appOfFile } from "../../../../test/support/start-app.ts";

const COMPANIES = 12;
const ROWS = 130;
const AT = "2026-01-01T00:00:00Z";
const app = appOfFile({ worker: false });
let operator: Browser;

beforeAll(async () => {
  operator = app().browser();
  await operator.signIn("platform@dockside.example");
  await addAdminRows(app().db, { companies: COMPANIES, rows: ROWS });
});

async function read(list: ListName, query: Record<string, string> = {}): Promise<ListPage> {
  const reply = await operator.call(readList, { params: { list }, query });
  expect(reply.status, reply.text).toBe(200);
  return reply.json() as ListPage;
}

test.each(LIST_NAMES)("AM-02 the list of %s has each row once, page by page, newest first", async (list) => {
  const keys: string[] = [];
  let before: string | null = null;
  do {
    const page: ListPage = await read(list, { limit: "50", ...(before === null ? {} : { before }) });
    keys.push(...page.rows.map(({ key }) => key));
    before = page.next;
  } while (before !== null);
  expect(new Set(keys).size).toBe(keys.length);
  const of: Partial<Record<ListName, number>> = {
    companies: COMPANIES,
    users: ROWS + 1,
    labels: 2 * ROWS,
    audit: ROWS + 1,
  };
  expect(keys).toHaveLength(of[list] ?? ROWS);
});

test.each<[ListName, string, number]>([
  ["companies", "8000000000000003", 1],
  ["companies", "company 1", 4],
  ["users", "USER12@many.example", 1],
  ["users", "of12", 11],
  ["uploads", "october", 130],
  ["uploads", "OCTOBER-12.xls", 11],
  ["uploads", "tober", 0],
  ["uploads", "user12@", 1],
  ["uploads", "of129", 1],
  ["uploads", "Company 12", 10],
  ["uploads", "00000000-0000-4000-8000-000000000011", 1],
  ["uploads", "':*", 0],
  ["runs", "req-17", 1],
  ["runs", "00000000-0000-4000-8000-000000000011", 1],
  ["runs", "Company 12", 10],
  ["tracking", "1zmade000000000009", 1],
  ["orders", "PO-9", 1],
  ["labels", "PO-9", 1],
  ["labels", "8000000000000012", 20],
  ["billing", "sub_5", 1],
  ["webhooks", "evt_5", 1],
  ["webhooks", "sub_5", 1],
  ["outgoing", "00000000-0000-4000-8000-000000000011", 1],
  ["mail", "user128", 1],
  ["messages", "user128@", 1],
  ["errors", "RangeError: 12", 11],
  ["errors", "user12@", 1],
  ["errors", "req-12", 1],
  ["recordings", "user12@", 1],
  ["recordings", "req-12", 1],
  ["recordings", "00000000-0000-4000-8000-000000000011", 1],
  ["audit", "req-5", 1],
  ["audit", "%", 0],
])("OP-12 the list of %s is searched for %s", async (list, search, count) => {
  const { rows } = await read(list, { search, limit: "200" });
  expect(rows).toHaveLength(count);
});

test("AM-02 rows that need an operator are listed apart, and counted", async () => {
  expect((await read("runs", { show: "attention" })).rows.map(({ key }) => key)).toEqual([
    "00000000-0000-4000-8000-000000000007",
  ]);
  const failed = await read("outgoing", { show: "attention" });
  expect(failed.rows).toMatchObject([{ host: "hooks.example", event: "labels.made", state: "failed" }]);
  expect((await read("labels", { show: "attention", limit: "200" })).rows).toHaveLength(ROWS);
});

test("SR-06 uploads are listed with what was posted of them, by outcome", async () => {
  const { rows } = await read("uploads", { show: "in_part" });
  expect(rows).toMatchObject([
    {
      file: "Acme_October-7.xlsx",
      company: "Company 8",
      uploaded_by: "User Of7",
      invoices: 11,
      posted: 6,
      outcome: "in_part",
    },
  ]);
  expect((await read("uploads", { show: "not_posted" })).rows).toEqual([]);
});

test("SR-07 only what an operator can settle waits for operators; the problems of customers are counted apart", async () => {
  await sql`update run set state = 'waiting', failures = 3, finished_at = null where request_id = 'req-9'`.execute(
    app().db,
  );
  // A run that works or is queued after a failure goes on by itself, and so does an event that has just arrived.
  await sql`update run set state = 'working', failures = 1, finished_at = null where request_id = 'req-10'`.execute(
    app().db,
  );
  await sql`update run set state = 'queued', failures = 1, finished_at = null where request_id = 'req-11'`.execute(
    app().db,
  );
  await sql`update stripe_event set handled_at = null where id in ('evt_1', 'evt_2', 'evt_3')`.execute(
    app().db,
  );
  await sql`update stripe_event set received_at = ${app().clock.now()} where id = 'evt_2'`.execute(app().db);
  await sql`update stripe_event set subject_id = null where id = 'evt_3'`.execute(app().db);
  await sql`insert into intuit_connection (realm_id, id, state, access_token_sealed, access_expires_at, refresh_token_sealed, connected_at,
      updated_at) values ('8000000000000003', gen_random_uuid(), 'reconnect_needed', '', ${AT}, '', ${AT}, ${AT})`.execute(
    app().db,
  );
  const reply = await operator.call(readOverview);
  expect(reply.json()).toMatchObject({
    waiting: { runs: 1, webhooks: 1, mail: 1 },
    of_customers: {
      companies: 1,
      tracking: 1,
      orders: 0,
      differences: ROWS,
      labels: ROWS,
      billing: 0,
      outgoing: 1,
    },
  });
  const waiting = await read("runs", { show: "waiting" });
  expect(waiting.rows).toMatchObject([{ request_id: "req-9", state: "waiting", failures: 3 }]);
  expect((await read("webhooks", { show: "waiting" })).rows.map(({ key }) => key)).toEqual(["evt_1"]);
});

test("SR-07 an order with two problems counts once", async () => {
  const { rows } = await read("orders", { limit: "3" });
  const ids = sql.join(rows.map(({ key }) => sql`${key}::uuid`));
  await sql`update retail_order set waiting = '{}', waiting_at = ${AT} where id in (${ids})`.execute(
    app().db,
  );
  await sql`insert into order_notice (realm_id, id, order_id, kind, partner, document, po_number, facts, state, created_at, due_at)
    select realm_id, gen_random_uuid(), id, 'cancel', partner, '855', po_number, '{}', 'rejected', ${AT}, ${AT} from retail_order
    where id in (${ids})`.execute(app().db);
  expect((await read("orders", { show: "attention" })).rows).toHaveLength(3);
  expect((await operator.call(readOverview)).json()).toMatchObject({ of_customers: { orders: 3 } });
});

test("AM-02 a list is downloaded as CSV, as it is searched", async () => {
  const reply = await operator.call(downloadList, { params: { list: "orders" }, query: { search: "PO-9" } });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(reply.text.split("\r\n")).toEqual([
    expect.stringContaining("key,realm_id,company,po_number"),
    expect.stringContaining("PO-9,made,A customer,open"),
    "",
  ]);
});

test("AM-02 errors are listed by cause and downloaded, found by the support id of any of their reports", async () => {
  const again = () => ({
    source: "server" as const,
    fingerprint: "cause 5",
    title: "RangeError: again",
    place: "/label/",
    release: "dockside@8",
    requestId: "req-again",
    receivedAt: new Date(),
    event: { event_id: randomUUID().replaceAll("-", "") },
  });
  await addReports(app().db, [again(), again()]);
  const { rows } = await read("errors", { search: "req-5" });
  expect(rows).toMatchObject([
    { key: "cause 5", title: "RangeError: again", count: 3, release: "dockside@8", user: null, stack: "" },
  ]);
  const first = (await read("errors")).rows[0];
  expect(first).toMatchObject({ key: "cause 5", count: 3 });
  const reply = await operator.call(downloadList, { params: { list: "errors" }, query: { search: "req-7" } });
  expect(reply.text.split("\r\n")).toEqual([
    expect.stringContaining("key,title,place,source,release,count"),
    expect.stringMatching(/^cause 7,RangeError: 7 .*,"?draw \(page\.js:3:4\)/),
    "",
  ]);
});

test("AM-02 a place of another list is refused", async () => {
  const reply = await operator.call(readList, { params: { list: "runs" }, query: { before: "1.sub_1" } });
  expect([reply.status, reply.json()]).toMatchObject([400, { code: "invalid_request" }]);
});

test("SR-08 what was done is counted by the days of the caller, and lists show the rows of one day", async () => {
  const start = Date.parse(AT);
  // Rows are a second apart; "days" of a minute and a half show the limits as well.
  const starts = [start - 90_000, start, start + 90_000, start + 900_000];
  const reply = await operator.call(readDays, { query: { starts: starts.join(",") } });
  expect(reply.json()).toMatchObject({
    days: [
      { invoices: 0, labels: 0, deliveries: 0, errors: 0 },
      { invoices: 90 * 11 - 5, errors: 90 },
      { invoices: 40 * 11, errors: 40 },
      {},
    ],
  });
  const from = new Date(starts[1]!).toISOString();
  const until = new Date(starts[2]!).toISOString();
  for (const list of ["uploads", "errors", "labels"] as const)
    expect((await read(list, { from, until, limit: "200" })).rows, list).toHaveLength(
      list === "labels" ? 180 : 90,
    );
  const csv = await operator.call(downloadList, { params: { list: "uploads" }, query: { from, until } });
  expect(csv.text.trim().split("\n")).toHaveLength(91);
  const wrong = await operator.call(readDays, { query: { starts: `${starts[1]},${starts[0]}` } });
  expect(wrong.status).toBe(400);
});

test("OP-13 what a company's trail quotes of its files, and more of a webhook than its host, is shown to an operator under a grant of it only", async () => {
  const { ctx } = app().application;
  const [realmId, other] = ["8000000000000003", "8000000000000004"];
  const cells = [{ row: 2, value: "Secret Customer" }];
  const url = "https://hooks.example/secret-path?key=1";
  const actions = [
    { action: "check.again", after: { cells } },
    { action: "orders.address", before: { name: "Secret Street" }, after: { name: "Secret Road" } },
    {
      action: "companies.save_webhook",
      before: { url, events: [] },
      after: { url, events: ["labels.made"] },
    },
    { action: "support.end", before: { operator: "platform@dockside.example" } },
    { action: "orders.notices" },
  ] as const;
  for (const realm of [realmId, other, null]) {
    const { audit } = auditBy(ctx, { userId: null, realmId: realm, requestId: `trail ${realm}` });
    for (const action of actions) await audit(ctx.db, action);
  }
  const see = async (realm: string | null) =>
    Object.fromEntries(
      (await read("audit", { search: `trail ${realm}` })).rows.map((row) => {
        const { action, before, after, is_hidden } = row as ListRow<"audit">;
        const values = [before, after].map((text) => (text === null ? null : (JSON.parse(text) as object)));
        return [action, [...values, is_hidden]];
      }),
    );
  const open = { "support.end": [{ operator: "platform@dockside.example" }, null, false] };
  const none = { "orders.notices": [null, null, false] };
  const hidden = {
    "check.again": [null, null, true],
    "orders.address": [null, null, true],
    "companies.save_webhook": [
      { url: "hooks.example", events: [] },
      { url: "hooks.example", events: ["labels.made"] },
      true,
    ],
  };
  const shown = {
    "check.again": [null, { cells }, false],
    "orders.address": [{ name: "Secret Street" }, { name: "Secret Road" }, false],
    "companies.save_webhook": [{ url, events: [] }, { url, events: ["labels.made"] }, false],
  };
  const download = async () =>
    (await operator.call(downloadList, { params: { list: "audit" }, query: { search: `trail ${realmId}` } }))
      .text;
  expect(await see(realmId)).toEqual({ ...open, ...none, ...hidden });
  expect(await download()).not.toMatch(/secret/i);
  const reply = await operator.call(askForGrant, { json: { realm_id: realmId, reason: "Ticket 7" } });
  expect(reply.status, reply.text).toBe(200);
  expect(await see(realmId)).toEqual({ ...open, ...none, ...shown });
  expect(await download()).toContain("Secret Road");
  expect(await see(other)).toEqual({ ...open, ...none, ...hidden });
  expect(await see(null)).toEqual({ ...open, ...none, ...shown });
  app().clock.advance(25 * 3_600_000);
  await operator.signIn("platform@dockside.example");
  expect(await see(realmId)).toEqual({ ...open, ...none, ...hidden });
});
