import { expect, test } from "vitest";
import { removeMember } from "../support/members.ts";
import { listUploads, RESULT_STATUS, type UploadList } from "#features/invoices/contract.ts";
import { openDesk, type Desk } from "../support/desk.ts";
import { ACME, BAY, type BooksInvoice, holdCalls, type JournalEntry } from "../support/intuit.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { untilFinished } from "./support/uploads.ts";
import { invoiceRows } from "../support/workbooks.ts";

const COUNT = 120;

const listCents = (invoices: readonly BooksInvoice[]) =>
  invoices.reduce((sum, { TotalAmt }) => sum + Math.round(TotalAmt * 100), 0);
const expectedCents = (count = COUNT) =>
  invoiceRows(count, { prefix: "" }).reduce((sum, { Amount }) => sum + Math.round(Number(Amount) * 100), 0);

/** A company, and a function that uploads a number of invoices and waits for their outcome. */
async function open(
  realmId: string,
): Promise<Desk & { post(prefix: string, count?: number): Promise<UploadList> }> {
  const desk = await openDesk(realmId);
  const post = async (prefix: string, count = COUNT) => {
    await desk.send(invoiceRows(count, { prefix }));
    return settledUploads(desk.browser, realmId);
  };
  return { ...desk, post };
}

test.each([1, 2, 3])(
  "responses that are lost, cut off or refused leave every invoice in the books exactly once (seed %d)",
  async (seed) => {
    const { app, made, post } = await open(ACME);
    await app.intuit.control("faults", [
      { fault: "committed_answer_lost", match: { operation: "batch" }, probability: 0.2, seed },
      { fault: "500", match: { operation: "batch" }, probability: 0.1, seed: seed + 100 },
      { fault: "503", match: { operation: "batch" }, probability: 0.1, seed: seed + 200 },
      { fault: "half_body", match: { operation: "batch" }, probability: 0.1, seed: seed + 300 },
      { fault: "hang", match: { operation: "batch" }, probability: 0.05, seed: seed + 400, ms: 300 },
      { fault: "500", match: { operation: "query" }, probability: 0.2, seed: seed + 500 },
    ]);
    const list = await post(`F${seed}`);
    expect(list.uploads[0]?.counts).toEqual({ total: COUNT, completed: COUNT, problems: 0, open: 0 });
    const invoices = await made();
    expect(invoices).toHaveLength(COUNT);
    expect(new Set(invoices.map(({ DocNumber }) => DocNumber)).size).toBe(COUNT);
    expect(listCents(invoices)).toBe(expectedCents());
  },
);

test("where QuickBooks assigns the numbers, lost responses create no duplicates either", async () => {
  const { app, made, post } = await open(BAY);
  await app.intuit.control("faults", [
    { fault: "committed_answer_lost", match: { operation: "invoice.create" }, everyN: 2 },
  ]);
  await post("", 100);
  expect(await made()).toHaveLength(100);
  expect(listCents(await made())).toBe(expectedCents(100));
});

test("an access token that expires during an upload is renewed once and no row fails", async () => {
  const { app, post } = await open(ACME);
  await app.intuit.control("faults", [{ fault: "expired_token", match: { operation: "batch" }, count: 1 }]);
  const list = await post("X", 100);
  expect(list.uploads[0]?.counts).toMatchObject({ completed: 100, problems: 0 });
  const { entries } = await app.intuit.control<{ entries: unknown[] }>(
    "journal?operation=oauth.refresh_token",
  );
  expect(entries).toHaveLength(1);
});

test("when access is revoked at Intuit the upload waits, says so, and continues by itself after reconnecting", async () => {
  const { app, browser } = await open(ACME);
  await app.intuit.control("faults", [{ fault: "revoked", match: { operation: "batch" }, count: 1 }]);
  await uploadRows(browser, ACME, invoiceRows(100, { prefix: "R" }));
  const paused = await settledUploads(browser, ACME);
  expect(paused.uploads[0]?.counts).toMatchObject({ completed: 0, problems: 0, open: 100 });
  expect(paused.uploads[0]?.results[0]).toMatchObject({
    status: 100,
    rows: "2-101",
    message: expect.stringContaining("reconnect the company to QuickBooks"),
  });
  const companies = await browser.request("/api/v1/company");
  expect(companies.json()).toMatchObject({ companies: [{ id: ACME, connection: "reconnect_needed" }] });
  await browser.connect("owner@acme.example", ACME);
  const done = await settledUploads(browser, ACME);
  expect(done.uploads[0]?.counts).toMatchObject({ completed: 100, open: 0 });
  expect(
    (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("R-")),
  ).toHaveLength(100);
});

test.each([
  {
    name: "the end of the subscription stops the upload",
    fault: { code: "6190", detail: "Subscription period has ended", match: { operation: "batch" } },
    rows: "2-21",
    status: 4,
    message: "QuickBooks subscription has ended",
  },
  {
    name: "a company unknown to Intuit stops it, and points at environment and keys",
    fault: { code: "130", match: { operation: "batch" } },
    rows: "2-21",
    status: 4,
    message: "Intuit doesn't know this company in the environment we use (INTUIT_ENVIRONMENT)",
  },
  {
    name: "a limit of the plan rejects one invoice, in Intuit's own words",
    fault: {
      code: "5030",
      detail: "This plan has no classes",
      once: true,
      match: { operation: "batch.item" },
    },
    rows: "2",
    status: 3,
    message: "doesn't allow what it asks for. (This plan has no classes)",
  },
])("each row has the reason why it was not posted: $name", async ({ fault, rows, status, message }) => {
  const { app, browser } = await open(ACME);
  await app.intuit.control("faults", [{ fault: "code", ...fault }]);
  await uploadRows(browser, ACME, invoiceRows(20, { prefix: "S" }));
  const { results = [] } = (await settledUploads(browser, ACME)).uploads[0] ?? {};
  expect(results.filter(({ status: shown }) => shown !== RESULT_STATUS.completed)).toMatchObject([
    { status, rows, message: expect.stringContaining(message) },
  ]);
});

test("a removed member is refused with a clear message at the next request, and the company's upload continues", async () => {
  const { app, browser } = await open(ACME);
  const hold = await holdCalls(app.intuit, { operation: "batch" });
  await uploadRows(browser, ACME, invoiceRows(50, { prefix: "M" }));
  await hold.hit();
  await removeMember(app.db, "owner@acme.example");
  const refused = await browser.call(listUploads, { query: { realm_id: ACME } });
  expect(refused.status).toBe(403);
  expect(refused.json()).toMatchObject({
    code: "not_a_member",
    detail: expect.stringContaining("You aren't a user of this company"),
  });
  await hold.release();
  await app.settle();
  expect(
    (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("M-")),
  ).toHaveLength(50);
});

test("an invoice is only ever sent under its own request id, however often its call is cut off", async () => {
  const { app, browser, made } = await open(BAY);
  await app.intuit.control("faults", [
    { fault: "reset", match: { operation: "invoice.create" }, count: 2 },
    { fault: "committed_answer_lost", match: { operation: "invoice.create" }, count: 2 },
  ]);
  await uploadRows(browser, BAY, invoiceRows(20, { prefix: "" }));
  const { counts } = await untilFinished(browser, BAY);
  expect(counts).toMatchObject({ completed: 20, problems: 0 });
  expect(await made()).toHaveLength(20);
  const { entries } = await app.intuit.control<{ entries: JournalEntry[] }>(
    "journal?operation=invoice.create&limit=5000",
  );
  expect(new Set(entries.map(({ requestid }) => requestid)).size).toBe(20);
  expect(await app.intuit.control("journal?operation=batch")).toMatchObject({ entries: [] });
});
