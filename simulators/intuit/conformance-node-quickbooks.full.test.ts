import { Readable } from "node:stream";
import QuickBooks from "node-quickbooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Doc } from "../kit/test-call.ts";
import { ACME, CALLBACK, invoiceBody, OLIVE, startTestIntuit } from "./test-kit.ts";

const intuit = await startTestIntuit();
afterAll(() => intuit.close());

type Result = { error: unknown; data: Doc; status: number };
type Callback = (error: unknown, data?: unknown, response?: { status: number }) => void;

/** Runs one call of the callback style client. */
function run(start: (callback: Callback) => void): Promise<Result> {
  return new Promise((resolve) => {
    start((error, data, response) =>
      resolve({ error, data: (data ?? {}) as Doc, status: response?.status ?? 0 }),
    );
  });
}

const statics = QuickBooks as unknown as Record<string, string>;
let books: QuickBooks;

beforeAll(async () => {
  await intuit.unlimited();
  statics["V3_ENDPOINT_BASE_URL"] = `${intuit.url}/v3/company/`;
  statics["TOKEN_URL"] = `${intuit.url}/oauth2/v1/tokens/bearer`;
  statics["REVOKE_URL"] = `${intuit.url}/v2/oauth2/tokens/revoke`;
  statics["USER_INFO_URL"] = `${intuit.url}/v1/openid_connect/userinfo`;
  books = await connected();
});

async function connected(): Promise<QuickBooks> {
  const code = await intuit.code();
  const { body } = await intuit.token({ grant_type: "authorization_code", code, redirect_uri: CALLBACK });
  const [access, refresh] = [String(body["access_token"]), String(body["refresh_token"])];
  return new QuickBooks(
    "dockside-demo",
    "dockside-demo-secret",
    access,
    false,
    ACME,
    true,
    false,
    75,
    "2.0",
    refresh,
  );
}

/** Code of a fault, which this client leaves inside the error of its transport. */
const errorCode = ({ error }: Result) =>
  (error as { response?: { data: Doc } } | null)?.response?.data["Fault"]?.["Error"]?.[0]?.["code"];
const create = (body: Record<string, unknown>) => run((done) => books.createInvoice(body, done));

test("node-quickbooks creates an invoice, and a repeated requestId returns the first answer", async () => {
  const first = await create(invoiceBody({ DocNumber: "NQ-1", requestId: "nq-request-1" }));
  expect(first).toMatchObject({
    error: null,
    status: 200,
    data: { DocNumber: "NQ-1", TotalAmt: 100, SyncToken: "0", Balance: 100 },
  });
  const again = await create(invoiceBody({ DocNumber: "NQ-1", requestId: "nq-request-1" }));
  expect(again.data).toEqual(first.data);
});

test("node-quickbooks gets 6140 for a used number and passes with allowDuplicateDocNum", async () => {
  await create(invoiceBody({ DocNumber: "NQ-2" }));
  const refused = await create(invoiceBody({ DocNumber: "NQ-2" }));
  expect(refused.status).toBe(400);
  expect(errorCode(refused)).toBe("6140");
  const allowed = await create(invoiceBody({ DocNumber: "NQ-2", allowDuplicateDocNum: true }));
  expect(allowed.data).toMatchObject({ DocNumber: "NQ-2" });
});

test("node-quickbooks updates sparsely and gets 5010 with an old token", async () => {
  const { data } = await create(invoiceBody({ DocNumber: "NQ-3" }));
  const change = { Id: data["Id"], SyncToken: "0", PrivateNote: "left at dock 4" };
  const updated = await run((done) => books.updateInvoice({ ...change }, done));
  expect(updated.data).toMatchObject({
    PrivateNote: "left at dock 4",
    SyncToken: "1",
    DocNumber: "NQ-3",
    sparse: false,
  });
  expect(errorCode(await run((done) => books.updateInvoice({ ...change }, done)))).toBe("5010");
});

test("node-quickbooks voids and deletes", async () => {
  const { data } = await create(invoiceBody({ DocNumber: "NQ-4" }));
  const voided = await run((done) =>
    books.updateInvoice({ Id: data["Id"], SyncToken: "0", void: true }, done),
  );
  expect(voided.data).toMatchObject({ TotalAmt: 0, Balance: 0, PrivateNote: "Voided", SyncToken: "1" });
  const deleted = await run((done) => books.deleteInvoice({ Id: data["Id"], SyncToken: "1" }, done));
  expect(deleted.data).toMatchObject({ Invoice: { domain: "QBO", status: "Deleted", Id: data["Id"] } });
  expect(errorCode(await run((done) => books.getInvoice(String(data["Id"]), done)))).toBe("610");
});

test("node-quickbooks finds customers with awkward names", async () => {
  const names = async (criteria: object) => {
    const { data } = await run((done) => books.findCustomers(criteria, done));
    const list = data["QueryResponse"]?.["Customer"] as unknown as { DisplayName: string }[] | undefined;
    return list?.map((customer) => customer.DisplayName);
  };
  expect(await names({ DisplayName: "O'Brien Builders" })).toEqual(["O'Brien Builders"]);
  expect(await names([{ field: "DisplayName", value: "müller%", operator: "LIKE" }])).toEqual([
    "Müller & Sons",
  ]);
  expect(await names({ FullyQualifiedName: "Bright Home Stores:Store 12" })).toEqual(["Store 12"]);
  expect(await names([{ field: "Active", value: false }])).toEqual(["Old Town Records (deleted)"]);
});

test("node-quickbooks pages through everything with fetchAll, and counts", async () => {
  const all = await run((done) => books.findItems({ limit: 7, fetchAll: true }, done));
  const counted = await run((done) => books.findItems({ count: true }, done));
  const items = all.data["QueryResponse"]?.["Item"] as unknown as { Id: string }[];
  expect(new Set(items.map((item) => item.Id)).size).toBe(25);
  expect(counted.data).toMatchObject({ QueryResponse: { totalCount: 25 } });
});

test("node-quickbooks runs a batch whose items do not affect each other", async () => {
  const items = [
    { bId: "a", operation: "create", Invoice: invoiceBody({ DocNumber: "NQ-5" }) },
    { bId: "b", operation: "create", Invoice: invoiceBody({ DocNumber: "NQ-5" }) },
    { bId: "c", Query: "select * from Term where Name = 'Net 30'" },
  ];
  const { data } = await run((done) => books.batch(items, done));
  expect(data["BatchItemResponse"]).toMatchObject([
    { Invoice: { DocNumber: "NQ-5" }, bId: "a" },
    { Fault: { Error: [{ code: "6140" }] }, bId: "b" },
    { QueryResponse: { Term: [{ DueDays: 30 }], startPosition: 1, maxResults: 1 }, bId: "c" },
  ]);
});

test("node-quickbooks sees changes, with stubs of deleted objects", async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const { data: invoice } = await create(invoiceBody({ DocNumber: "NQ-6" }));
  await run((done) => books.deleteInvoice({ Id: invoice["Id"], SyncToken: "0" }, done));
  const { data } = await run((done) => books.changeDataCapture("Invoice,customer", since, done));
  const responses = data["CDCResponse"]?.[0]?.["QueryResponse"] as unknown as Record<
    string,
    { Id: string }[]
  >[];
  const [invoices, customers] = responses;
  expect(invoices?.["Invoice"]?.find(({ Id }) => Id === String(invoice["Id"]))).toMatchObject({
    status: "Deleted",
    domain: "QBO",
  });
  expect(customers?.["Customer"]?.length).toBeGreaterThan(0);
});

test("node-quickbooks fetches the PDF and sends the invoice", async () => {
  const { data: invoice } = await create(invoiceBody({ DocNumber: "NQ-7" }));
  const pdf = await run((done) => books.getInvoicePdf(String(invoice["Id"]), done));
  expect(Buffer.from(pdf.data as unknown as ArrayBuffer).toString("latin1")).toMatch(
    /^%PDF-1\.4[\s\S]+%%EOF/,
  );
  const sent = await run((done) => books.sendInvoicePdf(String(invoice["Id"]), "ap@customer.example", done));
  expect(sent.data).toMatchObject({
    EmailStatus: "EmailSent",
    BillEmail: { Address: "ap@customer.example" },
    DeliveryInfo: { DeliveryType: "Email" },
  });
});

test("node-quickbooks uploads a file in two calls: content, then the link", async () => {
  const { data: invoice } = await create(invoiceBody({ DocNumber: "NQ-8" }));
  const content = Readable.from([Buffer.from("%PDF-1.4 proof")]);
  const linked = await run((done) =>
    books.upload("pod.pdf", "application/pdf", content, "Invoice", String(invoice["Id"]), done),
  );
  expect(linked.data).toMatchObject({
    FileName: "pod.pdf",
    SyncToken: "1",
    AttachableRef: [{ EntityRef: { type: "Invoice", value: invoice["Id"] } }],
  });
  const id = String(linked.data["Id"]);
  expect(id).toMatch(/^5\d{18}$/);
  const where = `where AttachableRef.EntityRef.Type = 'invoice' and AttachableRef.EntityRef.value = '${String(invoice["Id"])}'`;
  const found = await run((done) => books.findAttachables(where, done));
  expect(found.data).toMatchObject({ QueryResponse: { Attachable: [{ Id: id }] } });
});

test("node-quickbooks reads the user, refreshes and revokes with a form", async () => {
  const own = await connected();
  expect((await run((done) => own.getUserInfo(done))).data).toMatchObject({ sub: OLIVE, givenName: "Olive" });
  expect((await run((done) => own.refreshAccessToken(done))).data).toMatchObject({ token_type: "bearer" });
  const { error } = await run((done) => own.getCompanyInfo(ACME, done));
  expect(error).toBeNull();
  await run((done) => own.revokeAccess(true, done));
  expect(await run((done) => own.getUserInfo(done))).toMatchObject({ data: { error: "invalid_token" } });
});
