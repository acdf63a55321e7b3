import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { attachPolicy, attachProof, type ProofToAttach } from "#features/books/shipping/attach-proof.ts";
import type { BooksInvoice, ShippingFields } from "#features/books/shipping/rules.ts";
import {
  readChangedInvoices,
  readInvoicesSince,
  readShippingPreference,
} from "#features/books/shipping/read-changed-invoices.ts";
import type { ShippingUpdate } from "#features/books/shipping/update-shipping.ts";
import type { Books } from "#integrations/intuit/client.ts";
import { ACME } from "#integrations/intuit/fixtures/open-books.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import type { Ctx } from "#platform/ctx.ts";
import { systemIds } from "#platform/ids.ts";
import { WRITE_POLICY } from "#platform/writes/policy.ts";
import {
  openShipping,
  settle,
  writeMissing,
  type ShippingBooks,
} from "../../../../test/support/settle-shipping.ts";

let opened: ShippingBooks;
let intuit: ShippingBooks["intuit"];
let books: Books;
let ctx: Ctx;
let customerId: string;
let itemId: string;

beforeAll(async () => {
  opened = await openShipping();
  ({ intuit, books, ctx } = opened);
  customerId = (await books.customers()).data.find((customer) => customer.Active)?.Id ?? "";
  itemId = (await books.items()).data.find((item) => item.Active && item.Type === "Service")?.Id ?? "";
});
afterAll(() => opened.close());
beforeEach(async () => {
  await intuit.control("DELETE", "/faults");
  await intuit.control("PATCH", "/settings", { queryLagS: 0, changeLagS: 0 });
  await opened.allowShipping(true);
  await intuit.clock.sleep(61_000);
});

let counter = 0;
async function make(): Promise<Invoice> {
  const detail = { ItemRef: { value: itemId }, Qty: 3, UnitPrice: 10 };
  const body = {
    CustomerRef: { value: customerId },
    TxnDate: "2026-11-19",
    DocNumber: `W-${++counter}`,
    Line: [{ DetailType: "SalesItemLineDetail" as const, Amount: 30, SalesItemLineDetail: detail }],
  };
  return (await books.createInvoice(body, { requestId: systemIds.uuid() })).data;
}
const change = (id: string, body: object) => intuit.control("POST", `/books/${ACME}/invoice/${id}`, body);
const act = (id: string, action: "pay" | "void" | "delete") =>
  intuit.control("POST", `/books/${ACME}/invoice/${id}/${action}`, {});
const addFaults = (...rules: object[]) => intuit.control("POST", "/faults", rules);
const forgetCalls = () => intuit.control("DELETE", "/journal");
const calls = async () => {
  const { entries } = (await intuit.control("GET", "/journal")) as {
    entries: { operation: string; requestid: string | null }[];
  };
  return entries;
};
const operations = async () => (await calls()).map(({ operation }) => operation);

const update = (bodies: readonly ShippingUpdate[]) => writeMissing(opened, bodies);

const FIELDS = { shipDate: "2026-11-20", shipVia: "UPS Ground", trackingNumber: "1Z999AA10123456784" };
const STORED = {
  ShipDate: "2026-11-20",
  ShipMethodRef: { value: "UPS Ground" },
  TrackingNum: "1Z999AA10123456784",
};
const toUpdate = ({ Id, SyncToken }: Invoice, fields: ShippingFields = FIELDS): ShippingUpdate => ({
  qboId: Id,
  syncToken: SyncToken,
  fields,
});

test("an update is one call without a read, using the known version", async () => {
  const made = await make();
  await forgetCalls();
  const { outcomes, done } = await update([toUpdate(made)]);
  expect(await operations()).toEqual(["invoice.update"]);
  expect(outcomes).toMatchObject([{ state: "done", cause: null }]);
  expect(done.get("0")).toEqual({
    written: FIELDS,
    dropped: [],
    invoice: expect.objectContaining({ qboId: made.Id, syncToken: "1", ...FIELDS }),
  });
  expect(await books.readInvoice(made.Id)).toMatchObject(STORED);
});

test("on an invoice changed meanwhile, only what is still missing is written, after one read", async () => {
  const made = await make();
  await change(made.Id, { ShipMethodRef: { value: "FedEx", name: "FedEx" }, PrivateNote: "by hand" });
  await forgetCalls();
  const { outcomes, done } = await update([toUpdate(made)]);
  const sent = await calls();
  expect(sent.map(({ operation }) => operation)).toEqual([
    "invoice.update",
    "invoice.read",
    "invoice.update",
  ]);
  expect(sent[0]?.requestid).not.toBe(sent[2]?.requestid);
  expect(outcomes).toMatchObject([{ state: "done" }]);
  const { shipDate, trackingNumber } = FIELDS;
  expect(done.get("0")).toMatchObject({ written: { shipDate, trackingNumber }, dropped: [] });
  expect(await books.readInvoice(made.Id)).toMatchObject({
    ...STORED,
    ShipMethodRef: { value: "FedEx" },
    PrivateNote: "by hand",
  });
});

test("nothing is written to an invoice that is no longer missing anything", async () => {
  const made = await make();
  await change(made.Id, { ShipDate: "2026-11-01", ShipMethodRef: { value: "own truck" }, TrackingNum: "7" });
  await forgetCalls();
  const { outcomes, done } = await update([toUpdate(made)]);
  expect(await operations()).toEqual(["invoice.update", "invoice.read"]);
  expect(outcomes).toMatchObject([{ state: "done" }]);
  expect(done.get("0")).toMatchObject({ written: {}, invoice: { shipVia: "own truck" } });
});

test.each(["void", "delete"] as const)(
  "an invoice that disappeared meanwhile is left alone: %s",
  async (action) => {
    const made = await make();
    await act(made.Id, action);
    const { outcomes, done } = await update([toUpdate(made)]);
    const code = action === "void" ? "voided" : "deleted";
    expect(outcomes).toMatchObject([{ state: "refused", cause: { code } }]);
    expect(done.size).toBe(0);
  },
);

test("a refusal that repeats for the version just read ends the update", async () => {
  const made = await make();
  await addFaults({ fault: "code", code: "5010", status: 400, match: { operation: "invoice.update" } });
  await forgetCalls();
  const { outcomes } = await update([toUpdate(made)]);
  expect(await operations()).toEqual(["invoice.update", "invoice.read", "invoice.update"]);
  expect(outcomes).toMatchObject([{ state: "refused", cause: { code: "changed_again" } }]);
});

test("an inactive name used by the invoice does not mean that the invoice is gone", async () => {
  const made = await make();
  await addFaults({ fault: "code", code: "610", status: 400, match: { operation: "invoice.update" } });
  const { outcomes } = await update([toUpdate(made)]);
  expect(outcomes).toMatchObject([{ state: "refused", cause: { code: "bad_reference" } }]);
});

test("fields that QuickBooks drops are reported as not written", async () => {
  const made = await make();
  await opened.allowShipping(false);
  const { outcomes, done } = await update([toUpdate(made)]);
  expect(outcomes).toMatchObject([{ state: "done" }]);
  expect(done.get("0")).toMatchObject({ written: {}, dropped: ["shipDate", "shipVia", "trackingNumber"] });
});

test("an empty text withdraws a value that we wrote", async () => {
  const made = await make();
  const { done } = await update([toUpdate(made)]);
  const syncToken = done.get("0")?.invoice.syncToken ?? "";
  const again = await update([{ qboId: made.Id, syncToken, fields: { trackingNumber: "" } }]);
  expect(again.done.get("0")).toMatchObject({ written: { trackingNumber: "" }, dropped: [] });
  expect(await books.readInvoice(made.Id)).toMatchObject({
    ShipDate: "2026-11-20",
    ShipMethodRef: { value: "UPS Ground" },
  });
});

test.each(["committed_answer_lost", "committed_500", "half_body"])(
  "an update whose answer was lost (%s) is recognized by its values, and is not sent again",
  async (fault) => {
    const made = await make();
    await addFaults({ fault, match: { operation: "invoice.update" }, once: true });
    await intuit.control("PATCH", "/settings", { changeLagS: 600 });
    await forgetCalls();
    const { outcomes, done } = await update([toUpdate(made)]);
    expect(await operations()).toEqual(["invoice.update", "invoice.read"]);
    expect(outcomes).toMatchObject([{ state: "done" }]);
    expect(done.get("0")).toMatchObject({ written: FIELDS, dropped: [] });
  },
);

test.each([
  { fault: "500" },
  { fault: "reset" },
  { fault: "gateway", status: 502, page: "html" },
  { fault: "gateway", status: 403, page: "html" },
  { fault: "gateway", status: 404, page: "empty" },
])(
  "an update that was not executed ($fault $status) is sent again under its own request id",
  async (fault) => {
    const made = await make();
    await addFaults({ ...fault, match: { operation: "invoice.update" }, once: true });
    await forgetCalls();
    const { outcomes, done } = await update([toUpdate(made)]);
    const sent = (await calls()).filter(({ operation }) => operation === "invoice.update");
    expect(sent).toHaveLength(2);
    expect(new Set(sent.map(({ requestid }) => requestid)).size).toBe(1);
    expect(outcomes).toMatchObject([{ state: "done" }]);
    expect(done.get("0")).toMatchObject({ written: FIELDS });
  },
);

test("a lost answer to the second call of an update is resolved, too", async () => {
  const made = await make();
  await change(made.Id, { ShipMethodRef: { value: "FedEx" } });
  await addFaults({
    fault: "committed_answer_lost",
    match: { operation: "invoice.update" },
    everyN: 2,
    count: 1,
  });
  await forgetCalls();
  const { outcomes, done } = await update([toUpdate(made)]);
  const { shipDate, trackingNumber } = FIELDS;
  expect(outcomes).toMatchObject([{ state: "done" }]);
  expect(done.get("0")).toMatchObject({ written: { shipDate, trackingNumber } });
  expect((await operations()).filter((operation) => operation === "invoice.update")).toHaveLength(2);
});

const pdf = (size = 2_000) => new Uint8Array(Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(size)]));
type Proof = ProofToAttach & { bytes: Uint8Array };
const toAttach = (qboId: string, bytes = pdf(), fileName = `proof ${++counter}.pdf`): Proof => ({
  qboId,
  fileName,
  size: bytes.length,
  sha256: createHash("sha256").update(bytes).digest(),
  note: "Proof of delivery",
  includeOnSend: false,
  bytes,
});

type AttachOptions = { isSearchedFirst?: boolean; reconcileFrom?: Date; books?: Books };

const attach = (
  bodies: readonly Proof[],
  { isSearchedFirst = false, books: way = books, ...run }: AttachOptions = {},
) =>
  settle(opened, {
    ...run,
    bodies,
    policy: attachPolicy(WRITE_POLICY),
    vendorKey: () => null,
    operation: (loadBodies) =>
      attachProof(way, {
        db: ctx.db,
        realmId: ACME,
        loadBodies,
        loadFile: ({ bytes }) => Promise.resolve(bytes),
        isSearchedFirst: () => isSearchedFirst,
      }),
  });

const filesOn = async (id: string) => (await books.findAttachments(id)).data.map(({ FileName }) => FileName);

test("a file is attached with one call: nothing is read first, and its bytes are compared where they are stored", async () => {
  const { Id } = await make();
  await forgetCalls();
  const proof = toAttach(Id);
  expect(await attach([proof])).toMatchObject([{ state: "done", cause: null }]);
  expect(await operations()).toEqual(["upload", "file"]);
  expect(await filesOn(Id)).toEqual([proof.fileName]);
});

test.each(["committed_answer_lost", "committed_500", "half_body"])(
  "a file whose answer was lost (%s) is found by invoice, name and size, and exists once",
  async (fault) => {
    const { Id } = await make();
    const proof = toAttach(Id);
    await addFaults({ fault, match: { operation: "upload" }, once: true });
    // It has another file, and another invoice has one of the same name.
    expect(
      await attach([proof, toAttach((await make()).Id, pdf(), proof.fileName), toAttach(Id)]),
    ).toMatchObject([{ state: "done" }, { state: "done" }, { state: "done" }]);
    expect((await filesOn(Id)).filter((name) => name === proof.fileName)).toHaveLength(1);
  },
);

test.each([60, 600, 1_800])(
  "a file whose answer was lost, and that no query shows for %i s, exists once",
  async (hiddenS) => {
    const { Id } = await make();
    const lost = { fault: "committed_answer_lost", match: { operation: "upload" }, once: true };
    await addFaults({ ...lost, hiddenS });
    await forgetCalls();
    const [outcome] = await attach([toAttach(Id)]);
    expect(outcome).toMatchObject({ state: "done" });
    const calls = await operations();
    expect(calls.filter((operation) => operation === "upload")).toHaveLength(1);
    expect(calls.filter((operation) => operation === "query").length).toBeGreaterThan(1);
    expect(await filesOn(Id)).toHaveLength(1);
  },
);

test.each([
  { fault: "reset" },
  { fault: "gateway", status: 502, page: "html" },
  { fault: "gateway", status: 403, page: "html" },
])("a file that did not arrive ($fault $status) is sent again once that is certain", async (fault) => {
  const { Id } = await make();
  await addFaults({ ...fault, match: { operation: "upload" }, once: true });
  expect(await attach([toAttach(Id)])).toMatchObject([{ state: "done" }]);
  expect(await filesOn(Id)).toHaveLength(1);
});

test.each([{ fault: "expired_token" }, { fault: "429" }, { fault: "429xml" }])(
  "a file that Intuit rejected before processing ($fault) is sent again at once, and exists once",
  async (fault) => {
    const { Id } = await make();
    await addFaults({ ...fault, match: { operation: "upload" }, once: true });
    await forgetCalls();
    expect(await attach([toAttach(Id)])).toMatchObject([{ state: "done" }]);
    expect((await operations()).filter((operation) => operation === "query")).toEqual([]);
    expect(await filesOn(Id)).toHaveLength(1);
  },
);

test("closed books refuse an update, and it is not repeated", async () => {
  const made = await make();
  await addFaults({ fault: "code", code: "6210", status: 400, match: { operation: "invoice.update" } });
  await forgetCalls();
  expect((await update([toUpdate(made)])).outcomes).toMatchObject([
    { state: "refused", cause: { code: "closed_books" } },
  ]);
  expect(await operations()).toEqual(["invoice.update"]);
});

test("files that an earlier holder of the run attached are found with one query", async () => {
  const before = new Date(ctx.clock.now().getTime() - 60_000);
  const { Id } = await make();
  const proofs = [toAttach(Id), toAttach(Id), toAttach((await make()).Id)];
  await attach(proofs);
  // The ledger of that run is forgotten, as in a restored database.
  await ctx.db.withTables<{ write: { vendor: string } }>().deleteFrom("write").execute();
  await forgetCalls();
  const again = await attach(proofs, { reconcileFrom: before });
  expect(again.map(({ state }) => state)).toEqual(["done", "done", "done"]);
  expect(await operations()).toEqual(["query"]);
  expect(await filesOn(Id)).toHaveLength(2);
});

test("files that may already be there are searched for before they are sent", async () => {
  const { Id } = await make();
  const proofs = [toAttach(Id)];
  await attach(proofs);
  await ctx.db.withTables<{ write: { vendor: string } }>().deleteFrom("write").execute();
  const [first, second] = [proofs[0] as Proof, toAttach(Id)];
  await forgetCalls();
  expect(await attach([first, second], { isSearchedFirst: true })).toMatchObject([
    { state: "done" },
    { state: "done" },
  ]);
  expect((await operations()).filter((operation) => operation === "upload")).toHaveLength(1);
  expect(await filesOn(Id)).toHaveLength(2);
});

test("two equal files on one invoice stay two, even if one answer was lost", async () => {
  const { Id } = await make();
  const attachment = toAttach(Id);
  await addFaults({ fault: "committed_answer_lost", match: { operation: "upload" }, once: true });
  expect(await attach([attachment, attachment])).toMatchObject([{ state: "done" }, { state: "done" }]);
  expect(await filesOn(Id)).toHaveLength(2);
});

test("a file over QuickBooks' limit is refused before it is sent", async () => {
  const { Id } = await make();
  await forgetCalls();
  const huge = { ...toAttach(Id), size: 100_000_000 };
  expect(await attach([huge])).toMatchObject([
    { state: "refused", cause: { code: "file_too_large", params: { size: 100_000_000, limit: 99_000_000 } } },
  ]);
  expect(await operations()).toEqual([]);
});

test("a file for a deleted invoice is refused inside a response with status 200", async () => {
  const { Id } = await make();
  await act(Id, "delete");
  expect(await attach([toAttach(Id)])).toMatchObject([{ state: "refused", cause: { code: "deleted" } }]);
});

test("a file that QuickBooks stores with different bytes is reported", async () => {
  const { Id } = await make();
  const proof = toAttach(Id);
  const altered = { ...proof, sha256: createHash("sha256").update("other").digest() };
  expect(await attach([altered])).toMatchObject([{ state: "refused", cause: { code: "file_altered" } }]);
  const shorter = { ...toAttach(Id), size: proof.size - 1 };
  expect(await attach([shorter])).toMatchObject([
    {
      state: "refused",
      cause: { code: "file_altered", params: { size: proof.size - 1, stored: proof.size } },
    },
  ]);
});

test("changes are read with one call, continuing where the last read ended", async () => {
  const booksCtx = { ...ctx, books: () => books };
  const made = await make();
  const since = await readInvoicesSince(booksCtx, { realmId: ACME, day: "2026-11-19" }, async (page) => {
    expect(page.find(({ qboId }) => qboId === made.Id)).toMatchObject({
      syncToken: "0",
      number: made.DocNumber,
      txnDate: "2026-11-19",
      shipDate: "",
      isVoided: false,
    });
  });
  await intuit.control("POST", "/clock", { advanceMs: 3_600_000 });
  const [changed, deleted] = [await make(), await make()];
  await change(changed.Id, {
    TrackingNum: "1Z1",
    CustomField: [{ DefinitionId: "1", Type: "StringType", StringValue: "PO-7" }],
  });
  await act(deleted.Id, "delete");
  await forgetCalls();
  const seen: BooksInvoice[] = [];
  const gone: string[] = [];
  const next = await readChangedInvoices(booksCtx, { realmId: ACME, since }, async (page) => {
    seen.push(...page.invoices);
    gone.push(...page.deleted);
  });
  expect(await operations()).toEqual(["cdc"]);
  expect(seen.find(({ qboId }) => qboId === changed.Id)).toMatchObject({
    trackingNumber: "1Z1",
    customFields: [{ name: expect.any(String), value: "PO-7" }],
  });
  expect(gone).toContain(deleted.Id);
  expect(next.getTime()).toBeGreaterThan(since.getTime());
});

test("changes over more than a month are read by a query, since QuickBooks doesn't list them", async () => {
  await make();
  await forgetCalls();
  const since = new Date(ctx.clock.now().getTime() - 40 * 24 * 3_600_000);
  let count = 0;
  await readChangedInvoices(
    { ...ctx, books: () => books },
    { realmId: ACME, since },
    async ({ invoices }) => {
      count += invoices.length;
    },
  );
  expect(await operations()).toEqual(["query"]);
  expect(count).toBeGreaterThan(0);
});

test("the company's setting for shipping fields is read", async () => {
  const booksCtx = { ...ctx, books: () => books };
  expect(await readShippingPreference(booksCtx, ACME)).toBe("on");
  await opened.allowShipping(false);
  expect(await readShippingPreference(booksCtx, ACME)).toBe("off");
});
