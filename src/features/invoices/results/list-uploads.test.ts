import { sql } from "kysely";
import { expect, test } from "vitest";
import { listCompanies, removeUser } from "#features/companies/contract.ts";
import {
  countWaiting,
  listUploadResults,
  listedUpload,
  listUploads,
  postInvoices,
  type UploadList,
  uploadList,
} from "#features/invoices/contract.ts";
import { type Receipt, readReceipt } from "#features/invoices/receipt/contract.ts";
import { ACME, BAY, holdCalls } from "../../../../test/support/intuit.ts";
import { joinAs, setGroups } from "../../../../test/support/members.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine, invoiceWorkbook } from "../../../../test/support/workbooks.ts";

test("AP-16 the list has uploads with filename, timestamp and results, the total count and whether work is in progress", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const read = async () => (await browser.call(listUploads, { query: { realm_id: ACME } })).json();
  expect(await read()).toEqual({ uploads: [], total_count: 0, in_process: false });
  await uploadRows(browser, ACME, [invoiceLine("L-1"), invoiceLine("L-2", { Customer: "Nobody We Know" })]);
  await settledUploads(browser, ACME);
  const list = uploadList
    .extend({ uploads: listedUpload.strict().array() })
    .strict()
    .parse(await read());
  expect(list).toMatchObject({ total_count: 1, in_process: false });
  expect(list.uploads[0]?.results).toEqual([
    {
      status: 0,
      rows: "2",
      message: "1 invoice posted.",
      invoices: 1,
      posted: [{ number: "L-1", link: expect.stringContaining(ACME) }],
    },
    {
      status: 2,
      rows: "3",
      message: expect.stringMatching(/^B3: "Nobody We Know" isn't a customer/),
      cause: expect.stringMatching(/^"Nobody We Know" isn't a customer/),
      places: [1, 1],
      problems: [
        {
          code: "customer_unknown",
          field: "customer",
          column: 1,
          message: expect.stringMatching(/^"Nobody We Know" isn't a customer/),
        },
      ],
    },
  ]);
});

test("UP-46 UP-54 the posted invoices listed for an upload's rows are those of its receipt, with remarks between them, and link to the company's books", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [
    invoiceLine("P-1", { "PO Number": "77" }),
    invoiceLine("P-1", { "PO Number": "77", Item: "TM-25", Amount: 39.9 }),
    invoiceLine("P-2", { Customer: "Nobody We Know" }),
    invoiceLine("P-1", { "PO Number": "77", Item: "Delivery" }),
    invoiceLine("P-3", { "PO Number": "78" }),
  ]);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  const query = { realm_id: ACME };
  const receipt = (
    await browser.call(readReceipt, { params: { upload_id: upload?.id ?? "" }, query })
  ).json() as Receipt;
  const posted = upload?.results.filter(({ status }) => status === 0) ?? [];
  const counted = posted.map(({ message }) => Number(/^(\d+) invoices? posted\.$/.exec(message)?.[1] ?? 0));
  expect(upload?.results.some(({ status, rows }) => status === 7 && /^[2-6]/.test(rows))).toBe(true);
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(receipt.posted.invoices);
  expect(receipt.posted.invoices).toBe(2);
  expect(upload?.invoices).toEqual({
    total: 3,
    posted: 2,
    problems: 1,
    unconfirmed: 0,
    open: 0,
    skipped: 0,
    undone: 0,
    amount: receipt.posted.amount,
    currencies: receipt.currencies,
  });
  const books = await app.intuit.invoices(ACME);
  const linked = posted.flatMap(({ posted: invoices = [] }) => invoices);
  expect(new Set(linked.map(({ number }) => number))).toEqual(new Set(["P-1", "P-3"]));
  for (const { number, link } of linked) {
    const { Id } = books.find(({ DocNumber }) => DocNumber === number) ?? {};
    expect(link).toMatch(new RegExp(`/${ACME}.*${Id}$`));
  }
});

test("UP-40 uploads are found by file, customer and number, from the file or from QuickBooks, and say who sent them", async () => {
  const app = await startApp();
  const browser = await app.owner(BAY);
  const send = async (name: string, rows: Parameters<typeof invoiceWorkbook>[0]) => {
    const file = { name, bytes: await invoiceWorkbook(rows) };
    await browser.call(postInvoices, { query: { realm_id: BAY }, file });
  };
  await send("alpha.xlsx", [invoiceLine("")]);
  await send("beta_100%.xlsx", [
    invoiceLine("", { Customer: "Red Rock Diner" }),
    invoiceLine("", { Customer: "Nobody" }),
  ]);
  const { uploads } = await settledUploads(browser, BAY);
  const given =
    uploads.find(({ filename }) => filename === "alpha.xlsx")?.results[0]?.posted?.[0]?.number ?? "";
  const find = async (search: string) => {
    const list = (await browser.call(listUploads, { query: { realm_id: BAY, search } })).json() as UploadList;
    return [list.total_count, ...list.uploads.map(({ filename }) => filename)];
  };
  expect(await find("ALPHA")).toEqual([1, "alpha.xlsx"]);
  expect(await find("red rock")).toEqual([1, "beta_100%.xlsx"]);
  expect(given).toMatch(/^\d+$/);
  expect(await find(given)).toEqual([1, "alpha.xlsx"]);
  expect(await find("a_1")).toEqual([1, "beta_100%.xlsx"]);
  expect(await find("0%.")).toEqual([1, "beta_100%.xlsx"]);
  expect(await find("zzz")).toEqual([0]);
  expect(new Set(uploads.map(({ uploaded_by }) => uploaded_by)).size).toBe(1);
  expect(uploads[0]?.uploaded_by).toMatch(/^[A-Z]\w+ [A-Z]\w+$/);
});

test("an upload names the user who sent it even after they were removed, and not who has their email now", async () => {
  const app = await startApp({ worker: false });
  const owner = await app.owner(ACME);
  const desk = { realm_id: ACME, email: "desk@acme.example" };
  const dana = { sub: "desk-1", givenName: "Dana", familyName: "First" };
  await app.intuit.control("seed", { users: [{ ...dana, email: desk.email }] });
  const clerk = await joinAs(app, owner, { realmId: ACME, email: desk.email });
  await setGroups(app.db, ["app"]);
  expect((await uploadRows(clerk, ACME, [invoiceLine("D-1")])).status).toBe(202);
  await owner.call(removeUser, { query: desk });
  const eve = { sub: "desk-2", email: desk.email, givenName: "Eve", familyName: "Second" };
  await app.intuit.control("seed", { users: [{ ...dana, email: "dana@elsewhere.example" }, eve] });
  await app.browser().signIn(desk.email);
  const list = async () =>
    (await owner.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
  expect((await list()).uploads.map(({ uploaded_by }) => uploaded_by)).toEqual(["Dana First"]);
  // If an upload's user is no longer known, the email that it was sent with is shown.
  await sql`update upload set uploaded_by_id = null`.execute(app.db);
  expect((await list()).uploads.map(({ uploaded_by }) => uploaded_by)).toEqual([desk.email]);
});

test("UP-40 350 uploads are reached page by page with the last id seen, each once, even several of one moment", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [invoiceLine("K-1")]);
  await sql`insert into upload (realm_id, id, file_name, sha256, object_key, size_bytes, data_rows, uploaded_by, uploaded_at, stage,
      summary)
    select realm_id, gen_random_uuid(), 'copy ' || n, sha256, object_key, size_bytes, data_rows, uploaded_by,
      uploaded_at - (n / 7) * interval '1 minute', stage, summary
    from upload, generate_series(1, 349) n where realm_id = ${ACME}`.execute(app.db);
  await sql`update upload_list set total = 350, version = version + 1 where realm_id = ${ACME}`.execute(
    app.db,
  );
  const page = async (query: Record<string, string>) =>
    (await browser.call(listUploads, { query: { realm_id: ACME, ...query } })).json() as UploadList;
  const seen: UploadList["uploads"] = [];
  for (;;) {
    const last = seen.at(-1);
    const { uploads, total_count } = await page(last ? { limit: "60", before: last.id } : { limit: "60" });
    expect(total_count).toBe(350);
    if (uploads.length === 0) break;
    seen.push(...uploads);
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(350);
  expect(seen).toHaveLength(350);
  const times = seen.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted().toReversed());
  const foreign = await browser.call(listUploads, {
    query: { realm_id: ACME, before: "00000000-0000-4000-8000-000000000000" },
  });
  expect(foreign.status).toBe(404);
});

test("SC-100 SC-101 while a file is posted its rows are shown as working, and those after them as checked and waiting", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const hold = await holdCalls(app.intuit, { operation: "batch" });
  await uploadRows(
    browser,
    ACME,
    Array.from({ length: 200 }, (_, index) => invoiceLine(`W-${index}`)),
  );
  const results = async () => {
    const list = (await browser.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
    return list.uploads[0]?.results.map(({ status, message }) => `${status} ${message}`) ?? [];
  };
  // Calls leave at the same time: of three batches the third may be recorded before the second.
  const both = new Set(["101 Being sent to QuickBooks.", "100 Checked; waiting to be sent to QuickBooks."]);
  await app.settle();
  expect(new Set(await results())).toEqual(both);
  await hold.release();
  await settledUploads(browser, ACME);
  expect(await results()).toEqual(["0 200 invoices posted."]);
});

test("what waits for a user is counted in all uploads, however many are newer, less what files with its rows posted", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const readWaiting = async () => (await browser.call(countWaiting, { query })).json();
  const nothing = { invoices: 0, upload_id: null };
  expect(await readWaiting()).toEqual({ problems: nothing, unconfirmed: nothing });
  const faulty = ["W-2", "W-3"].map((number) => invoiceLine(number, { Customer: "Nobody We Know" }));
  await uploadRows(browser, ACME, [invoiceLine("W-1"), ...faulty]);
  const [first] = (await settledUploads(browser, ACME)).uploads;
  const id = first?.id ?? "";
  /** Adds uploads like the first with other counts, one a minute. @returns the id of the newest */
  const add = async (uploads: number, counts: object, { days = 0, fixes = null as string | null } = {}) => {
    const { rows } = await sql<{
      id: string;
    }>`insert into upload (realm_id, id, file_name, sha256, object_key, size_bytes,
        data_rows, uploaded_by, uploaded_at, stage, fixes, summary)
      select realm_id, gen_random_uuid(), file_name, n || sha256, n || object_key, size_bytes, data_rows, uploaded_by,
        uploaded_at + n * interval '1 minute' - ${days}::int * interval '1 day', stage, ${fixes}::uuid,
        jsonb_set(summary, '{invoices}', summary -> 'invoices' || ${JSON.stringify(counts)}::jsonb)
      from upload, generate_series(1, ${uploads}::int) n where id = ${id}::uuid order by n returning id`.execute(
      app.db,
    );
    return rows.at(-1)?.id;
  };
  await add(30, { problems: 0 });
  expect(await readWaiting()).toEqual({ problems: { invoices: 2, upload_id: id }, unconfirmed: nothing });
  const newest = await add(3, { problems: 0, unconfirmed: 5 });
  await add(1, { problems: 4, unconfirmed: 1 }, { days: 91 });
  const unconfirmed = { invoices: 16, upload_id: newest };
  expect(await readWaiting()).toEqual({ problems: { invoices: 2, upload_id: id }, unconfirmed });
  await add(1, { problems: 0, posted: 1 }, { fixes: id });
  expect(await readWaiting()).toEqual({ problems: { invoices: 1, upload_id: id }, unconfirmed });
  await add(2, { problems: 0, posted: 9 }, { fixes: id });
  expect(await readWaiting()).toEqual({ problems: nothing, unconfirmed });
});

test("AP-39 every time in an answer is ISO 8601 in UTC with Z", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [invoiceLine("Z-1")]);
  const list = await settledUploads(browser, ACME);
  const upload_id = list.uploads[0]?.id ?? "";
  const options = { params: { upload_id }, query: { realm_id: ACME } };
  const answers: unknown[] = [list];
  for (const endpoint of [listUploadResults, readReceipt, listCompanies])
    answers.push((await browser.call(endpoint, options)).json());
  const times = answers.flatMap((answer) => listTimes(answer));
  expect(times.length).toBeGreaterThanOrEqual(3);
  for (const [name, value] of times)
    expect(value, name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
});

/** Every property that is a time, at any depth, with its name. */
function listTimes(value: unknown, name = ""): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((entry) => listTimes(entry, name));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, entry]) => listTimes(entry, key));
  return typeof value === "string" && /(^timestamp|_at)$/.test(name) ? [[name, value]] : [];
}
