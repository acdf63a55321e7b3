import { expect, test } from "vitest";
import { MAX_FILE_BYTES } from "#features/sheets/contract.ts";
import { readColumns } from "#features/invoices/workbook/contract.ts";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { getUser } from "#features/identity/contract.ts";
import {
  downloadProblemRows,
  downloadTemplate,
  listUploads,
  postInvoices,
  type UploadList,
  uploadSummary,
} from "#features/invoices/contract.ts";
import { MAX_TABLE_ROWS } from "#formats/table/columns.ts";
import { withPassword } from "#formats/xlsx/fixtures/compound.ts";
import { takeTurn } from "#platform/threads/take-turn.ts";
import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";
import { ENDPOINTS } from "../../../main/endpoints.ts";
import { expectProblem } from "../../../../test/security/walk-endpoints.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine, invoiceWorkbook } from "../../../../test/support/workbooks.ts";

test("GEN-03 (its batch upload) a workbook and the rows of the web form both become invoices in the books", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [invoiceLine("W-1")]);
  const cells = "Invoice No,Customer,Invoice Date,Item,Amount\nW-2,Cool Cars,2026-11-02,H-16,19.95\n";
  const typed = { name: "typed.csv", bytes: new TextEncoder().encode(cells) };
  const reply = await browser.call(postInvoices, { query: { realm_id: ACME }, file: typed });
  expect(reply.status).toBe(202);
  await settledUploads(browser, ACME);
  const made = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("W-"));
  const totals = Object.fromEntries(made.map(({ DocNumber, TotalAmt }) => [DocNumber, TotalAmt]));
  expect(totals).toEqual({ "W-1": 39.9, "W-2": 19.95 });
});

test("GEN-05 invoices are accepted as the file of a multipart form, and by no other call", () => {
  const taking = ENDPOINTS.filter(
    ({ status, path, file, body }) => status === 202 && !path.includes("/:") && (file ?? body),
  );
  expect(taking).toEqual([checkInvoices, postInvoices]);
  for (const endpoint of taking) {
    expect(endpoint.file).toEqual({ field: "file", maxBytes: MAX_FILE_BYTES });
    expect(endpoint).not.toHaveProperty("body");
  }
});

test("while too many workbooks of a company wait, every upload call says so and when to retry, and another company's are read", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const file = { name: "late.xlsx", bytes: await invoiceWorkbook([invoiceLine("L-1")]) };
  const stop = await app.work();
  await uploadRows(browser, ACME, [invoiceLine("L-0", { Customer: "Nobody We Know" })]);
  const [faulty] = (await settledUploads(browser, ACME)).uploads;
  await stop();
  const params = { upload_id: faulty?.id ?? "" };
  const calls = {
    upload: () => browser.call(postInvoices, { query, file }),
    check: () => browser.call(checkInvoices, { query, file }),
    columns: () => browser.call(readColumns, { query, file }),
    "problem rows": () => browser.call(downloadProblemRows, { params, query }),
    template: () => browser.call(downloadTemplate, { query }),
  };
  const leave = new AbortController();
  const others = Array.from({ length: 500 }, () => takeTurn(ACME, leave.signal).catch(() => null));
  for (const [name, send] of Object.entries(calls)) {
    const reply = await send();
    expect([name, reply.status, reply.headers.get("retry-after")]).toEqual([name, 503, "60"]);
    expect(expectProblem(reply.headers, reply.text)).toMatchObject({
      code: "busy",
      detail: "Many files are being read at the moment. Try again in a minute.",
    });
  }
  expect((await browser.call(listUploads, { query })).json()).toMatchObject({ total_count: 1 });
  const neighbor = await app.owner(BAY, "platform@dockside.example");
  expect((await neighbor.call(postInvoices, { query: { realm_id: BAY }, file })).status).toBe(202);
  leave.abort();
  for (const end of await Promise.all(others)) end?.();
  expect((await calls.upload()).status).toBe(202);
  expect((await calls["problem rows"]()).status).toBe(200);
});

test("AP-15 answering 202 to 10,000 rows costs under a second of processor time, and they appear in the list at once as Queued", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const rows = Array.from({ length: 10_000 }, (_, index) => invoiceLine(`Q-${index}`));
  const file = { name: "large.xlsx", bytes: await invoiceWorkbook(rows) };
  // As the product itself does at its start, so that no user waits for the compiler.
  const small = { name: "small.xlsx", bytes: await invoiceWorkbook(rows.slice(0, 1)) };
  await browser.call(postInvoices, { query: { realm_id: ACME }, file: small });
  // Processor time, threads included: the clock would also count what else the machine does.
  const times: number[] = [];
  for (let round = 1; round <= 3; round++) {
    const before = process.cpuUsage();
    const reply = await browser.call(postInvoices, { query: { realm_id: ACME }, file });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
    expect(reply.status).toBe(202);
    const posted = uploadSummary.strict().parse(reply.json());
    const list = (await browser.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
    expect(list).toMatchObject({ total_count: round + 1, in_process: true });
    expect(list.uploads[0]).toEqual({ ...posted, uploaded_by: "Olive Owner", fixes: [] });
    expect(posted).toMatchObject({
      filename: "large.xlsx",
      results: [{ status: 100, rows: "2-10001", message: "" }],
      counts: { total: 10_000, completed: 0, problems: 0, open: 10_000 },
    });
  }
  const middle = times.toSorted((a, b) => a - b)[1];
  expect(middle, `${times.map(Math.round).join(", ")} ms`).toBeLessThan(1000);
});

test("AP-38 every refusal of a file, a shape, a company and a path has its own sentence and code", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const codes: Record<string, string> = {};
  for (const [name, ask] of Object.entries(refusals(browser))) {
    const reply = await ask();
    codes[name] = `${reply.status} ${expectProblem(reply.headers, reply.text).code}`;
  }
  expect(codes).toEqual({
    "no file": "400 no_file",
    "empty file": "400 empty_file",
    "text renamed": "400 not_xlsx",
    "other headers": "400 template_mismatch",
    "too large": "413 file_too_large",
    "no form": "415 wrong_media_type",
    "no company": "400 invalid_request",
    "foreign company": "403 not_a_member",
    "bad id": "400 invalid_request",
    "unknown id": "404 not_found",
    "unknown call": "404 not_found",
  });
  expect((await app.browser().call(getUser)).json()).toMatchObject({ code: "sign_in_required" });
});

test.each<[string, () => Promise<Uint8Array> | Uint8Array, number, RegExp]>([
  ["an empty file", () => new Uint8Array(), 400, /^The selected file is empty\./],
  ["a locked workbook", withPassword, 400, /^The selected file is password protected\./],
  [
    "a file over 25 MiB",
    () => new Uint8Array(MAX_FILE_BYTES + 1),
    413,
    /^The selected file must be smaller than 25 MB\.$/,
  ],
  [
    "other headers",
    () => otherHeaders(),
    400,
    /^The selected file must use the template\. .*Customer.*Invoice Date.*Item.*Amount/s,
  ],
  [
    "a row too many",
    () => invoiceWorkbook(Array.from({ length: MAX_TABLE_ROWS + 1 }, (_, at) => invoiceLine(`R-${at}`))),
    400,
    /has 30,001 rows; you can upload at most 30,000 at a time\./,
  ],
])("UP-24 %s is refused with its own cause", async (_, bytes, status, sentence) => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const file = { name: "a.xlsx", bytes: await bytes() };
  const reply = await browser.call(postInvoices, { query: { realm_id: ACME }, file });
  expect([reply.status, expectProblem(reply.headers, reply.text).detail]).toEqual([
    status,
    expect.stringMatching(sentence),
  ]);
});

function refusals(browser: Browser) {
  const send = (name: string, bytes: Uint8Array) =>
    browser.call(postInvoices, { query: { realm_id: ACME }, file: { name, bytes } });
  const post = (body?: FormData | string, headers: Record<string, string> = {}) =>
    browser.request(`/api/v1/invoices?realm_id=${ACME}`, {
      method: "POST",
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const get = (path: string) => browser.request(path);
  return {
    "no file": () => {
      const form = new FormData();
      form.set("other", "1");
      return post(form);
    },
    "empty file": () => send("a.xlsx", new Uint8Array()),
    "text renamed": () => send("a.xlsx", new TextEncoder().encode("Invoice No,Customer")),
    "other headers": async () => send("a.xlsx", await otherHeaders()),
    "too large": () => send("a.xlsx", new Uint8Array(MAX_FILE_BYTES + 1)),
    "no form": () => post("a,b", { "content-type": "text/csv" }),
    "no company": () => get("/api/v1/invoices?limit=many"),
    "foreign company": () => get(`/api/v1/invoices?realm_id=${BAY}`),
    "bad id": () => get(`/api/v1/invoices/7/results?realm_id=${ACME}`),
    "unknown id": () => get(`/api/v1/invoices/00000000-0000-4000-8000-000000000000/results?realm_id=${ACME}`),
    "unknown call": () => get("/api/v1/no-such-call"),
  };
}

/** A workbook that is not ours: no cell contains the template's words. */
const otherHeaders = () =>
  writeWorkbook([{ name: "Sheet1", columns: [{ header: "Foo" }, { header: "Bar" }], rows: [[1, 2]] }]);
