import { sql } from "kysely";
import { expect, test } from "vitest";
import { listCompanies } from "#features/companies/contract.ts";
import {
  listUploadResults,
  listUploads,
  type UploadList,
  uploadList,
  uploadSummary,
} from "#features/invoices/contract.ts";
import { readReceipt } from "#features/invoices/receipt/contract.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine } from "../../../../test/support/workbooks.ts";

test("AP-16 the list has uploads with filename, timestamp and results, the total count and whether work goes on", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const read = async () => (await browser.call(listUploads, { query: { realm_id: ACME } })).json();
  expect(await read()).toEqual({ uploads: [], total_count: 0, in_process: false });
  await uploadRows(browser, ACME, [invoiceLine("L-1"), invoiceLine("L-2", { Customer: "Nobody We Know" })]);
  await settledUploads(browser, ACME);
  const list = uploadList
    .extend({ uploads: uploadSummary.strict().array() })
    .strict()
    .parse(await read());
  expect(list).toMatchObject({ total_count: 1, in_process: false });
  expect(list.uploads[0]?.results).toEqual([
    { status: 0, rows: "2", message: "1 invoice created." },
    {
      status: 2,
      rows: "3",
      message: expect.stringMatching(/^B3: Customer "Nobody We Know" is not in /),
      problems: [
        {
          code: "customer_unknown",
          field: "customer",
          column: 1,
          message: expect.stringMatching(/^Customer "Nobody We Know" is not in /),
        },
      ],
    },
  ]);
});

test("UP-40 350 uploads are reached page by page with the last id seen, each once, several of one moment too", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [invoiceLine("K-1")]);
  await sql`insert into upload select (jsonb_populate_record(each, jsonb_build_object('id', gen_random_uuid(),
      'file_name', 'copy ' || n, 'uploaded_at', each.uploaded_at - (n / 7) * interval '1 minute'))).*
    from upload each, generate_series(1, 349) n where realm_id = ${ACME}`.execute(app.db);
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

test("SC-100 SC-101 while a file is posted its rows are shown as working, those behind them as checked and waiting", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await app.intuit.control("faults", [
    { fault: "latency", ms: 8_000, match: { operation: "batch" }, count: 3 },
  ]);
  await uploadRows(
    browser,
    ACME,
    Array.from({ length: 200 }, (_, index) => invoiceLine(`W-${index}`)),
  );
  const results = async () => {
    const list = (await browser.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
    return list.uploads[0]?.results.map(({ status, message }) => `${status} ${message}`) ?? [];
  };
  // Calls leave at the same time: of three batches the third may be noted before the second.
  const both = new Set(["101 Being sent to QuickBooks.", "100 Checked; waiting to be sent to QuickBooks."]);
  await expect.poll(async () => new Set(await results())).toEqual(both);
  await settledUploads(browser, ACME);
  expect(await results()).toEqual(["0 200 invoices created."]);
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
  const times = answers.flatMap((answer) => timesOf(answer));
  expect(times.length).toBeGreaterThanOrEqual(3);
  for (const [name, value] of times)
    expect(value, name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
});

/** Every property that is a time, at any depth, with its name. */
function timesOf(value: unknown, name = ""): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((entry) => timesOf(entry, name));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, entry]) => timesOf(entry, key));
  return typeof value === "string" && /(^timestamp|_at)$/.test(name) ? [[name, value]] : [];
}
