import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Books } from "#integrations/intuit/client.ts";
import { ACME, openBooks, startIntuit, type TestIntuit } from "#integrations/intuit/fixtures/open-books.ts";
import { isAttachedTo } from "#integrations/intuit/attach-file.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { systemIds } from "#platform/ids.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

let intuit: TestIntuit;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let books: Books;
let customerId: string;
let itemId: string;
let owner: string;

beforeAll(async () => {
  intuit = await startIntuit();
  owner = ((await intuit.control("GET", `/companies/${ACME}`)) as { admins: string[] }).admins[0] ?? "";
  database = await createTestDatabase();
  ({ books } = await openBooks(intuit, { sub: owner, realmId: ACME, db: database.db }));
  const limits = { perMinute: null, perSecond: null, batchPerMinute: null, batchPerMinuteRealm: null };
  await intuit.control("PATCH", `/companies/${ACME}`, {
    limits,
    preferences: { SalesFormsPrefs: { AllowShipping: true } },
  });
  customerId = (await books.customers()).data.find((customer) => customer.Active)?.Id ?? "";
  itemId = (await books.items()).data.find((item) => item.Active && item.Type === "Service")?.Id ?? "";
});
afterAll(async () => {
  await intuit.close();
  await database.drop();
});
beforeEach(async () => {
  await intuit.control("DELETE", "/faults");
  await intuit.control("PATCH", "/settings", { queryLagS: 0, changeLagS: 0 });
  await intuit.control("DELETE", "/journal");
  await intuit.clock.sleep(61_000);
});

const id = () => ({ requestId: systemIds.uuid() });
let counter = 0;
async function make(change: Record<string, unknown> = {}): Promise<Invoice> {
  const detail = { ItemRef: { value: itemId }, Qty: 3, UnitPrice: 10 };
  const body = {
    CustomerRef: { value: customerId },
    TxnDate: "2026-11-19",
    DocNumber: `S-${++counter}`,
    Line: [{ DetailType: "SalesItemLineDetail" as const, Amount: 30, SalesItemLineDetail: detail }],
    ...change,
  };
  return (await books.createInvoice(body, id())).data;
}
const operations = async () => {
  const { entries } = (await intuit.control("GET", "/journal")) as { entries: { operation: string }[] };
  return entries.map(({ operation }) => operation);
};
const now = async () => new Date(String((await intuit.control("GET", "/clock"))["now"]));
const catchFailure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test("changes since a given time come in one call: created, changed, voided in full, deleted by id", async () => {
  const old = await make();
  const touched = await make();
  await intuit.control("POST", "/clock", { advanceMs: 3_600_000 });
  const since = await now();
  const made = await make();
  const voided = await books.voidInvoice(await make(), id());
  const deleted = await make();
  await books.deleteInvoice(deleted, id());
  await books.updateInvoice(touched, { TrackingNum: "1Z1" }, id());
  await intuit.control("DELETE", "/journal");
  const { data } = await books.readInvoiceChanges(since);
  expect(await operations()).toEqual(["cdc"]);
  const byId = new Map(data.invoices.map((invoice) => [invoice.Id, invoice]));
  expect(byId.get(made.Id)).toMatchObject({ DocNumber: made.DocNumber, TotalAmt: 30, SyncToken: "0" });
  expect(byId.get(touched.Id)).toMatchObject({ TrackingNum: "1Z1", SyncToken: "1" });
  expect(byId.get(voided.data.Id)).toMatchObject({ TotalAmt: 0, PrivateNote: "Voided" });
  expect(byId.get(made.Id)?.MetaData?.LastUpdatedTime).toMatch(/^2\d{3}-/);
  expect(byId.has(old.Id)).toBe(false);
  expect(data.deleted).toEqual([deleted.Id]);
  expect(data.isTruncated).toBe(false);
  expect(data.time?.getTime()).toBeGreaterThanOrEqual(since.getTime());
});

test("more changes than an answer can hold are reported as cut, and are read in pages", async () => {
  const realmId = "9130000000000711";
  const since = new Date((await now()).getTime() - 60_000);
  const admins = [owner];
  await intuit.control("POST", "/seed", { companies: [{ realmId, admins, invoices: 1_010 }] });
  const other = await openBooks(intuit, { sub: owner, realmId, db: database.db });
  const { data } = await other.books.readInvoiceChanges(since);
  expect(data).toMatchObject({ isTruncated: true, deleted: [] });
  expect(data.invoices).toHaveLength(1_000);
  await intuit.control("DELETE", "/journal");
  const ids = new Set<string>();
  for await (const page of other.books.findInvoicesUpdatedSince(since))
    for (const entry of page.data) ids.add(entry.Id);
  expect(ids.size).toBe(1_010);
  const dated = new Set<string>();
  for await (const page of other.books.findInvoicesDatedSince("2000-01-01"))
    for (const entry of page.data) dated.add(entry.Id);
  expect(dated.size).toBe(1_010);
  expect(await operations()).toEqual(["query", "query", "query", "query"]);
});

test("shipping fields are changed alone, and empty texts clear them", async () => {
  const made = await make({ PrivateNote: "keep", CustomerMemo: { value: "memo" } });
  const first = await books.updateInvoice(
    made,
    {
      ShipDate: "2026-11-20",
      ShipMethodRef: { value: "UPS Ground", name: "UPS Ground" },
      TrackingNum: "1Z9",
    },
    id(),
  );
  expect(first.data).toMatchObject({
    SyncToken: "1",
    ShipDate: "2026-11-20",
    ShipMethodRef: { value: "UPS Ground" },
    TrackingNum: "1Z9",
    PrivateNote: "keep",
    CustomerMemo: { value: "memo" },
    Line: made.Line,
  });
  const second = await books.updateInvoice(first.data, { TrackingNum: "" }, id());
  expect(second.data.TrackingNum ?? "").toBe("");
  expect(second.data).toMatchObject({ ShipDate: "2026-11-20", ShipMethodRef: { value: "UPS Ground" } });
  const third = await books.updateInvoice(
    second.data,
    { ShipDate: "", ShipMethodRef: { value: "", name: "" } },
    id(),
  );
  expect([third.data.ShipDate ?? "", third.data.ShipMethodRef?.value ?? ""]).toEqual(["", ""]);
  expect(await catchFailure(books.updateInvoice(made, { TrackingNum: "1Z8" }, id()))).toMatchObject({
    kind: "stale",
  });
});

test("an unknown invoice is answered with code 610 under status 400, and is read as none", async () => {
  expect(await books.readInvoice("999999")).toBeNull();
  const gone = await make();
  await books.deleteInvoice(gone, id());
  expect(await books.readInvoice(gone.Id)).toBeNull();
  expect(await catchFailure(books.updateInvoice(gone, { TrackingNum: "1Z8" }, id()))).toMatchObject({
    kind: "notFound",
    http: 400,
  });
  expect(await catchFailure(books.readInvoicePdf(gone.Id))).toMatchObject({ kind: "notFound", http: 400 });
});

test("an invoice's PDF is read as its bytes", async () => {
  const { data } = await books.readInvoicePdf((await make()).Id);
  expect(Buffer.from(data.subarray(0, 5)).toString()).toBe("%PDF-");
  expect(Buffer.from(data).toString("latin1")).toContain("%%EOF");
});

const pdf = (size = 2_000) =>
  new Uint8Array(Buffer.concat([Buffer.from("%PDF-1.7\r\n--\r\n"), randomBytes(size)]));
const file = (invoiceId: string, bytes: Uint8Array, change = {}) => ({
  invoiceId,
  fileName: 'Proof "1Z9" – Größe.pdf',
  contentType: "application/pdf",
  note: "UPS proof of delivery",
  includeOnSend: true,
  bytes,
  ...change,
});
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

test("a file is attached to an invoice byte for byte, and queries find it there", async () => {
  const { Id } = await make();
  const bytes = pdf();
  const { data, tid } = await books.attachFile(file(Id, bytes), id());
  expect(tid).toMatch(/./);
  expect(data).toMatchObject({
    FileName: 'Proof "1Z9" – Größe.pdf',
    Size: bytes.length,
    ContentType: "application/pdf",
    Note: "UPS proof of delivery",
    Category: "Document",
    AttachableRef: [{ EntityRef: { type: "Invoice", value: Id }, IncludeOnSend: true }],
  });
  const sent = { size: bytes.length, sha256: sha256(bytes) };
  expect(await books.checkAttachment(data.TempDownloadUri, sent)).toBe("same");
  const other = pdf();
  expect(await books.checkAttachment(data.TempDownloadUri, { ...sent, sha256: sha256(other) })).toBe(
    "different",
  );
  expect(await books.checkAttachment(data.TempDownloadUri, { ...sent, size: 10 })).toBe("different");
  expect((await books.findAttachments(Id)).data.map((entry) => entry.Id)).toEqual([data.Id]);
  const second = await books.attachFile(file((await make()).Id, pdf(10)), id());
  expect((await books.findAttachments(Id)).data.map((entry) => entry.Id)).toEqual([data.Id]);
  const since = (await books.findAttachmentsMadeSince(new Date((await now()).getTime() - 60_000))).data;
  expect(new Set(since.map((entry) => entry.Id))).toEqual(new Set([data.Id, second.data.Id]));
  expect(since.filter((entry) => isAttachedTo(entry, Id))).toHaveLength(1);
});

test("a file that Intuit refuses inside an answer with status 200 is refused in Intuit's words", async () => {
  const error = await catchFailure(books.attachFile(file("999999", pdf()), id()));
  expect(error).toMatchObject({
    kind: "validation",
    http: 200,
    faults: [{ code: "6000", detail: expect.stringContaining("does not exist") }],
  });
  const { Id } = await make();
  const other = file(Id, pdf(), { contentType: "application/octet-stream", fileName: "a.exe" });
  expect(await catchFailure(books.attachFile(other, id()))).toMatchObject({ faults: [{ code: "6041" }] });
  expect((await books.findAttachments(Id)).data).toEqual([]);
});

test.each(["committed_answer_lost", "committed_500", "half_body", "reset"])(
  "an upload that ends in %s is uncertain and is not repeated",
  async (fault) => {
    const { Id } = await make();
    await intuit.control("POST", "/faults", [{ fault, match: { operation: "upload" }, once: true }]);
    await intuit.control("DELETE", "/journal");
    expect(await catchFailure(books.attachFile(file(Id, pdf()), id()))).toMatchObject({ kind: "uncertain" });
    expect(await operations()).toEqual(["upload"]);
    const expected = fault === "reset" ? 0 : 1;
    expect((await books.findAttachments(Id)).data).toHaveLength(expected);
  },
);

test("a proxy's page is not taken for an answer from Intuit, for a PDF, an upload and changes", async () => {
  const { Id } = await make();
  await intuit.control("POST", "/faults", [{ fault: "gateway", page: "html", status: 404 }]);
  expect(await catchFailure(books.readInvoicePdf(Id))).toMatchObject({ kind: "network" });
  expect(await catchFailure(books.readInvoiceChanges(await now()))).toMatchObject({ kind: "network" });
  expect(await catchFailure(books.attachFile(file(Id, pdf()), id()))).toMatchObject({ kind: "uncertain" });
  expect(await catchFailure(books.readInvoice(Id))).toMatchObject({ kind: "network" });
});

test.each(["cdc", "invoice.pdf", "query"])("half an answer to %s is read again", async (operation) => {
  const { Id } = await make();
  const since = await now();
  await intuit.control("POST", "/faults", [{ fault: "half_body", match: { operation }, once: true }]);
  const read = {
    cdc: async () =>
      (await books.readInvoiceChanges(new Date(since.getTime() - 60_000))).data.invoices.length,
    "invoice.pdf": async () => (await books.readInvoicePdf(Id)).data.length,
    query: async () => (await books.findInvoicesDatedSince("2026-11-19").next()).value?.data.length,
  }[operation];
  expect(await read?.()).toBeGreaterThan(0);
  const { entries } = (await intuit.control("GET", "/journal")) as { entries: { operation: string }[] };
  expect(entries.filter((entry) => entry.operation === operation)).toHaveLength(2);
});

test("an attachment is read only from allowed hosts", async () => {
  const sent = { size: 1, sha256: sha256(new Uint8Array(1)) };
  for (const uri of [
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost:1/x",
    "https://intuit-qbo-prod-1.s3.amazonaws.com.evil.example/x",
    "file:///etc/passwd",
    "not an address",
    undefined,
  ])
    expect(await books.checkAttachment(uri, sent)).toBe("unread");
});
