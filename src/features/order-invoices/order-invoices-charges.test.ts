import { expect, test } from "vitest";
import { chooseMatch, searchMatches } from "#features/order-invoices/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../../../test/support/intuit.ts";
import {
  confirmPrices,
  matchAll,
  openThreadDesk,
  refuseLate,
  say810s,
  type ThreadDesk,
} from "../../../test/support/thread.ts";
import { prepareInvoices } from "../../../test/support/tracking.ts";

/** A sample order with other allowances and charges. */
const orderWith = (number: number, ...charges: string[]): string[] =>
  sampleOrder(number).flatMap((segment) => {
    if (segment.startsWith("SAC*")) return charges;
    return segment.startsWith("SE*") ? segment.replace("17", String(16 + charges.length)) : segment;
  });

test("an allowance or charge of an order is billed as it says who pays it, left out if it's information only, and waits if it can't be billed here", async () => {
  const desk = await openThreadDesk();
  const charges: Record<string, string[]> = {
    // Off the invoice, and paid by the customer: as this retailer's invoices have them.
    "80001": ["SAC*A*C000****Z*1*****02***Defective", "SAC*C*D240***1250*******06***Freight"],
    // Information only, and one that ended.
    "80002": ["SAC*A*C000****Z*1*****15", "SAC*C*D240***1250*******15", "SAC*C*G830***0"],
    // Billed back, under another code, by a rate, twice, and of a line.
    "80003": ["SAC*A*C000****Z*1*****01***Defective"],
    "80004": ["SAC*C*G830***1250"],
    "80005": ["SAC*C*D240******.75"],
    "80006": ["SAC*C*D240***1250", "SAC*C*D240***300"],
    // A service that costs something.
    "80007": ["SAC*S*G830***300"],
    // No allowance or charge, and a service without an amount.
    "80008": ["SAC*N*C310***500", "SAC*S*F050***********Gift wrap"],
  };
  const sets = Object.values(charges).map((segments, at) => orderWith(at + 1, ...segments));
  const ofLine = orderWith(9).flatMap((each) => (each.startsWith("CTT") ? ["SAC*C*G830***300", each] : each));
  await desk.add(sampleFile({ sets: [...sets, ofLine.map((each) => each.replace("SE*16", "SE*17"))] }));
  const numbers = [...Object.keys(charges), "80009"];
  for (const po of numbers) expect((await desk.ship(po)).status).toBe(200);
  await desk.leave();
  await desk.accept();
  await matchAll(desk);
  const { threads } = await desk.list();
  const ids = numbers.map((po) => threads.find(({ po_number }) => po_number === po)?.order_id ?? "");
  for (const id of ids) await confirmPrices(desk, id);
  const drafts = (await Promise.all(ids.map((id) => desk.view(id)))).map(({ invoices }) => invoices[0]);
  expect(drafts.map((draft) => [draft?.ordered_allowance, draft?.ordered_freight])).toEqual([
    ["0.33", "12.50"],
    ["0.00", "0.00"],
    ["0.00", "0.00"],
    ["0.00", "0.00"],
    ["0.00", "0.00"],
    ["0.00", "12.50"],
    ["0.00", "0.00"],
    ["0.00", "0.00"],
    ["0.00", "0.00"],
  ]);
  expect(drafts.map((draft) => draft?.waits)).toEqual([
    [],
    [],
    ...Array.from({ length: 5 }, () => ["charge"]),
    [],
    ["charge"],
  ]);
  const posted = (await desk.post(...ids)).json() as { posting: number; left_out: { problem: string }[] };
  expect(posted.posting).toBe(3);
  expect(posted.left_out.map(({ problem }) => problem).toSorted()).toEqual(
    ["80003", "80004", "80005", "80006", "80007", "80009"].map((po) =>
      expect.stringContaining(`PO # ${po}: the order names an allowance or charge that isn't billed`),
    ),
  );
  await desk.app.settle(120_000);
  const made = await desk.app.intuit.invoices(ACME);
  const totals = Object.fromEntries(made.map(({ DocNumber: number, TotalAmt: total }) => [number, total]));
  expect(totals).toMatchObject({ "80001": 44.67, "80002": 32.5, "80008": 32.5 });
  await desk.leave();
  expect(await say810s(desk)).toEqual([
    ["sent", []],
    ["sent", []],
    ["sent", []],
  ]);
});

/** A sample order with another currency, or none. */
const withCurrency = (number: number, segments: readonly string[]): string[] =>
  sampleOrder(number).flatMap((segment) => {
    if (segment.startsWith("CUR*")) return segments;
    return segment.startsWith("SE*") ? segment.replace("17", String(16 + segments.length)) : segment;
  });

test("an order in another currency than its customer's in QuickBooks is not posted at its numbers", async () => {
  const desk = await openThreadDesk();
  const currencies = {
    "80001": ["CUR*BY*CAD"],
    "80002": [],
    "80003": ["CUR*BY*usd"],
    "80004": ["CUR*BY*EUR"],
  };
  const sets = Object.values(currencies).map((segments, at) => withCurrency(at + 1, segments));
  await desk.add(sampleFile({ sets }));
  const numbers = Object.keys(currencies);
  for (const po of numbers) expect((await desk.ship(po)).status).toBe(200);
  await desk.leave();
  await matchAll(desk);
  const { threads } = await desk.list();
  const ids = numbers.map((po) => threads.find(({ po_number }) => po_number === po)?.order_id ?? "");
  for (const id of ids) await confirmPrices(desk, id);
  expect(await listWaits(desk, ids)).toEqual([["currency"], [], [], ["currency"]]);
  const posted = (await desk.post(...ids)).json() as { posting: number; left_out: { problem: string }[] };
  expect(posted.posting).toBe(2);
  expect(posted.left_out.map(({ problem }) => problem).toSorted()).toEqual(
    ["80001", "80004"].map((po) =>
      expect.stringContaining(`PO # ${po}: the order's currency isn't that of its customer in QuickBooks`),
    ),
  );
  const stands = Object.fromEntries(
    (await desk.list()).threads.map(({ po_number: po, words }) => [po, words]),
  );
  expect(stands).toMatchObject({ "80001": "Currency differs", "80004": "Currency differs" });
});

/** Ships sample orders for a customer in CAD of a company with another home currency, or the same. @returns the orders' ids */
async function shipForCad(desk: ThreadDesk, home: string, currencies: readonly (readonly string[])[]) {
  await desk.app.intuit.control(
    `companies/${ACME}`,
    { preferences: { CurrencyPrefs: { MultiCurrencyEnabled: true, HomeCurrency: { value: home } } } },
    "PATCH",
  );
  const maple = { DisplayName: "Maple Traders", CurrencyRef: { value: "CAD" } };
  await desk.app.intuit.control(`books/${ACME}/Customer`, maple);
  const sets = currencies.map((segments, at) => withCurrency(at + 1, segments));
  await desk.add(sampleFile({ sets }));
  const numbers = currencies.map((_, at) => `8000${at + 1}`);
  for (const po of numbers) expect((await desk.ship(po)).status).toBe(200);
  await desk.leave();
  await matchAll(desk, ({ kind }) => kind !== "customer");
  const question = (await desk.list()).questions.find(({ kind }) => kind === "customer");
  const { partner = "", written = "" } = question ?? {};
  const kind = "customer";
  const found = await desk.browser.call(searchMatches, { params: { kind }, query: { q: "Maple Traders" } });
  const [entry] = (found.json() as { entries: { id: string }[] }).entries;
  const json = { partner, kind, written, target_id: entry?.id ?? "" };
  const chosen = await desk.browser.call(chooseMatch, { json });
  expect(chosen.status, `${chosen.text} ${found.text}`).toBe(200);
  const { threads } = await desk.list();
  const ids = numbers.map((po) => threads.find(({ po_number }) => po_number === po)?.order_id ?? "");
  for (const id of ids) await confirmPrices(desk, id);
  return ids;
}

const listWaits = async (desk: ThreadDesk, ids: readonly string[]) =>
  (await Promise.all(ids.map((id) => desk.view(id)))).map(({ invoices }) => invoices[0]?.waits);

test("an order without a currency is not posted at its numbers to a customer in a foreign one", async () => {
  const desk = await openThreadDesk();
  const ids = await shipForCad(desk, "USD", [[], ["CUR*BY*CAD"], ["CUR*BY*USD"]]);
  expect(await listWaits(desk, ids)).toEqual([["currency"], [], ["currency"]]);
  expect((await desk.post(...ids)).json()).toMatchObject({ posting: 1 });
});

test("an invoice that a user creates in QuickBooks, since it can't be posted from here, is found and linked, of whichever customer it is", async () => {
  const desk = await openThreadDesk();
  const charged = orderWith(2, "SAC*C*G830***300");
  await desk.add(sampleFile({ sets: [withCurrency(1, ["CUR*BY*CAD"]), charged] }));
  for (const po of ["80001", "80002"]) expect((await desk.ship(po)).status).toBe(200);
  const { threads } = await desk.list();
  const read = async (po: string) => {
    const id = threads.find(({ po_number }) => po_number === po)?.order_id ?? "";
    await confirmPrices(desk, id);
    return (await desk.view(id)).invoices[0];
  };
  const answer = async (po: string, said: "find" | "link") => {
    const { status, text } = await desk.say(await read(po), said);
    return [status, text];
  };
  const refused = (text: string) => [409, expect.stringContaining(text)];
  expect(await answer("80001", "find")).toEqual(refused("its ship notice hasn't been sent yet"));
  await desk.leave();
  expect(await answer("80001", "find")).toEqual(refused("match the retailer to a customer"));
  await matchAll(desk);
  const invoice = await prepareInvoices(desk.app.intuit, ACME);
  const customers = await desk.app.intuit.control<{ Id: string; DisplayName: string }[]>(
    `books/${ACME}/Customer`,
  );
  const isRetailer = ({ DisplayName: name }: { DisplayName: string }) => name.includes("Cool Cars");
  for (const [po, wait, own] of [
    ["80001", "currency", customers.find((customer) => !isRetailer(customer))],
    ["80002", "charge", customers.find(isRetailer)],
  ] as const) {
    expect((await read(po))?.waits).toEqual([wait]);
    expect(await answer(po, "find")).toEqual(refused(`no invoice with the PO number ${po}`));
    const { Id: id } = await invoice({ DocNumber: po, CustomerRef: { value: own?.Id ?? "" } });
    expect((await answer(po, "find"))[0]).toBe(200);
    expect(await read(po)).toMatchObject({ waits: [wait, "books"], theirs: { id } });
    expect((await answer(po, "link"))[0]).toBe(200);
    expect(await read(po)).toMatchObject({ state: "linked", number: po });
  }
});

test("the 810 of an order without a currency stays here if its invoice is in the company's own, which isn't USD, until a user enters it in the portal", async () => {
  const desk = await openThreadDesk();
  const ids = await shipForCad(desk, "CAD", [[], ["CUR*BY*usd"]]);
  expect(await listWaits(desk, ids)).toEqual([[], ["currency"]]);
  expect((await desk.post(...ids)).json()).toMatchObject({ posting: 1 });
  await desk.app.settle(120_000);
  await desk.accept();
  await desk.leave();
  const held =
    "Invoice 80001: it is in CAD, and invoices are sent to retailers in USD only. Enter this invoice in the retailer's portal.";
  expect(await say810s(desk)).toEqual([["pending", [held]]]);
  const stands = async () => (await desk.list()).threads.find(({ po_number: po }) => po === "80001")?.words;
  const [invoice] = (await desk.view(ids[0] ?? "")).invoices;
  expect([await stands(), invoice?.asks_portal]).toEqual(["Invoice can't be sent", true]);
  // The number that the user enters in the portal is another one by now.
  const { Id: id } =
    (await desk.app.intuit.invoices(ACME)).find(({ DocNumber }) => DocNumber === "80001") ?? {};
  await desk.app.intuit.control(`books/${ACME}/invoice/${id}`, { DocNumber: "80001-B" });
  const read = async () => (await desk.view(ids[0] ?? "")).invoices[0];
  expect(await read()).toMatchObject({ number: "80001-B", asks_portal: true });
  expect(await refuseLate(desk, invoice, "portal")).toBe("changed_since");
  const asked = await read();
  expect((await desk.say(asked, "portal")).status).toBe(200);
  expect(await say810s(desk)).toEqual([["accepted", ["Entered in the retailer's portal."]]]);
  expect([await stands(), (await desk.view(ids[0] ?? "")).invoices[0]?.asks_portal]).toEqual(["Done", false]);
  expect((await desk.say(asked, "portal")).status).toBe(409);
});
