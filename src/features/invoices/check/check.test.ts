import { sql } from "kysely";
import { expect, test } from "vitest";
import { checkAgain, checkInvoices, dropCheck, type UploadCheck } from "#features/invoices/check/contract.ts";
import { listUploads, postInvoices, RESULT_STATUS, type UploadList } from "#features/invoices/contract.ts";
import { cancelUpload } from "#features/invoices/post/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { addSeen, checkRows, postSeen, untilCheck } from "../../../../test/support/checks.ts";
import { ACME, holdCalls } from "../../../../test/support/intuit.ts";
import { startApp, type TestApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine, type InvoiceRow, invoiceWorkbook } from "../../../../test/support/workbooks.ts";

const query = { realm_id: ACME };

const check = (browser: Browser, rows: InvoiceRow[], mode = "invoice") =>
  checkRows(browser, ACME, { rows, mode });

const untilState = (browser: Browser, id: string, state: UploadCheck["state"]) =>
  untilCheck(browser, ACME, { id, state });

const writes = async (app: TestApp) =>
  (await app.intuit.control<{ entries: { writes: number }[] }>(`journal?realm_id=${ACME}`)).entries.reduce(
    (sum, entry) => sum + entry.writes,
    0,
  );

test("a check reports counts, money and problems by cause, makes no write call and is not listed as an upload", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = [
    invoiceLine("C-1"),
    invoiceLine("C-2", { Customer: "Red Rock Diner" }),
    invoiceLine("C-2", { Customer: "Red Rock Diner", Item: "TM-25", Qty: 1, Rate: 14.5, Amount: 14.5 }),
    invoiceLine("C-3", { Item: "WIDGET-9" }),
    invoiceLine("C-4", { Item: "WIDGET-9" }),
    invoiceLine("C-5"),
  ];
  const found = await check(browser, rows);
  expect(found.report).toMatchObject({
    total: { invoices: 5, rows: 6 },
    ready: { invoices: 3, rows: 4, amount: "134.20" },
    rejected: { invoices: 2, rows: 2 },
    skipped: { invoices: 0 },
    customers: 2,
    problems: [
      {
        severity: "error",
        count: 2,
        rows: "5-6",
        text: expect.stringMatching(/^"WIDGET-9" isn't an item in QuickBooks/),
      },
    ],
    possible_duplicates: [
      { rows: "2 and 7", text: "2 invoices for Cool Cars with the same date and amount ($39.90)." },
    ],
  });
  expect(found.results.map(({ status, rows: of, message }) => [status, of, message])).toEqual([
    [100, "2-4", "Ready to post."],
    [2, "5-6", expect.stringMatching(/^D5-D6: "WIDGET-9" isn't an item in QuickBooks/)],
    [100, "7", "Ready to post."],
  ]);
  expect(await writes(app)).toBe(0);
  expect((await browser.call(listUploads, { query })).json()).toMatchObject({
    total_count: 0,
    in_process: false,
  });
});

test("UP-42 the warnings of a check include what concerns the whole file: left out columns, how dates are read", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const text = [
    "Invoice No,Customer,Invoice Date,Item,Qty,Rate,Amount,Branch",
    "W-1,Cool Cars,25/11/2026,Claw Hammer,2,19.95,39.90,North",
    "W-2,Cool Cars,03/11/2026,Claw Hammer,1,19.95,19.95,South",
  ].join("\r\n");
  const file = { name: "notes.csv", bytes: Buffer.from(text) };
  const accepted = await browser.call(checkInvoices, { query, file });
  const found = await untilState(browser, (accepted.json() as { id: string }).id, "checked");
  expect(found.report?.ready.invoices).toBe(2);
  expect(found.report?.problems.map(({ severity, text }) => [severity, text])).toEqual([
    ["warning", expect.stringContaining('"Branch"')],
    ["warning", expect.stringMatching(/day/)],
  ]);
});

test("UP-42 a title above the headers is information; a row of data there is a warning", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = ["Invoice No,Customer,Invoice Date,Item,Amount", "H-9,Cool Cars,2026-11-02,Claw Hammer,19.95"];
  const severityBelow = async (above: string) => {
    const file = { name: "a.csv", bytes: new TextEncoder().encode([above, ...rows].join("\n")) };
    const { id } = (await browser.call(checkInvoices, { query, file })).json() as { id: string };
    const { report } = await untilState(browser, id, "checked");
    return report?.problems.find(({ code }) => code === "rows_above_headers")?.severity;
  };
  expect(await severityBelow("Invoices of November 2026")).toBe("info");
  expect(await severityBelow("H-8,Cool Cars,2026-11-02,Claw Hammer,19.95")).toBe("warning");
});

test("one click posts exactly what was checked", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const found = await check(browser, [invoiceLine("D-1"), invoiceLine("D-2", { Item: "WIDGET-9" })]);
  const posted = await postSeen(browser, ACME, found);
  expect(posted.status).toBe(202);
  await untilState(browser, found.id, "posted");
  const list = await settledUploads(browser, ACME);
  expect(list.uploads[0]).toMatchObject({ id: found.id, counts: { completed: 1, problems: 1 } });
  const again = await postSeen(browser, ACME, found);
  expect(again.status).toBe(202);
  expect((await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber === "D-1")).toHaveLength(1);
});

test("a check is posted only when it is complete: requested a moment earlier it is refused, and not lost", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const hold = await holdCalls(app.intuit, { operation: "query" });
  const file = { name: "checked.xlsx", bytes: await invoiceWorkbook([invoiceLine("T-1")]) };
  const { id } = (await browser.call(checkInvoices, { query, file })).json() as { id: string };
  const ask = () => postSeen(browser, ACME, { id, revision: 1 });
  await hold.hit();
  await app.db.transaction().execute(async (tx) => {
    // The worker is held between its last two writes, where another process would see the one and not the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`summary ${ACME} ${id}`}, 0))`.execute(tx);
    await hold.release();
    const report = sql<{
      found: boolean;
    }>`select report is not null as found from upload_check where upload_id = ${id}::uuid`;
    await app.settle();
    expect((await report.execute(app.db)).rows[0]?.found).toBe(true);
    expect((await ask()).json()).toMatchObject({ status: 409, code: "not_checked" });
  });
  await untilState(browser, id, "checked");
  expect((await ask()).status).toBe(202);
  await untilState(browser, id, "posted");
});

test("requested three times at once, a check is posted once and each request succeeds", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const found = await check(browser, [invoiceLine("H-1")]);
  const ask = () => postSeen(browser, ACME, found);
  const replies = await Promise.all([ask(), ask(), ask()]);
  expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
  await untilState(browser, found.id, "posted");
  await settledUploads(browser, ACME);
  expect((await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber === "H-1")).toHaveLength(1);
});

test("what changed in the books since the check is shown, and nothing is posted until it is confirmed again", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const found = await check(browser, [invoiceLine("E-1"), invoiceLine("E-2")]);
  await app.intuit.control(`books/${ACME}/Invoice`, {
    DocNumber: "E-2",
    CustomerRef: { value: "1" },
    Line: [
      { Amount: 1, DetailType: "SalesItemLineDetail", SalesItemLineDetail: { ItemRef: { value: "3" } } },
    ],
  });
  await postSeen(browser, ACME, found);
  const changed = await untilState(browser, found.id, "checked");
  expect(changed.changes).toEqual([
    expect.stringMatching(/^Invoice E-2 can no longer be posted: A3: Invoice E-2 already exists/),
  ]);
  expect(await writes(app)).toBe(0);
  // A process that died before it noted the end of its run is followed by one that changes nothing.
  await sql`update run set state = 'queued', due_at = ${app.clock.now()} where id = (select id from run
    where kind = 'invoices.post-upload' order by requested_at desc limit 1)`.execute(app.db);
  await app.settle();
  expect(await untilState(browser, found.id, "checked")).toMatchObject(changed);
  // Nothing is being posted any more, so it isn't an upload.
  expect((await browser.call(listUploads, { query })).json()).toMatchObject({ uploads: [], total_count: 0 });
  await postSeen(browser, ACME, changed);
  await untilState(browser, found.id, "posted");
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toMatchObject({ completed: 1, problems: 1 });
});

test("a file is listed as an upload once a user asks to post it, can be canceled there, and dropped while it waits", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const [canceled, dropped] = [
    await check(browser, [invoiceLine("W-1")]),
    await check(browser, [invoiceLine("W-2")]),
  ];
  await sql`update intuit_connection set state = 'reconnect_needed'`.execute(app.db);
  for (const each of [canceled, dropped]) {
    await postSeen(browser, ACME, each);
    await untilState(browser, each.id, "waiting");
  }
  const list = async () => (await browser.call(listUploads, { query })).json() as UploadList;
  const waiting = await list();
  expect(waiting.total_count).toBe(2);
  expect(waiting.uploads.map(({ id }) => id)).toEqual([dropped.id, canceled.id]);
  expect(waiting.uploads[0]?.results[0]?.status).toBe(RESULT_STATUS.queued);
  expect((await browser.call(cancelUpload, { params: { upload_id: canceled.id }, query })).status).toBe(202);
  expect((await browser.call(dropCheck, { params: { upload_id: dropped.id }, query })).status).toBe(200);
  expect(await list()).toMatchObject({ total_count: 1, uploads: [{ id: canceled.id }] });
  await browser.connect("owner@acme.example", ACME);
  await app.settle(60_000);
  expect(await untilState(browser, canceled.id, "failed")).toMatchObject({
    reason: expect.stringContaining("canceled"),
  });
  expect(await writes(app)).toBe(0);
});

test("a check that stopped, at first or once it was to be posted, is repeated with its corrections, and then posted", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const found = await check(browser, [
    invoiceLine("S-1"),
    invoiceLine("S-2", { Rate: "1.234,50", Amount: "" }),
  ]);
  const again = async ({ revision }: UploadCheck, value?: string) =>
    browser.call(checkAgain, {
      params: { upload_id: found.id },
      query: { ...query, revision: `${revision}` },
      json: { cells: value ? [{ row: 3, field: "rate", value }] : [], invoices: [] },
    });
  const list = async () => (await browser.call(listUploads, { query })).json() as UploadList;
  const ended = [{ fault: "code", code: "6190", match: { path: "/query$" } }];

  await app.intuit.control("faults", ended);
  expect((await again(found, "12.50")).status).toBe(202);
  const stopped = await untilState(browser, found.id, "failed");
  expect(stopped.reason).toContain("subscription has ended");
  await app.intuit.control("faults", undefined, "DELETE");
  expect((await again(stopped)).status).toBe(202);
  const complete = await untilState(browser, found.id, "checked");
  expect(complete).toMatchObject({ report: { ready: { invoices: 2 } }, corrections: [{ value: "12.50" }] });

  await app.intuit.control("faults", ended);
  expect((await postSeen(browser, ACME, complete)).status).toBe(202);
  const unposted = await untilState(browser, found.id, "failed");
  expect((await list()).total_count).toBe(1);
  await app.intuit.control("faults", undefined, "DELETE");
  expect((await again(unposted)).status).toBe(202);
  const last = await untilState(browser, found.id, "checked");
  expect(last).toMatchObject({ report: { ready: { invoices: 2 } }, corrections: [{ value: "12.50" }] });
  expect(await list()).toMatchObject({ total_count: 0, uploads: [] });
  expect((await postSeen(browser, ACME, last)).status).toBe(202);
  await untilState(browser, found.id, "posted");
  expect((await settledUploads(browser, ACME)).uploads[0]?.counts).toMatchObject({ total: 2, completed: 2 });
  expect((await again(last)).status).toBe(409);
});

test("a suggestion that changes inside a rejected row does not hold back a good invoice", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const found = await check(browser, [invoiceLine("S-1"), invoiceLine("S-2", { Item: "Claw Hammers" })]);
  expect(found.report).toMatchObject({ ready: { invoices: 1 }, rejected: { invoices: 1 } });
  await app.intuit.control(`books/${ACME}/Item`, {
    Name: "Claw Hammerz",
    Type: "Service",
    Active: true,
    IncomeAccountRef: { value: "1" },
  });
  await postSeen(browser, ACME, found);
  await untilState(browser, found.id, "posted");
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toMatchObject({ completed: 1, problems: 1 });
});

test("the number of an invoice that was voided in the books is reported with the way to free it", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await app.intuit.control(`books/${ACME}/Invoice`, {
    DocNumber: "V-1",
    CustomerRef: { value: "1" },
    PrivateNote: "Voided",
    Line: [
      { Amount: 0, DetailType: "SalesItemLineDetail", SalesItemLineDetail: { ItemRef: { value: "3" } } },
    ],
  });
  const found = await check(browser, [invoiceLine("V-1")]);
  expect(found.report?.problems.map(({ text }) => text)).toEqual([
    expect.stringMatching(/, voided\)\. Use another number, or delete it in QuickBooks\.$/),
  ]);
});

test("all or nothing: one error holds back the whole file, on upload and on check", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = [invoiceLine("F-1"), invoiceLine("F-2", { Item: "WIDGET-9" })];
  const found = await check(browser, rows, "file");
  expect(found.report).toMatchObject({ ready: { invoices: 0 }, rejected: { invoices: 2 } });
  const refused = await postSeen(browser, ACME, found);
  expect(refused.json()).toMatchObject({ status: 409, code: "nothing_to_post" });
  const file = { name: "all.xlsx", bytes: await invoiceWorkbook(rows) };
  await browser.call(postInvoices, { query: { ...query, mode: "file" }, file });
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results[0]).toEqual({
    status: 4,
    rows: "2",
    message:
      "Not posted: you asked for all or nothing, and 1 invoice has errors. Correct them and upload the file again.",
  });
  expect(await writes(app)).toBe(0);
});

test("an invoice like one posted from another file is reported, and one that differs in the amount is not", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const first = {
    name: "first.xlsx",
    bytes: await invoiceWorkbook([invoiceLine("K-1"), invoiceLine("K-2", { Qty: 3, Amount: 59.85 })]),
  };
  await browser.call(postInvoices, { query: { ...query, mode: "invoice" }, file: first });
  await settledUploads(browser, ACME);
  const found = await check(browser, [invoiceLine("K-3"), invoiceLine("K-4", { Qty: 1, Amount: 19.95 })]);
  expect(found.report?.possible_duplicates).toEqual([
    { rows: "2", text: 'Same customer, date, and amount as invoice K-1 posted from "first.xlsx".' },
  ]);
});

/** Each day is an invoice of its own. */
const day = (number: number) => invoiceLine("", { "Invoice Date": `2026-11-0${number}` });

test("equal invoices are added for the files that a check named; those of a file posted since are reported first", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [day(2)]);
  await settledUploads(browser, ACME);
  const found = await check(browser, [day(2), day(3), day(4)]);
  await addSeen(browser, ACME, found);
  const added = await untilState(browser, found.id, "checked");
  expect(added.report).toMatchObject({ equal_invoices: 0, ready: { invoices: 3 } });
  await uploadRows(browser, ACME, [day(3), day(4), day(5)]);
  await settledUploads(browser, ACME);
  expect((await postSeen(browser, ACME, added)).status).toBe(202);
  const changed = await untilState(browser, found.id, "checked");
  expect(changed.changes).toEqual([
    "The invoice of row 3 was posted in the meantime.",
    "The invoice of row 4 was posted in the meantime.",
  ]);
  expect(changed.report).toMatchObject({ equal_invoices: 2, ready: { invoices: 1 } });
  expect(await writes(app)).toBe(4);
  await addSeen(browser, ACME, changed);
  const all = await untilState(browser, found.id, "checked");
  expect(all.report).toMatchObject({ equal_invoices: 0, ready: { invoices: 3 } });
});

test("invoices that a correction makes equal to posted ones are asked about, though others were added before", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [day(2), day(3), day(4)]);
  await settledUploads(browser, ACME);
  const wrong = { ...day(3), Rate: "1.234,50", Amount: undefined };
  const found = await check(browser, [day(2), wrong, day(5)]);
  expect(found.report).toMatchObject({ equal_invoices: 1 });
  await addSeen(browser, ACME, found);
  const added = await untilState(browser, found.id, "checked");
  expect(added.report).toMatchObject({ equal_invoices: 0, ready: { invoices: 2 } });
  const corrected = await browser.call(checkAgain, {
    params: { upload_id: found.id },
    query: { ...query, revision: `${added.revision}` },
    json: { cells: [{ row: 3, field: "rate", value: "19.95" }], invoices: [] },
  });
  expect(corrected.status).toBe(202);
  const again = await untilState(browser, found.id, "checked");
  expect(again.report).toMatchObject({ equal_invoices: 2, ready: { invoices: 1 } });
  await postSeen(browser, ACME, again);
  await settledUploads(browser, ACME);
  expect(await writes(app)).toBe(4);
});

test("a report that another user changed is not posted, or extended, by a user who has not seen the change", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [day(2), day(3)]);
  await settledUploads(browser, ACME);
  const seen = await check(browser, [day(2), day(3), day(4)]);
  expect(seen.report).toMatchObject({ ready: { invoices: 1 } });
  await addSeen(browser, ACME, seen);
  const added = await untilState(browser, seen.id, "checked");
  const changed = {
    status: 409,
    code: "check_changed",
    detail:
      "The check has run again since you opened it, so its results may have changed. Review it again, then post.",
  };
  expect((await postSeen(browser, ACME, seen)).json()).toMatchObject(changed);
  expect((await addSeen(browser, ACME, seen)).json()).toMatchObject(changed);
  expect(await untilState(browser, seen.id, "checked")).toEqual(added);
  expect(await writes(app)).toBe(2);
});

test("a double click does not post what had changed by the first click", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const seen = await check(browser, [day(2), day(3)]);
  await uploadRows(browser, ACME, [day(2), day(8)]);
  await settledUploads(browser, ACME);
  expect((await postSeen(browser, ACME, seen)).status).toBe(202);
  const changed = await untilState(browser, seen.id, "checked");
  expect(changed.changes).toEqual(["The invoice of row 2 was posted in the meantime."]);
  expect((await postSeen(browser, ACME, seen)).json()).toMatchObject({ code: "check_changed" });
  expect(await untilState(browser, seen.id, "checked")).toEqual(changed);
  expect(await writes(app)).toBe(2);
});
