import { PDFiumLibrary } from "@hyzyla/pdfium";
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { readPack } from "#features/tracking/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { makePackage } from "#features/tracking/proof/fixtures/responses.ts";
import { makeProof } from "#features/tracking/proof/make-proof.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { CARTON, openShippingDesk } from "../../../../test/support/shipping.ts";
import { openThreadDesk, prepareSample } from "../../../../test/support/thread.ts";

const library = await PDFiumLibrary.init();
afterAll(() => library.destroy());

const QUERY = { realm_id: ACME };

const SCANS = ["DELIVERED", "Out For Delivery", "Origin Scan"].map((text, at) => ({
  at: at === 0 ? "2026-11-20T20:47:00.000Z" : null,
  local_date: `2026-11-${20 - at}`,
  local_time: "13:47:00",
  place: "Sedona, AZ",
  state: "in_transit",
  text,
}));

/** Acme with the service, following invoices as its run stores them. */
async function openPackDesk() {
  const desk = await openShippingDesk();
  const { app, browser } = desk;
  const { db } = app;
  await sql`insert into tracking_company (realm_id, reads_left, reads_at) values (${ACME}, 0, now())
    on conflict do nothing`.execute(db);
  const follow = async (invoice: { id: string; number: string }, number: string, proof: Uint8Array) => {
    await sql`insert into tracked_invoice (realm_id, qbo_id, sync_token, number, customer, txn_date, ship_via, tracking_text, keys)
      values (${ACME}, ${invoice.id}, '0', ${invoice.number}, 'Red Rock Diner', '2026-11-20', '', ${number}, '{}')`.execute(
      db,
    );
    await sql`insert into package (realm_id, number, of_invoice, state, added_at, service, activities)
      values (${ACME}, ${number}, true, 'delivered', now(), 'UPS Ground', ${JSON.stringify(SCANS)})
      on conflict (realm_id, number) do update set of_invoice = true, state = excluded.state, service = excluded.service,
        activities = excluded.activities, next_poll_at = null`.execute(db);
    await sql`insert into tracked_proof (realm_id, number, state, pdf)
      values (${ACME}, ${number}, 'carrier', ${proof})`.execute(db);
    await sql`insert into tracked_invoice_package (realm_id, qbo_id, number, seq, in_books)
      values (${ACME}, ${invoice.id}, ${number}, 1, true)`.execute(db);
  };
  const ask = (id: string) => browser.download(readPack, { query: QUERY, params: { invoice_id: id } });
  return { ...desk, follow, ask };
}

async function readPages(pdf: Uint8Array): Promise<string[]> {
  const document = await library.loadDocument(pdf);
  const pages = [...document.pages()].map((page) => page.getText().replaceAll(/\s+/g, " "));
  document.destroy();
  return pages;
}

test("a dispute pack is one file with the invoice, order, packing slip, label, notice, scans and proof (TK-18)", async () => {
  const desk = await openPackDesk();
  const [books] = await desk.app.intuit.invoices(ACME);
  const { Id: id, DocNumber: invoiceNumber = "" } = books ?? expect.unreachable();
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  const [label] = (await desk.history()).labels;
  const number = label?.shipment ?? expect.unreachable();
  const tracked = { ...makePackage(1, "signature only"), trackingNumber: number };
  const { pdf } = await makeProof({ tracked, now: new Date(0) });
  await desk.follow({ id, number: invoiceNumber }, number, pdf);

  const pages = await readPages(await desk.ask(id));
  expect(pages).toHaveLength(8);
  for (const [at, text] of [
    `Dispute pack ${invoiceNumber}`,
    `INVOICE ${invoiceNumber}`,
    "PO number 80001",
    "Packing slip",
    "",
    "Ship notice",
    "Out For Delivery",
    "Proof of delivery",
  ].entries())
    expect(pages[at]).toContain(text);
  expect(pages[0]).toMatch(
    /Invoice page 2 .*Order page 3 Packing slip page 4 Label page 5 Ship notice page 6 Invoice to the retailer missing .* Retailer's answers missing .* Scans page 7 Proof of delivery page 8/,
  );
  for (const at of [2, 3, 5, 6, 7]) expect(pages[at]).toMatch(/80001|1Z/);
});

test("TD-18 a pack about a part of an order has the slip of that part", async () => {
  const desk = await openPackDesk();
  await desk.addSamples(1);
  const ship = (line: string, quantity: string) =>
    desk.ship("80001", [{ ...CARTON, contents: [{ line, quantity }] }], { key: crypto.randomUUID() });
  for (const [line, quantity] of [
    ["1", "2"],
    ["2", "3"],
    ["2", "7"],
  ] as const)
    expect((await ship(line, quantity)).status).toBe(200);
  const parts = (await desk.history()).labels.toReversed();
  for (const [at, label] of parts.entries())
    await desk.follow({ id: `${at}`, number: `A-${at}` }, label.shipment, Buffer.from("%PDF-1.7 damaged"));
  const slips = [];
  for (const at of parts.keys()) {
    const pages = await readPages(await desk.ask(`${at}`));
    const slip = pages.slice(1).find((text) => text.includes("Packing slip"));
    slips.push(["1001234", "3 EA", "7 EA"].filter((text) => slip?.includes(text)));
  }
  expect(slips).toEqual([["1001234"], ["3 EA"], ["7 EA"]]);
});

test("TD-18 an invoice made here is linked to its packages at once, and its pack has order, slip, label, 856, 810 and the retailer's answers", async () => {
  const desk = await openThreadDesk();
  await sql`insert into tracking_company (realm_id, reads_left, reads_at) values (${ACME}, 0, now())
    on conflict do nothing`.execute(desk.app.db);
  const orderId = await prepareSample(desk);
  await desk.post(orderId);
  await desk.app.settle(60_000);
  await desk.list();
  const made = (await desk.app.intuit.invoices(ACME)).find(({ DocNumber }) => DocNumber === "80001");
  await desk.leave();
  const read = await desk.add(
    sampleFile({
      sets: [
        [
          "ST*824*0001",
          "BGN*00*824-1*20261205",
          "OTI*TE*IV*80001",
          "TED*ZZZ*Invoiced quantity is more than was received",
          "SE*5*0001",
        ],
      ],
      group: "GS*AG*RETAILER*SUPPLIER*20261205*0915*7*X*004060",
      groupEnd: "GE*1*7",
    }),
    "824.edi",
  );
  expect(read.documents).toMatchObject([{ po_number: "80001", result: "answered" }]);
  const ask = { query: QUERY, params: { invoice_id: made?.Id ?? "" } };
  const pages = await readPages(await desk.browser.download(readPack, ask));
  const page = (title: string) => pages.slice(1).find((text) => text.includes(title));
  expect(pages[0]).toMatch(
    /Order page \d Packing slip page \d Label page \d Ship notice page \d Invoice to the retailer page \d Retailer's answers page \d/,
  );
  expect(page("Ship notice")).toMatch(/Accepted by the retailer.*1Z\w+ 2 lb 2 of line 1, 10 of line 2/);
  expect(page("Invoice to the retailer")).toMatch(
    /Document 810 Invoice 80001 .*Total 45\.00 Freight 12\.50 .*Line 1 2 12\.5 25\.00 Line 2 10 0\.75 7\.50/,
  );
  expect(page("Retailer's answers")).toMatch(/997 856 \d+ accepted\. .*824 .*more than was received/);
});

test("SR-12 scans name the zone of their time; missing parts and a damaged file are named on the first page; an invoice that isn't followed has no pack", async () => {
  const { browser, follow, ask } = await openPackDesk();
  const invoice = { id: "999001", number: "B-1" };
  await follow(invoice, "1Z1A2B3C0399999990", Buffer.from("%PDF-1.7 damaged"));
  const pages = await readPages(await ask(invoice.id));
  expect(pages).toHaveLength(2);
  // UPS named one of these scans' times in UTC too.
  expect(pages[1]).toContain("Nov 20, 2026, 1:47 PM MST DELIVERED");
  expect(pages[1]).toContain("Nov 19, 2026, 1:47 PM local time Out For Delivery");
  for (const text of [
    "Invoice missing",
    "Packing slip missing No label of this invoice was made here.",
    "Scans page 2",
    "Proof of delivery missing The file is damaged and can't be read.",
  ])
    expect(pages[0]).toContain(text);
  expect((await browser.call(readPack, { query: QUERY, params: { invoice_id: "1" } })).status).toBe(404);
});
