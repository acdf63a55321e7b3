import fc from "fast-check";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readX12 } from "#features/orders/intake/read-x12.ts";
import { checkInvoice } from "#features/orders/notices-out/check-invoice.ts";
import type { BookedInvoice, ShipFacts } from "#features/orders/notices-out/types.ts";
import { writeHubInvoice } from "#features/orders/notices-out/write-hub-invoice.ts";
import type { InvoiceDocument } from "#features/orders/notices-out/write-invoice.ts";
import { writeNotice } from "#features/orders/notices-out/write-notice.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import { partnerFrom } from "#features/orders/partners/partners.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import type { OrderCharge } from "#features/orders/types.ts";
import { readSets } from "#formats/x12/fixtures/envelope.ts";
import { readInvoice } from "#formats/x12/invoice.ts";

const CASES = new URL("../../../../test/corpus/thread/", import.meta.url);
const sample = (name: string) => readFileSync(new URL(name, CASES));
const PARTNERS = [retailer, directRetailer] as const;

/** Reads an order of the corpus. */
function readOrder(name: string) {
  const [read] = readX12(sample(name), (sender) => partnerFrom(PARTNERS, sender), new Date("2026-12-01"));
  const document = read?.documents[0];
  if (document?.kind !== "order" || read?.trading?.format !== "x12") throw new Error(JSON.stringify(read));
  return { order: document.order, trading: read.trading };
}

const shipFrom = {
  name: "Our Supply Company",
  lines: ["400 Dock Street"],
  city: "Tualatin",
  state: "OR",
  zip: "97062",
};
type Carton = [trackingNumber: string, ...contents: [line: string, quantity: string][]];
const ship = (...cartons: Carton[]): ShipFacts => ({
  shipment: cartons[0]?.[0] ?? "",
  service: "03",
  cartons: cartons.map(([trackingNumber, ...contents]) => ({
    trackingNumber,
    weightLb: 5,
    contents: contents.map(([line, quantity]) => ({ line, quantity })),
  })),
  lines: cartons.flatMap(([, ...contents]) => contents.map(([line, quantity]) => ({ line, quantity }))),
  shipFrom,
  vendorNumber: "",
});
type Line = [line: string, quantity: string, unitPrice: string, amount: string];
const book = (
  number: string,
  date: string,
  total: string,
  lines: Line[],
  more: Partial<BookedInvoice> = {},
) => ({
  id: number,
  number,
  date,
  dueDate: date,
  total,
  lines: lines.map(([line, quantity, unitPrice, amount]) => ({ line, quantity, unitPrice, amount })),
  freight: "0.00",
  allowance: "0.00",
  tax: "0.00",
  currency: "USD",
  ...more,
});

/** Invoices of both orders, as QuickBooks would have stored them. */
const FILES = {
  "a6-810-invoice-1.edi": {
    order: "a1-850-order.edi",
    partner: retailer,
    sentAt: "2026-12-02T18:30:00Z",
    controlNumber: 904,
    shipments: [ship(["1Z999AA10344000115", ["1", "2"], ["2", "1"]], ["1Z999AA10344000124", ["1", "2"]])],
    invoice: book("100451", "2026-12-02", "324.90", [
      ["1", "4", "48.75", "195.00"],
      ["2", "1", "129.90", "129.90"],
    ]),
    others: [],
  },
  "a7-810-invoice-2.edi": {
    order: "a1-850-order.edi",
    partner: retailer,
    sentAt: "2026-12-03T18:30:00Z",
    controlNumber: 906,
    shipments: [ship(["1Z999AA10344000133", ["1", "2"], ["2", "1"]])],
    invoice: book("100452", "2026-12-03", "227.40", [
      ["1", "2", "48.75", "97.50"],
      ["2", "1", "129.90", "129.90"],
    ]),
    others: [
      book("100451", "2026-12-02", "324.90", [
        ["1", "4", "48.75", "195"],
        ["2", "1", "129.90", "129.9"],
      ]),
    ],
  },
  "b8-810-invoice-1.edi": {
    order: "b1-850-order.edi",
    partner: directRetailer,
    sentAt: "2026-12-03T09:05:00Z",
    controlNumber: 305,
    shipments: [ship(["1Z888BB70351000217", ["10", "7"], ["20", "4"]])],
    invoice: book(
      "20771",
      "2026-12-02",
      "41.50",
      [
        ["10", "7", "3.3334", "23.33"],
        ["20", "4", "2.501", "10.00"],
      ],
      { freight: "8.50", allowance: "0.33" },
    ),
    others: [],
  },
  "b9-810-invoice-2.edi": {
    order: "b1-850-order.edi",
    partner: directRetailer,
    sentAt: "2026-12-04T18:30:00Z",
    controlNumber: 307,
    shipments: [ship(["1Z888BB70351000226", ["10", "5"], ["20", "2"]])],
    invoice: book(
      "20772",
      "2026-12-04",
      "21.45",
      [
        ["10", "5", "3.3334", "16.67"],
        ["20", "2", "2.501", "5.00"],
      ],
      { allowance: "0.22" },
    ),
    others: [],
  },
} as const;
type Name = keyof typeof FILES;

function prepare(name: Name) {
  const { order: file, sentAt, controlNumber, ...facts } = FILES[name];
  const { order, trading } = readOrder(file);
  const document: InvoiceDocument = {
    ...facts,
    order,
    document: "810",
    duplicateNumberPo: null,
    shippedOn: facts.shipments[0].cartons.length === 0 ? "" : SHIPPED_ON[name],
  };
  return { document, order, trading, now: new Date(sentAt), controlNumber };
}

const SHIPPED_ON: Record<Name, string> = {
  "a6-810-invoice-1.edi": "2026-12-02",
  "a7-810-invoice-2.edi": "2026-12-03",
  "b8-810-invoice-1.edi": "2026-12-02",
  "b9-810-invoice-2.edi": "2026-12-04",
};

function write(name: Name, changes: Partial<InvoiceDocument> = {}): string {
  const { document: example, order, trading, now, controlNumber } = prepare(name);
  const document = { ...example, ...changes };
  return writeNotice({
    document: "810",
    content: { invoice: document },
    order: { content: order, trading },
    partner: document.partner,
    isLast: false,
    settings: { cut_off: "17:00", sender_id: "" },
    controlNumber,
    timeZone: "America/Los_Angeles",
    now,
  }).toString();
}

test.each(Object.keys(FILES) as Name[])(
  "TD-13 TD-20 the invoice of each retailer equals its example to the unit and the cent: %s",
  (name) => {
    expect(checkInvoice(prepare(name).document)).toEqual([]);
    expect(write(name).split("\n")).toEqual(sample(name).toString().split("\n"));
    const [set] = readSets(sample(name));
    expect(set && readInvoice(set)).toMatchObject({
      document: {
        number: FILES[name].invoice.number,
        totalCents: Math.round(Number(FILES[name].invoice.total) * 100),
        unused: [],
      },
    });
  },
);

test("TD-13 the terms discount applies to the amount after or before the allowance, as the retailer requires", () => {
  const name = "b9-810-invoice-2.edi";
  const { partner } = FILES[name];
  const charges = partner.invoices.charges.map((charge) => ({ ...charge, isDiscounted: false }));
  const totals = (text: string) => /TDS\*(\d+)\*(\d+)/.exec(text)?.slice(1);
  expect(totals(write(name))).toEqual(["2145", "2145"]);
  const beforeAllowance = { ...partner, invoices: { ...partner.invoices, charges } };
  expect(totals(write(name, { partner: beforeAllowance }))).toEqual(["2145", "2167"]);
});

test("TD-14 an 810 whose total has a decimal point is invalid, and its faults name the segment and element", () => {
  const [set] = readSets(sample("b6w-810-invoice-1-wrong.edi"));
  const read = set && readInvoice(set);
  expect(read).toMatchObject({
    faults: [1, 2, 3, 4].map((element) => ({
      code: "number_not_valid",
      segment: "TDS",
      position: 19,
      element,
    })),
  });
});

test.each([
  ["a6-810-invoice-1.edi", "a6-xml-invoice-1.xml"],
  ["a7-810-invoice-2.edi", "a7-xml-invoice-2.xml"],
] as const)(
  "TD-19 an invoice in CommerceHub's XML matches its example, each line with its packages: %s",
  (name, xml) => {
    const { document } = prepare(name);
    const trading = { format: "xml", merchant: "retailera", vendor: "oursupply" } as const;
    const plain = (text: string) =>
      text
        .replaceAll(/ name="[^"]*"/g, "")
        .replaceAll(/<(\w+)([^<>]*)><\/\1>/g, "<$1$2/>")
        .replaceAll(/>\s+</g, "><")
        .trim();
    const written = writeHubInvoice(document, trading).toString();
    const expected = sample(xml).toString();
    expect(plain(written).split("><")).toEqual(plain(expected).split("><"));
  },
);

const line =
  (change: Partial<BookedInvoice["lines"][number]>) => (document: InvoiceDocument, at: number) => ({
    invoice: {
      ...document.invoice,
      lines: document.invoice.lines.map((billed, index) =>
        index === at % document.invoice.lines.length ? { ...billed, ...change } : billed,
      ),
    },
  });
const invoice = (change: Partial<BookedInvoice>) => (document: InvoiceDocument) => ({
  invoice: { ...document.invoice, ...change },
});
/** Errors introduced into a valid invoice, each with the message that must report it. */
const MUTATIONS = fc.oneof(
  fc
    .integer({ min: 13, max: 999 })
    .map((quantity) => [line({ quantity: String(quantity) }), /bills \d+, but/] as const),
  fc.constantFrom("1.5", "0", "0.25").map((quantity) => [line({ quantity }), /bills [\d.]+, but/] as const),
  fc
    .constantFrom("x", "", "-1", "1e3")
    .map((quantity) => [line({ quantity }), /aren't both numbers/] as const),
  fc
    .integer({ min: 13_000, max: 99_999 })
    .map((cents) => [line({ unitPrice: (cents / 100).toFixed(2) }), /bills a price of/] as const),
  fc
    .integer({ min: 13_000, max: 99_999 })
    .map((cents) => [line({ amount: (cents / 100).toFixed(2) }), /has the amount/] as const),
  fc
    .constantFrom("9", "", "01")
    .map((number) => [line({ line: number }), /isn't a line of the order/] as const),
  fc
    .integer({ min: 50_000, max: 99_999_999 })
    .map((cents) => [invoice({ total: (cents / 100).toFixed(2) }), /its total is/] as const),
  fc.constantFrom("", "-1.00", "1.005", "x").map((total) => [invoice({ total }), /the total is/] as const),
  fc.constantFrom("0.01", "12.00").map((tax) => [invoice({ tax }), /sales tax/] as const),
  fc.constantFrom("0.01", "99.00").map((allowance) => [invoice({ allowance }), /allowance/] as const),
  fc
    .constantFrom("", "20261202", "2026-13-01", "2026-2-1")
    .map((date) => [invoice({ date }), /its date is/] as const),
  fc
    .constantFrom("", "A".repeat(23), "10*1", "10~1", "10 1\n")
    .map((number) => [invoice({ number }), /number/] as const),
  fc.constant([
    () => ({ duplicateNumberPo: "80007" }),
    /also the number of the invoice for PO # 80007/,
  ] as const),
  fc.constantFrom("-1.00", "x", "99.99").map((freight) => [invoice({ freight }), /freight/] as const),
  fc.constant([
    ({ order }: InvoiceDocument) => ({
      order: { ...order, billing: { ...order.billing!, currency: "CAD" } },
    }),
    /the order is in CAD/,
  ] as const),
  fc.constant([invoice({ currency: "CAD" }), /it is in CAD/] as const),
  fc.constant([
    ({ order }: InvoiceDocument) => ({
      order: {
        ...order,
        lines: order.lines.map((billed) => ({ ...billed, charges: [allow({ percent: "1" })] })),
      },
    }),
    /allowance or charge of its own/,
  ] as const),
  fc.constant([invoice({ lines: [] }), /has no lines/] as const),
  fc.constant([
    (document: InvoiceDocument) => invoice({ lines: document.invoice.lines.slice(1) })(document),
    /isn't billed/,
  ] as const),
  fc.constant([
    ({ invoice: { lines }, ...document }: InvoiceDocument) =>
      invoice({ lines: [...lines, ...lines] })({
        ...document,
        invoice: { ...book("1", "", "0", []), lines },
      }),
    /occurs twice/,
  ] as const),
  fc.constant([() => ({ shipments: [] }), /no ship notice/] as const),
  fc.constant([
    ({ shipments }: InvoiceDocument) => ({
      shipments: shipments.map((shipment) => ({
        ...shipment,
        cartons: shipment.cartons.map((carton) => ({ ...carton, trackingNumber: "" })),
      })),
    }),
    /no tracking number/,
  ] as const),
  fc.constant([
    ({ order }: InvoiceDocument) => ({ order: { ...order, poNumber: "" } }),
    /PO number/,
  ] as const),
  fc.constant([
    ({ order }: InvoiceDocument) => ({ order: { ...order, references: [] } }),
    /vendor number/,
  ] as const),
  fc.constant([
    ({ order }: InvoiceDocument) => ({
      order: { ...order, lines: order.lines.map((billed) => ({ ...billed, unitCost: "" })) },
    }),
    /no price in the order/,
  ] as const),
  fc.constant([
    ({ order, invoice: { lines } }: InvoiceDocument) => ({
      others: [{ ...book("1", "", "", []), lines: [{ ...lines[0]!, quantity: order.lines[0]!.quantity }] }],
    }),
    /would bill .* in total/,
  ] as const),
);

test("TD-14 none of 2,000 invoices that differ from their order or ship notice in one value is sent, and the message names that value", () => {
  const right = (Object.keys(FILES) as Name[]).map((name) => prepare(name).document);
  fc.assert(
    fc.property(fc.constantFrom(...right), MUTATIONS, fc.nat(9), (document, [change, sentence], at) => {
      const faults = checkInvoice({ ...document, ...change(document, at) });
      expect(faults).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
    }),
    { numRuns: 2_000 },
  );
});

test("TD-14 freight on an order is billed once, not on each invoice", () => {
  const { document } = prepare("a7-810-invoice-2.edi");
  const freight = { indicator: "C", code: "D240", amountCents: 850, percent: "", rate: "", description: "" };
  const parts = {
    ...document,
    order: { ...document.order, billing: { ...document.order.billing!, charges: [freight] } },
    invoice: { ...document.invoice, freight: "8.50", total: "235.90" },
  };
  expect(checkInvoice(parts)).toEqual([]);
  const others = document.others.map((other) => ({ ...other, freight: "8.50" }));
  expect(checkInvoice({ ...parts, others })).toEqual([
    "Invoice 100452: with this invoice, freight on the order totals 17.00, but the order allows 8.50.",
  ]);
});

const withCharges = (document: InvoiceDocument, ...charges: OrderCharge[]): InvoiceDocument => ({
  ...document,
  order: { ...document.order, billing: { ...document.order.billing!, charges } },
});
const allow = (more: Partial<OrderCharge>): OrderCharge => ({
  indicator: "A",
  code: "C000",
  amountCents: null,
  percent: "",
  rate: "",
  description: "",
  ...more,
});

test("TD-14 a fixed-amount allowance is applied once per order, and an allowance that we can't compute holds the invoice back", () => {
  const { document } = prepare("b9-810-invoice-2.edi");
  const portal = "Enter this invoice in the retailer's portal.";
  const check = (allowance: string, other: string, ...charges: OrderCharge[]) =>
    checkInvoice({
      ...withCharges(document, ...charges),
      invoice: { ...document.invoice, allowance, total: (21.67 - Number(allowance)).toFixed(2) },
      others: [{ ...book("20771", "", "", []), allowance: other }],
    });
  // The amount applies even if a percent is given too.
  const fixed = allow({ amountCents: 200, percent: "1" });
  expect([check("2.00", "0.00", fixed), check("0.00", "2.00", fixed)]).toEqual([[], []]);
  const says = (all: string) =>
    `Invoice 20772: with this invoice, allowances on the order total ${all}, but the order has 2.00.`;
  expect(check("0.00", "0.00", fixed)).toEqual([says("0.00")]);
  expect(check("1.99", "0.00", fixed)).toEqual([says("1.99")]);
  expect(check("2.00", "2.00", fixed)).toEqual([says("4.00")]);
  for (const charge of [allow({ rate: "0.05" }), allow({}), allow({ percent: "x" })])
    expect(check("0.00", "0.00", charge)).toEqual([
      `Invoice 20772: the order's allowance is neither an amount nor a percent. ${portal}`,
    ]);
  const other = allow({ code: "C310", amountCents: 150, description: "Discount" });
  const unknown = `Invoice 20772: the order has the allowance C310, which isn't billed here. ${portal}`;
  expect(check("0.00", "0.00", other)).toEqual([unknown]);
  expect(check("2.00", "0.00", fixed, other)).toEqual([unknown]);
  expect(check("2.00", "0.00", fixed, { ...fixed })).toEqual([unknown.replace("C310", "C000")]);
  // A charge that isn't billed costs the retailer nothing.
  expect(check("0.00", "0.00", allow({ indicator: "C", code: "G821", amountCents: 100 }))).toEqual([]);
});

test("TD-14 freight in percent is that of what is billed, and one that can't be computed holds the invoice back", () => {
  const { document } = prepare("a7-810-invoice-2.edi");
  const check = (freight: string, more: Partial<OrderCharge>) =>
    checkInvoice({
      ...withCharges(document, allow({ indicator: "C", code: "D240", ...more })),
      invoice: { ...document.invoice, freight, total: (227.4 + Number(freight)).toFixed(2) },
    });
  expect(check("6.82", { percent: "3" })).toEqual([]);
  for (const freight of ["0.00", "6.83", "500.00"])
    expect(check(freight, { percent: "3" })).toEqual([
      `Invoice 100452: its freight is ${freight}, but 3% of 227.40 is 6.82.`,
    ]);
  for (const more of [{ rate: ".75" }, {}, { percent: "x" }])
    expect(check("500.00", more)).toEqual([
      "Invoice 100452: the order's freight is neither an amount nor a percent. Enter this invoice in the retailer's portal.",
    ]);
});

test("TD-14 a price per anything but one unit is not taken as the unit price", () => {
  const { document } = prepare("a6-810-invoice-1.edi");
  const check = (priceBasis: string) =>
    checkInvoice({
      ...document,
      order: { ...document.order, lines: document.order.lines.map((line) => ({ ...line, priceBasis })) },
    });
  expect(["", "PE", "CP", "QT", "LE"].flatMap(check)).toEqual([]);
  expect(check("HP")).toEqual(
    ["1", "2"].map(
      (line) =>
        `Invoice 100451: line ${line} has a price with the basis HP in the order, which isn't the price of one unit. Enter this invoice in the retailer's portal.`,
    ),
  );
});
