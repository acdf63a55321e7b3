import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateFreight, type FreightUpdate } from "#features/books/shipping/update-freight.ts";
import type { ShippingDone } from "#features/books/shipping/update-shipping.ts";
import { ACME } from "#integrations/intuit/fixtures/open-books.ts";
import { openShipping, settle, type ShippingBooks } from "../../../../test/support/settle-shipping.ts";

type Json = Record<string, unknown>;
type Stored = Json & { Id: string; SyncToken: string; TotalAmt: number; Line: Json[] };

let opened: ShippingBooks;
let customers: string[];
let items: string[];

beforeAll(async () => {
  opened = await openShipping();
  const { books } = opened;
  customers = (await books.customers()).data.filter(({ Active }) => Active).map(({ Id }) => Id);
  items = (await books.items()).data
    .filter(({ Active, Type }) => Active && Type === "Service")
    .map(({ Id }) => Id);
});
afterAll(() => opened.close());
beforeEach(async () => {
  await opened.intuit.control("DELETE", "/faults");
  await opened.intuit.control("PATCH", "/settings", { queryLagS: 0, changeLagS: 0 });
  await opened.allowShipping(true);
  await opened.intuit.clock.sleep(61_000);
});

let counter = 0;
const at = (path: string) => `/books/${ACME}/${path}`;
const control = async (path: string, body: Json = {}) =>
  (await opened.intuit.control("POST", at(path), body)) as unknown as Stored;
const read = async (id: string) =>
  (await opened.intuit.control("GET", at(`invoice/${id}`))) as unknown as Stored;
const addFaults = (...rules: object[]) => opened.intuit.control("POST", "/faults", rules);

const line = (qty: number, price: number, more: Json = {}) => ({
  DetailType: "SalesItemLineDetail",
  Amount: Math.round(qty * price * 100) / 100,
  Description: "Zoë & Söhne <b>\n two lines",
  SalesItemLineDetail: { ItemRef: { value: items[0] }, Qty: qty, UnitPrice: price, ...more },
});
const shippingLine = (Amount: number) => ({
  DetailType: "SalesItemLineDetail",
  Amount,
  SalesItemLineDetail: { ItemRef: { value: "SHIPPING_ITEM_ID" } },
});

/** An invoice with a line of every kind. */
const make = (more: Json[] = [], fields: Json = {}) =>
  control("invoice", {
    CustomerRef: { value: customers[0] },
    TxnDate: "2026-11-19",
    DocNumber: `F-${++counter}`,
    PrivateNote: "as it was",
    Line: [
      line(3, 33.33),
      { DetailType: "DescriptionOnly", Description: "Deliver to the back door", DescriptionLineDetail: {} },
      line(0.5, 0.1, { ServiceDate: "2026-11-01" }),
      ...more,
      {
        DetailType: "DiscountLineDetail",
        Amount: 5,
        DiscountLineDetail: { PercentBased: false },
      },
    ],
    ...fields,
  });

const isShipping = (json: Json) => JSON.stringify(json).includes("SHIPPING_ITEM_ID");
/** All of an invoice but its shipping line, its sums and its version, byte for byte. */
const rest = (invoice: Json) => {
  const {
    SyncToken: _token,
    MetaData: _meta,
    TotalAmt: _total,
    Balance: _balance,
    Line,
    ...others
  } = invoice;
  const lines = (Line as Json[]).filter(
    (row) => !isShipping(row) && row["DetailType"] !== "SubTotalLineDetail",
  );
  return JSON.stringify([others, lines]);
};

const toUpdate = ({ Id }: { Id: string }, more: Partial<FreightUpdate> = {}): FreightUpdate => ({
  qboId: Id,
  cents: 1850,
  oursCents: 0,
  currency: "USD",
  ...more,
});

async function update(...bodies: FreightUpdate[]) {
  const done = new Map<string, ShippingDone>();
  const outcomes = await settle(opened, {
    bodies,
    vendorKey: () => null,
    operation: (loadBodies) => updateFreight(opened.books, { loadBodies, done }),
  });
  return { outcomes, done };
}

const sentUpdates = async () => {
  const { entries } = (await opened.intuit.control("GET", "/journal")) as {
    entries: { operation: string; requestid: string }[];
  };
  return entries.filter(({ operation }) => operation === "invoice.update");
};

test("TK-04 a shipping amount is added, replaced and removed, and every other line and field stays byte for byte", async () => {
  const made = await make();
  const { outcomes, done } = await update(toUpdate(made));
  expect(outcomes).toMatchObject([{ state: "done", cause: null }]);
  const added = await read(made.Id);
  expect(added.TotalAmt).toBe(made.TotalAmt + 18.5);
  expect(rest(added)).toBe(rest(made));
  expect(added.Line.filter(isShipping)).toMatchObject([{ Amount: 18.5 }]);
  expect(done.get("0")?.invoice).toMatchObject({ shippingCents: 1850, syncToken: added.SyncToken });
  await update(toUpdate(made, { cents: 905, oursCents: 1850 }));
  const replaced = await read(made.Id);
  expect(replaced.TotalAmt).toBe(made.TotalAmt + 9.05);
  expect(rest(replaced)).toBe(rest(made));
  await update(toUpdate(made, { cents: 0, oursCents: 905 }));
  const removed = await read(made.Id);
  expect(removed.TotalAmt).toBe(made.TotalAmt);
  expect(removed.Line.filter(isShipping)).toEqual([]);
  expect(rest(removed)).toBe(rest(made));
});

test("TK-04 a shipping amount of zero is filled, keeping its line", async () => {
  const made = await make([shippingLine(0)]);
  const [before] = made.Line.filter(isShipping);
  expect((await update(toUpdate(made))).outcomes).toMatchObject([{ state: "done" }]);
  const filled = await read(made.Id);
  expect(filled.Line.filter(isShipping)).toEqual([{ ...before, Amount: 18.5 }]);
  expect(rest(filled)).toBe(rest(made));
});

test.each(["there", "paid", "partly paid", "void", "delete", "currency"] as const)(
  "TK-04 TK-05 nothing is written on an invoice with a shipping amount, a payment, or another currency, or that is gone: %s",
  async (what) => {
    const made = await make(what === "there" ? [shippingLine(7)] : []);
    if (what === "paid") await control(`invoice/${made.Id}/pay`);
    if (what === "partly paid") await control(`invoice/${made.Id}/pay`, { amount: 10 });
    if (what === "void" || what === "delete") await control(`invoice/${made.Id}/${what}`);
    const before = what === "delete" ? null : await read(made.Id);
    await opened.intuit.control("DELETE", "/journal");
    const body = toUpdate(made, what === "currency" ? { currency: "CAD" } : {});
    const code = {
      there: "freight_there",
      paid: "freight_paid",
      "partly paid": "freight_paid",
      void: "voided",
      delete: "deleted",
      currency: "freight_currency",
    }[what];
    expect((await update(body)).outcomes).toMatchObject([{ state: "refused", cause: { code } }]);
    expect(await sentUpdates()).toEqual([]);
    if (before) expect(await read(made.Id)).toEqual(before);
  },
);

test.each(["edited", "paid", "there"] as const)(
  "TK-04 an invoice that is changed between the read and the write is read again: %s",
  async (what) => {
    const made = await make();
    const { books } = opened;
    let changes = 0;
    const racing = {
      ...books,
      readInvoice: async (id: string) => {
        const found = await books.readInvoice(id);
        if (changes++ > 0) return found;
        if (what === "paid") await control(`invoice/${id}/pay`);
        else if (what === "edited")
          await control(`invoice/${id}`, { PrivateNote: "by hand", Line: [line(1, 7)] });
        else await control(`invoice/${id}`, { Line: [line(1, 7), shippingLine(3)] });
        return found;
      },
    };
    const done = new Map<string, ShippingDone>();
    const outcomes = await settle(opened, {
      bodies: [toUpdate(made)],
      vendorKey: () => null,
      operation: (loadBodies) => updateFreight(racing, { loadBodies, done }),
    });
    const now = await read(made.Id);
    if (what === "edited") {
      expect(outcomes).toMatchObject([{ state: "done" }]);
      expect(now).toMatchObject({ PrivateNote: "by hand", TotalAmt: 25.5 });
    } else {
      const code = what === "paid" ? "freight_paid" : "freight_there";
      expect(outcomes).toMatchObject([{ state: "refused", cause: { code } }]);
      expect(now.Line.filter(isShipping)).toHaveLength(what === "there" ? 1 : 0);
    }
  },
);

test.each(["committed_answer_lost", "committed_500", "half_body", "500", "reset"])(
  "TK-05 an amount whose answer was lost is on the invoice once: %s",
  async (fault) => {
    const made = await make();
    await addFaults({ fault, match: { operation: "invoice.update" }, once: true });
    const { outcomes, done } = await update(toUpdate(made));
    expect(outcomes).toMatchObject([{ state: "done" }]);
    expect(done.get("0")?.invoice.shippingCents).toBe(1850);
    const now = await read(made.Id);
    expect(now.Line.filter(isShipping)).toHaveLength(1);
    expect(now.TotalAmt).toBe(made.TotalAmt + 18.5);
    expect(rest(now)).toBe(rest(made));
  },
);

test("closed books refuse an amount, in QuickBooks' words, and it is not sent again", async () => {
  const made = await make();
  await addFaults({ fault: "code", code: "6210", status: 400, match: { operation: "invoice.update" } });
  await opened.intuit.control("DELETE", "/journal");
  expect((await update(toUpdate(made))).outcomes).toMatchObject([
    { state: "refused", cause: { code: "closed_books" } },
  ]);
  expect(await sentUpdates()).toHaveLength(1);
});

test("a company that has switched shipping off keeps no amount, and that is reported", async () => {
  const made = await make();
  await opened.allowShipping(false);
  expect((await update(toUpdate(made))).outcomes).toMatchObject([
    { state: "refused", cause: { code: "freight_dropped" } },
  ]);
  expect((await read(made.Id)).TotalAmt).toBe(made.TotalAmt);
});
