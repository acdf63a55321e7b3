import { sql } from "kysely";
import { expect, test } from "vitest";
import * as keys from "#features/programs/api-keys/contract.ts";
import { addUser } from "#features/companies/contract.ts";
import * as webhooks from "#features/programs/webhooks/contract.ts";
import { createCustomer } from "#features/books/names/contract.ts";
import { readColumns } from "#features/invoices/workbook/contract.ts";
import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import { createLabels } from "#features/labels/contract.ts";
import { takeOrders } from "#features/orders/api/contract.ts";
import type { Browser, Reply } from "../../../../test/support/browser.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { holdLock } from "../../../../test/support/hold-lock.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../../../../test/support/labels.ts";
import { startReceiver } from "../../../../test/support/receiver.ts";
import { joinAs } from "../../../../test/support/members.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";
import { executeSystemRun } from "../../../../test/support/system-runs.ts";
import { invoiceRows, invoiceWorkbook } from "../../../../test/support/workbooks.ts";

const under = (key: string) => ({ "idempotency-key": key });
const ABOUT = { query: { realm_id: ACME } };

const isReplayed = ({ headers }: Pick<Reply, "headers">) => headers.get("idempotent-replayed");

/** Status and code of a refusal. */
const refusal = (reply: Reply) => `${reply.status} ${(reply.json() as { code: string }).code}`;

const makeFile = async (prefix: string) => ({
  name: "orders.xlsx",
  bytes: await invoiceWorkbook(invoiceRows(2, { prefix })),
});

const makeKey = (browser: Browser, name: string, key: string, realm_id = ACME) =>
  browser.call(keys.makeKey, { query: { realm_id }, json: { name }, headers: under(key) });

const invite = (browser: Browser, name: string, key: string) =>
  browser.call(addUser, { query: { ...ABOUT.query, email: `${name}@acme.example` }, headers: under(key) });

const countUploads = async (browser: Browser, query = ABOUT.query) =>
  ((await browser.call(listUploads, { query })).json() as UploadList).total_count;

const countKept = async ({ db }: TestApp) =>
  (await sql`select from kept_answer where status is not null`.execute(db)).rows.length;

test("OP-16 a file that is sent again under its key gets the first answer, and is one upload; another file, name or mode is refused", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const file = await makeFile("A");
  const send = (key: string, what = file, mode = "invoice") =>
    browser.call(postInvoices, { query: { realm_id: ACME, mode }, file: what, headers: under(key) });
  const first = await send("one");
  expect([first.status, isReplayed(first)]).toEqual([202, null]);
  const again = await send("one");
  expect([again.status, again.text, isReplayed(again)]).toEqual([202, first.text, "true"]);
  expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
  for (const other of [
    () => send("one", { ...file, bytes: file.bytes.with(-1, 1) }),
    () => send("one", { ...file, name: "other.xlsx" }),
    () => send("one", file, "file"),
  ]) {
    const refused = await other();
    expect(refused.json()).toMatchObject({
      status: 422,
      code: "idempotency_key_reused",
      detail:
        "This Idempotency-Key was used in the last 24 hours for a request with different content. Send a new key with each new request.",
    });
  }
  expect(await countUploads(browser)).toBe(1);
  expect((await send("two")).status).toBe(202);
  expect(await countUploads(browser)).toBe(2);
});

test("OP-16 companies, users and API keys each have their own keys", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const clerk = await joinAs(app, owner, { realmId: ACME, email: "clerk@acme.example" });
  await app.owner(BAY);
  const send = async (browser: Browser, realm_id: string) =>
    browser.call(postInvoices, { query: { realm_id }, file: await makeFile("B"), headers: under("same") });
  for (const reply of [await send(owner, ACME), await send(owner, BAY), await send(clerk, ACME)])
    expect([reply.status, isReplayed(reply)]).toEqual([202, null]);
  expect([await countUploads(owner), await countUploads(owner, { realm_id: BAY })]).toEqual([2, 1]);
  const secrets = await Promise.all(
    ["first", "second"].map(
      async (name) => ((await makeKey(owner, name, name)).json() as { secret: string }).secret,
    ),
  );
  const order = async (secret: string | undefined) => {
    const headers = { ...under("same"), authorization: `Bearer ${secret}` };
    return app.browser().call(takeOrders, { json: { po_number: "1" }, headers });
  };
  const first = await order(secrets[0]);
  const [again, other] = [await order(secrets[0]), await order(secrets[1])];
  expect([first, again, other].map(isReplayed)).toEqual([null, "true", null]);
  expect(again.text).toBe(first.text);
});

test("OP-16 of several requests at once under one key one does the work, and the others get its answer or are sent again", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const release = await holdLock(app, (tx) =>
    sql`select from company where realm_id = ${ACME} for update`.execute(tx),
  );
  const first = invite(browser, "dana", "race");
  await app.settle();
  expect((await sql`select from kept_answer`.execute(app.db)).rows.length).toBe(1);
  const early = await invite(browser, "dana", "race");
  expect([refusal(early), early.headers.get("retry-after")]).toEqual(["409 idempotency_in_progress", "1"]);
  expect(refusal(await invite(browser, "eve", "race"))).toBe("422 idempotency_key_reused");
  await release();
  const { status, text } = await first;
  expect(status).toBe(200);
  const all = await Promise.all(Array.from({ length: 5 }, () => invite(browser, "dana", "race")));
  expect(all.map((reply) => [reply.text, isReplayed(reply)])).toEqual(all.map(() => [text, "true"]));
  const file = await makeFile("C");
  const uploads = await Promise.all(
    Array.from({ length: 5 }, () => browser.call(postInvoices, { ...ABOUT, file, headers: under("files") })),
  );
  expect(uploads.map(({ status }) => status).filter((status) => status !== 202 && status !== 409)).toEqual(
    [],
  );
  expect(await countUploads(browser)).toBe(1);
});

test("OP-16 a new key's secret is in the first answer only: a repeat says that it was shown once, and it is stored nowhere", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const release = await holdLock(app, (tx) =>
    sql`select from company where realm_id = ${ACME} for update`.execute(tx),
  );
  const gone = new AbortController();
  const lost = fetch(`${app.url}${keys.makeKey.path}?realm_id=${ACME}`, {
    method: "POST",
    signal: gone.signal,
    body: JSON.stringify({ name: "Program" }),
    headers: {
      ...under("lost"),
      "content-type": "application/json",
      origin: app.url,
      cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; "),
    },
  });
  await app.settle();
  expect((await sql`select from kept_answer`.execute(app.db)).rows.length).toBe(1);
  gone.abort();
  await expect(lost).rejects.toThrow("aborted");
  await release();
  await app.settle();
  expect(await countKept(app)).toBe(1);
  const again = await makeKey(browser, "Program", "lost");
  expect(refusal(again)).toBe("409 shown_once");
  expect((again.json() as { detail: string }).detail).toMatch(/^This was made by the first request /);
  const made = (await browser.call(keys.listKeys, ABOUT)).json() as { keys: { name: string }[] };
  expect(made.keys.map(({ name }) => name)).toEqual(["Program"]);
  const receiver = await startReceiver(app);
  const json = { url: receiver.url(), events: ["upload.finished"] };
  const add = () => browser.call(webhooks.addWebhook, { ...ABOUT, json, headers: under("webhook") });
  const { webhook } = (await add()).json() as { webhook: { id: string } };
  expect(refusal(await add())).toBe("409 shown_once");
  const query = { ...ABOUT.query, endpoint_id: webhook.id };
  const replace = () => browser.call(webhooks.replaceSecret, { query, headers: under("secret") });
  expect([(await replace()).status, refusal(await replace())]).toEqual([200, "409 shown_once"]);
  const { rows } = await sql`select from kept_answer where body_sealed is not null`.execute(app.db);
  expect(rows).toEqual([]);
});

test("OP-16 an answer that was sealed with a key that was removed since says that the request was done, and does nothing again", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  expect((await invite(browser, "clerk", "sealed")).status).toBe(200);
  await sql`update kept_answer set body_sealed = replace(body_sealed, 'v1.t1.', 'v1.removed.')`.execute(
    app.db,
  );
  const again = await invite(browser, "clerk", "sealed");
  expect(refusal(again)).toBe("409 answer_unreadable");
  expect((again.json() as { detail: string }).detail).toMatch(
    /^The first request with this Idempotency-Key was done, /,
  );
  await sql`update kept_answer set body_sealed = replace(body_sealed, 'v1.removed.', 'v1.t1.')`.execute(
    app.db,
  );
  expect(isReplayed(await invite(browser, "clerk", "sealed"))).toBe("true");
});

test("OP-16 calls that change nothing, and answers over 64 kB, are not kept", async () => {
  const app = await startApp({ worker: "labels" });
  const browser = await app.owner(ACME);
  const file = await makeFile("R");
  const read = () => browser.call(readColumns, { ...ABOUT, file, headers: under("read") });
  expect([(await read()).status, isReplayed(await read())]).toEqual([200, null]);
  expect(await countKept(app)).toBe(0);
  await setUpLabels(browser);
  const labels = { name: "cartons.xlsx", bytes: await labelWorkbook([{ Cartons: 150 }]) };
  const make = () => browser.call(createLabels, { ...ABOUT, file: labels, headers: under("large") });
  const [first, again] = [await make(), await make()];
  expect([first.text.length > 64 * 1024, isReplayed(again)]).toEqual([true, null]);
  expect(again.text).toBe(first.text);
  expect(await countKept(app)).toBe(0);
  const made = await browser.call(keys.makeKey, { ...ABOUT, json: { name: "Orders" } });
  const headers = {
    ...under("orders"),
    authorization: `Bearer ${(made.json() as { secret: string }).secret}`,
  };
  const orders = Array(500).fill({ po_number: "1", ship_to: {}, lines: [{}] });
  const order = () => app.browser().call(takeOrders, { json: orders, headers });
  const [long, repeated] = [await order(), await order()];
  expect([long.status, long.text.length > 64 * 1024, isReplayed(repeated)]).toEqual([200, true, null]);
  expect(await countKept(app)).toBe(0);
});

test("OP-16 of one caller the latest 1,000 answers are kept, and at most 50 MB", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await makeKey(browser, "Taken", "taken");
  const refuse = async (key: string) => void (await makeKey(browser, "Taken", key));
  await refuse("newest");
  const copy = (count: number, bytes: number) =>
    sql`insert into kept_answer select realm_id, caller, 'copy ' || bytes || ' ' || at, fingerprint, holder,
      claimed_at - interval '1 minute', status, headers, repeat('x', bytes)
      from kept_answer, generate_series(1, ${count}::int) at, (select ${bytes}::int as bytes) size
      where key = 'newest'`.execute(app.db);
  await copy(1_100, 10);
  await refuse("one-more");
  expect(await countKept(app)).toBe(1_000);
  await sql`delete from kept_answer where key like 'copy%'`.execute(app.db);
  await copy(60, 1024 * 1024);
  await refuse("another");
  const { rows } = await sql<{ key: string }>`select key from kept_answer order by claimed_at desc`.execute(
    app.db,
  );
  expect(rows.length).toBeLessThan(55);
  expect(rows.map(({ key }) => key)).toEqual(expect.arrayContaining(["newest", "one-more", "another"]));
});

test("OP-16 kept are refusals by the work itself; failures and what is refused before it are tried again", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await makeKey(browser, "Taken", "first");
  const taken = await makeKey(browser, "Taken", "refused");
  const again = await makeKey(browser, "Taken", "refused");
  expect(refusal(taken)).toBe("409 key_name_used");
  expect([again.text, isReplayed(again)]).toEqual([taken.text, "true"]);

  expect((await makeKey(browser, "", "shape")).status).toBe(400);
  expect((await makeKey(browser, "Shape", "shape")).status).toBe(200);
  expect((await makeKey(browser, "Shape", "shape", BAY)).status).toBe(403);

  const create = () =>
    browser.call(createCustomer, {
      ...ABOUT,
      json: { name: "Brand New Ltd", confirmed: true },
      headers: under("outage"),
    });
  await app.intuit.control("faults", [{ fault: "500", match: { operation: "customer.create" } }]);
  expect((await create()).status).toBeGreaterThanOrEqual(500);
  await app.intuit.control("faults", undefined, "DELETE");
  const created = await create();
  expect([created.status, isReplayed(created)]).toEqual([200, null]);
  expect(isReplayed(await create())).toBe("true");
});

test("OP-16 an answer is kept for 24 hours, and then swept", async () => {
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock });
  const browser = await app.owner(ACME);
  const file = await makeFile("D");
  const send = () => browser.call(postInvoices, { ...ABOUT, file, headers: under("day") });
  await send();
  clock.advance(11 * 3_600_000);
  await browser.call(listUploads, ABOUT);
  clock.advance(11 * 3_600_000);
  await browser.call(listUploads, ABOUT);
  clock.advance(2 * 3_600_000 - 100);
  expect(isReplayed(await send())).toBe("true");
  clock.advance(100);
  const next = await send();
  expect([next.status, isReplayed(next), await countUploads(browser)]).toEqual([202, null, 2]);
  clock.advance(24 * 3_600_000);
  await executeSystemRun(app, "system.sweep");
  expect(await countKept(app)).toBe(0);
});

test("OP-16 work whose process died before its answer was stored can be done again, and the ledger posts nothing twice", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const file = await makeFile("E");
  const send = () => browser.call(postInvoices, { ...ABOUT, file, headers: under("crash") });
  expect((await send()).status).toBe(202);
  await sql`update kept_answer set status = null, headers = null, body_sealed = null`.execute(app.db);
  expect(refusal(await send())).toBe("409 idempotency_in_progress");
  await sql`update kept_answer set claimed_at = claimed_at - interval '2 minutes'`.execute(app.db);
  expect((await send()).status).toBe(202);
  await app.settle();
  expect(((await browser.call(listUploads, ABOUT)).json() as UploadList).in_process).toBe(false);
  const invoices = await app.intuit.control<{ DocNumber: string }[]>(`books/${ACME}/Invoice`);
  expect(invoices.filter(({ DocNumber }) => DocNumber.startsWith("E"))).toHaveLength(2);
});

test("OP-16 a document is answered again as it was; keys that can't be kept are refused, and GET knows none", async () => {
  const app = await startApp({ worker: "labels" });
  const browser = await app.owner(ACME);
  await setUpLabels(browser);
  const file = { name: "cartons.xlsx", bytes: await labelWorkbook([{ Cartons: 3 }]) };
  const make = () => browser.call(createLabels, { ...ABOUT, file, headers: under("labels") });
  const [first, again] = [await make(), await make()];
  expect([first.status, isReplayed(first), isReplayed(again)]).toEqual([200, null, "true"]);
  expect(again.text).toBe(first.text);
  for (const header of ["x-document-of", "content-type", "content-disposition"])
    expect(again.headers.get(header), header).toBe(first.headers.get(header));
  for (const key of ["", "two words", "k".repeat(256)])
    expect(refusal(await makeKey(browser, "Key", key)), key).toBe("400 invalid_idempotency_key");
  const list = await browser.call(listUploads, { ...ABOUT, headers: under("labels") });
  expect([list.status, isReplayed(list)]).toEqual([200, null]);
});
