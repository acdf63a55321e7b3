import { planInvoices, ACME } from "#features/invoices/fixtures/plan-rows.ts";
import { findTable } from "#features/invoices/workbook/rules-sheet.ts";
import { toBooked } from "#features/order-invoices/read-booked.ts";
import { findCharged } from "#features/order-invoices/rules-charged.ts";
import {
  divideBills,
  draftInvoice,
  isAboveOrder,
  listWaits,
  proposeNumber,
  type Bill,
  type Draft,
  type Overbilled,
} from "#features/order-invoices/rules-draft.ts";
import { findExcess } from "#features/order-invoices/rules-excess.ts";
import { writeSheet } from "#features/order-invoices/write-sheet.ts";
import { readX12 } from "#features/orders/intake/read-x12.ts";
import { checkInvoice } from "#features/orders/notices-out/check-invoice.ts";
import { takeCredits } from "#features/orders/notices-out/release-invoices.ts";
import type { BookedInvoice, ShipFacts } from "#features/orders/notices-out/types.ts";
import { writeNotice } from "#features/orders/notices-out/write-notice.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import { perOrderRetailer } from "#features/orders/partners/fixtures/per-order-retailer.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { partnerFrom } from "#features/orders/partners/partners.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { applyChange, checkOrder } from "#features/orders/rules.ts";
import {
  deriveState,
  findCancelFault,
  findLostPieces,
  keepCanceled,
  hasOpen,
  listLineStates,
  listLiveCartons,
  listOpen,
  listShipped,
  mergePieces,
  packCartons,
  type Pieces,
  type ShippedCarton,
} from "#features/orders/rules-shipped.ts";
import type { Order, OrderDocument } from "#features/orders/types.ts";
import { openFile } from "#features/sheets/reading.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { createRandom, type Random } from "./random.ts";
import { makeRandomAmount, makeRandomOrder, makeRandomPrice } from "./random-order.ts";

const PARTNERS = [retailer, directRetailer, perOrderRetailer] as const;
const NOW = new Date("2026-12-02T18:30:00Z");
const DAY = "2026-12-02";

type Shipment = {
  shipmentId: string;
  cartons: ShippedCarton[];
  lines: readonly Pieces[];
  /** Its ship notice, once that has left. */
  notice: Buffer | null;
};
/** With the order as it was then. */
type Posted = { order: Order; bill: Bill; draft: Draft; booked: BookedInvoice; document: Buffer | null };

/** An order as it is between two events of its life. */
type Thread = {
  random: Random;
  partner: Partner;
  order: Order;
  shipments: Shipment[];
  cancels: Pieces[];
  /** Pieces of cartons that were voided after their ship notice left: it says too much. */
  withdrawn: Pieces[];
  /** An 855 after each cancellation, with how many pieces were canceled by then of lines that the order had. */
  acknowledgments: { document: Buffer; canceled: number }[];
  posted: Posted[];
  /** Numbers of invoices and of notices given so far. */
  attempts: number;
  controlNumber: number;
  /** Reasons for which 810s stayed here. */
  refused: string[];
};

export type PlayedThread = Pick<
  Thread,
  "partner" | "order" | "cancels" | "withdrawn" | "acknowledgments" | "posted" | "refused"
> & {
  cartons: readonly Pieces[];
  shipNotices: readonly Buffer[];
  /** Pieces that an invoice bills though their labels were voided since: a user credits them by hand. */
  credited: ReadonlyMap<Posted, readonly Pieces[]>;
};

/** Plays the life of one random order by the product's own functions: the same for the same seed. */
export function playThread(seed: number): PlayedThread {
  const random = createRandom(seed);
  const partner = random.pick(PARTNERS);
  const thread: Thread = {
    random,
    partner,
    order: receiveOrder(random, partner, seed),
    shipments: [],
    cancels: [],
    withdrawn: [],
    acknowledgments: [],
    posted: [],
    attempts: 0,
    controlNumber: 100,
    refused: [],
  };
  live(thread);
  // Labels of an order that was billed may be voided, too.
  if (random.chance(0.4)) live(thread);
  const { shipments, posted } = thread;
  return {
    ...thread,
    cartons: shipments.flatMap((shipment) => listShipped(shipment)),
    shipNotices: shipments.flatMap(({ notice }) => notice ?? []),
    credited: new Map(posted.map((invoice) => [invoice, listVoided(thread, invoice)])),
  };
}

/** Lets things happen to an order until nothing of it is open and all of its documents have left that can. */
function live(thread: Thread): void {
  for (let event = 0; event < 12; event += 1) thread.random.pick(EVENTS)(thread);
  while (isOpen(thread)) (thread.random.chance(0.8) ? shipSome : cancelSome)(thread, 1);
  sendNotices(thread, 1);
  undoInvoices(thread, 1);
  postInvoices(thread, 1);
  sendInvoices(thread);
}

const listStates = ({ order, shipments, cancels }: Thread) => listLineStates(order.lines, shipments, cancels);
const isOpen = (thread: Thread): boolean => hasOpen(listStates(thread));

const EVENTS: readonly ((thread: Thread) => void)[] = [
  (thread) => shipSome(thread, 0.3),
  (thread) => shipSome(thread, 0.1),
  (thread) => cancelSome(thread, 0.1),
  changeOrder,
  changeOrder,
  voidCartons,
  (thread) => sendNotices(thread, 0.6),
  (thread) => undoInvoices(thread, 0.6),
  (thread) => postInvoices(thread, 0.6),
  sendInvoices,
];

/** An 850, read as one that comes in. */
function receiveOrder(random: Random, partner: Partner, seed: number): Order {
  const { segments } = makeRandomOrder(random, partner, seed);
  const document = readDocument(partner, { group: "PO", set: "850", segments });
  if (document?.kind !== "order") throw new Error(JSON.stringify(document));
  return document.order;
}

function readDocument(
  partner: Partner,
  { group, set, segments }: { group: string; set: string; segments: readonly string[] },
): OrderDocument | undefined {
  const file = sampleFile({
    sets: [[`ST*${set}*0001`, ...segments, `SE*${segments.length + 2}*0001`]],
    group: `GS*${group}*RETAILER*SUPPLIER*20261126*0915*5*X*004060`,
  }).replace("RETAILER       ", (partner.senders[0] ?? "RETAILER").padEnd(15));
  const [read] = readX12(Buffer.from(file), (sender) => partnerFrom(PARTNERS, sender), NOW);
  return read?.documents[0];
}

/** A part of what is open, in whole pieces where there are such. */
function takeSome({ random }: Thread, open: readonly Pieces[], share: number): Pieces[] {
  const taken = open.flatMap(({ line, quantity }) => {
    const isWhole = /^\d+$/.test(quantity);
    const most = isWhole && !random.chance(share) ? String(random.upTo(Number(quantity))) : quantity;
    return most === "0" || (!isWhole && share < 1 && random.chance(0.5)) ? [] : [{ line, quantity: most }];
  });
  return taken.length > 0 || share < 1 ? taken : [...open];
}

/** Packs some open pieces into one to six cartons. */
function shipSome(thread: Thread, share: number): void {
  const { random, shipments } = thread;
  const states = listStates(thread);
  const pieces = takeSome(thread, listOpen(states), share);
  if (pieces.length === 0) return;
  const isUnsaid = random.chance(0.2);
  const cartons = isUnsaid
    ? Array.from({ length: thread.partner.needsContents ? 1 : 1 + random.upTo(5) }, () => ({}))
    : fillCartons(random, pieces);
  if (!isUnsaid) expectOverfullRefused(states, fillCartons(random, pieces));
  const packed = packCartons(states, cartons);
  if ("problem" in packed) throw new Error(packed.problem);
  const shipmentId = `${shipments.length + 1}`;
  shipments.push({
    shipmentId,
    lines: packed.lines,
    notice: null,
    cartons: packed.contents.map((contents, at) => ({
      trackingNumber: `1Z${thread.order.poNumber.slice(-7)}${shipmentId.padStart(4, "0")}${String(at).padStart(5, "0")}`,
      weightLb: 1 + random.upTo(40),
      contents,
      isVoided: false,
    })),
  });
}

function fillCartons(random: Random, pieces: readonly Pieces[]): { contents: Pieces[] }[] {
  const cartons = Array.from({ length: 1 + random.upTo(5) }, () => ({ contents: new Array<Pieces>() }));
  for (const { line, quantity } of pieces) {
    let left = Number(quantity);
    while (left > 0) {
      const some = Number.isInteger(left) ? 1 + random.upTo(left - 1) : left;
      random.pick(cartons).contents.push({ line, quantity: String(some) });
      left -= some;
    }
  }
  return cartons
    .filter(({ contents }) => contents.length > 0)
    .map(({ contents }) => ({ contents: mergePieces(contents) }));
}

/** One piece more than is open is never packed. */
function expectOverfullRefused(
  states: ReturnType<typeof listStates>,
  cartons: { contents: Pieces[] }[],
): void {
  const [first] = listOpen(states);
  if (!first) return;
  const over = { contents: [{ line: first.line, quantity: String(Number(first.quantity) + 1) }] };
  if (!("problem" in packCartons(states, [...cartons, over])))
    throw new Error("More was packed than is open.");
}

function cancelSome(thread: Thread, share: number): void {
  const states = listStates(thread);
  const pieces = takeSome(thread, listOpen(states), share);
  const fault = findCancelFault(states, pieces, "quantity");
  if (fault !== null) throw new Error(fault);
  const over = pieces.map(({ line, quantity }) => ({ line, quantity: String(Number(quantity) + 200) }));
  if (over.length > 0 && findCancelFault(states, over, "quantity") === null)
    throw new Error("More was canceled than is open.");
  thread.cancels.push(...pieces);
  if (pieces.length > 0) acknowledge(thread, pieces);
}

function acknowledge(thread: Thread, lines: readonly Pieces[]): void {
  const { order, partner, cancels, acknowledgments } = thread;
  const reason = partner.cancelReasons[0]?.id ?? "";
  const canceledSoFar = cancels.map((pieces) => ({ ...pieces, reason }));
  const facts = { reason, lines, canceledSoFar, isWhole: false, sequence: acknowledgments.length };
  acknowledgments.push({
    document: write(thread, "855", { facts, dueAt: NOW }),
    canceled: cancels
      .filter(({ line }) => order.lines.some((ordered) => ordered.line === line))
      .reduce((sum, { quantity }) => sum + Number(quantity), 0),
  });
}

/** An 860 in the middle: other quantities and prices, lines that go and come. What would lose shipped pieces is kept out. */
function changeOrder(thread: Thread): void {
  const { random, order, partner, posted } = thread;
  const states = listStates(thread);
  // A retailer that gets one invoice of an order changes none whose invoice it has.
  const isSettled = partner.invoices.per === "order" && posted.some(({ document }) => document !== null);
  if (deriveState(states) !== "open" || isSettled) return;
  const changes = order.lines
    .filter(() => random.chance(0.2))
    .map(({ line, unitCost, quantity }) => {
      const change = random.pick(["QD", "QI", "CA", "CA", "DI"]);
      const cost = change === "CA" ? makeRandomPrice(random) : unitCost;
      return `POC*${line}*${change}*${change === "CA" ? quantity : makeRandomAmount(random)}**EA*${cost}`;
    });
  if (random.chance(0.2))
    changes.push(
      `POC*${order.lines.length * 100 + 900}*AI*${makeRandomAmount(random)}**EA*${makeRandomPrice(random)}**SK*1001007*VN*V-7`,
    );
  if (changes.length === 0) return;
  const segments = [
    `BCH*04*DS*${order.poNumber}**1*20261201*****20261202`,
    ...changes,
    `CTT*${changes.length}`,
  ];
  const document = readDocument(partner, { group: "PC", set: "860", segments });
  if (document?.kind !== "change") throw new Error(JSON.stringify(document));
  const next = applyChange(order, document);
  if (checkOrder(next).length > 0 || findLostPieces(states, next.lines) !== null) return;
  thread.cancels = keepCanceled(states, next.lines, thread.cancels);
  thread.order = next;
}

/** Voids a carton or all of a shipment: its pieces are open again, also if its ship notice has left. */
function voidCartons({ random, shipments, withdrawn }: Thread): void {
  const live = shipments.filter(isLive);
  if (live.length === 0) return;
  const shipment = random.pick(live);
  const isAll = random.chance(0.3) || shipment.cartons.some(({ contents }) => contents === null);
  const chosen = random.pick(listLiveCartons(shipment));
  const isVoided = (carton: ShippedCarton) => !carton.isVoided && (isAll || carton === chosen);
  if (shipment.notice !== null)
    withdrawn.push(
      ...(chosen.contents === null
        ? shipment.lines
        : shipment.cartons.filter(isVoided).flatMap(({ contents }) => contents ?? [])),
    );
  shipment.cartons = shipment.cartons.map((carton) =>
    isVoided(carton) ? { ...carton, isVoided: true } : carton,
  );
}

const isLive = ({ cartons }: Shipment): boolean => cartons.some(({ isVoided }) => !isVoided);

const toFacts = ({ shipmentId, cartons, lines }: Shipment): ShipFacts => ({
  shipment: `S${shipmentId}`,
  service: "03",
  cartons: cartons.filter(({ isVoided }) => !isVoided),
  lines: mergePieces(listShipped({ cartons, lines })),
  shipFrom: {
    name: "Our Supply Company",
    lines: ["400 Dock Street"],
    city: "Tualatin",
    state: "OR",
    zip: "97062",
  },
  vendorNumber: "88123",
});

type Content = Parameters<typeof writeNotice>[0]["content"];

const write = (thread: Thread, document: "810" | "855" | "856", content: Content): Buffer =>
  writeNotice({
    document,
    content,
    order: { content: thread.order, trading: null },
    partner: thread.partner,
    isLast: !isOpen(thread),
    settings: { cut_off: "17:00", sender_id: "" },
    controlNumber: (thread.controlNumber += 1),
    timeZone: "America/Los_Angeles",
    now: NOW,
  });

function sendNotices(thread: Thread, share: number): void {
  for (const shipment of thread.shipments)
    if (shipment.notice === null && isLive(shipment) && thread.random.chance(share))
      shipment.notice = write(thread, "856", { facts: toFacts(shipment), dueAt: NOW });
}

const LISTS = {
  ...ACME,
  customers: [{ id: "1", name: "Retailer", fullName: "Retailer", active: true }],
  items: Array.from({ length: 8 }, (_, at) => ({
    id: String(at + 1),
    name: `V-${at}`,
    fullName: `V-${at}`,
    type: "Service",
    active: true,
    // Some above and some below what an order pays, some without a price.
    ...(at % 3 > 0 && { unitPrice: at * 20 }),
  })),
  terms: [
    { id: "2", name: "2% 10 net 30", active: true, dueDays: 30 },
    { id: "3", name: "Net 60", active: true, dueDays: 60 },
  ],
  closedThrough: null,
};

/** Shipments that an invoice bills, as they are by now. */
const listBilled = ({ shipments }: Thread, { bill }: Posted): Shipment[] =>
  shipments.filter(
    (shipment) => isLive(shipment) && (bill.shipmentId === null || bill.shipmentId === shipment.shipmentId),
  );

/** Pieces that an invoice bills and that no carton holds any more, counted apart from the product. */
function listVoided(thread: Thread, invoice: Posted): Pieces[] {
  const packed = listBilled(thread, invoice).flatMap((shipment) => listShipped(shipment));
  return invoice.booked.lines.flatMap(({ line, quantity }) => {
    const held = packed.reduce((sum, piece) => sum + (piece.line === line ? Number(piece.quantity) : 0), 0);
    return Number(quantity) > held ? [{ line, quantity: String(Number(quantity) - held) }] : [];
  });
}

/** Undoes invoices that the retailer doesn't have and whose labels were voided. */
function undoInvoices(thread: Thread, share: number): void {
  thread.posted = thread.posted.filter(
    (invoice) =>
      invoice.document !== null || listVoided(thread, invoice).length === 0 || !thread.random.chance(share),
  );
}

/** Posts what has left, through a sheet and its plan, to books that store what they are sent. What was voided after its 810 is credited. */
function postInvoices(thread: Thread, share: number): void {
  const { order, partner, posted } = thread;
  const parts = thread.shipments.filter(isLive).map((shipment) => ({
    shipmentId: shipment.shipmentId,
    shippedAt: NOW,
    leftAt: NOW,
    service: "03",
    trackingNumbers: toFacts(shipment).cartons.map(({ trackingNumber }) => trackingNumber),
    lines: listShipped(shipment),
    notice: shipment.notice === null ? "pending" : "accepted",
  }));
  const state = deriveState(listStates(thread));
  const drafted = divideBills(parts, partner, { state }).filter(
    ({ shipmentId }) => !posted.some((invoice) => invoice.bill.shipmentId === shipmentId),
  );
  const overbilled: Overbilled[] = [];
  const charging: Draft[] = [];
  for (const { bill, draft, booked, document } of posted) {
    const invoice = { shipment_id: bill.shipmentId, billed: booked.lines };
    const excess = findExcess(invoice, parts, { state });
    if (excess) overbilled.push({ qboId: booked.id, isSent: document !== null, ...excess });
    if (!excess?.isWhole) charging.push(draft);
  }
  const charged = findCharged(drafted, charging);
  const voided = posted.filter((invoice) => listVoided(thread, invoice).length > 0);
  const held = voided.some(({ document }) => document === null) ? "voided" : "credit";
  for (const bill of drafted) {
    if (bill.shipments.some(({ notice }) => notice === "pending") || !thread.random.chance(share)) continue;
    const draft = draftInvoice({
      order,
      partner,
      retailer: "Retailer",
      shipments: bill.shipments,
      hasOrderCharges: bill === charged,
      shipDate: DAY,
      lists: LISTS,
      matches: new Map(),
      overbilled,
    });
    const waits = [
      ...(voided.length > 0 ? [held] : []),
      ...(draft.lines.some(isAboveOrder) ? ["price"] : []),
    ];
    expectWaits(listWaits(draft, { theirs: null }), waits);
    if (waits.includes("voided")) continue;
    expectWaits(
      listWaits(draft, { theirs: null, credited: draft.overbilled ?? [] }),
      waits.filter((wait) => wait !== "credit"),
    );
    thread.attempts += 1;
    const number = proposeNumber(order.poNumber, partner.invoices.numberMax, thread.attempts);
    posted.push({
      order,
      bill,
      draft,
      booked: toBooked(draft, store(thread, { draft, bill, number })),
      document: null,
    });
  }
}

function expectWaits(found: readonly string[], expected: readonly string[]): void {
  if (found.join() !== expected.join())
    throw new Error(`It waits for ${found.join()}, not ${expected.join()}.`);
}

/** The invoice as QuickBooks stores it when the sheet's plan sends it. */
function store(
  { order, partner, attempts }: Thread,
  { draft, bill, number }: { draft: Draft; bill: Bill; number: string },
): Invoice {
  const { bytes } = writeSheet([
    {
      order: { content: order, po_number: order.poNumber },
      invoice: { draft, order_id: "order", shipment_id: bill.shipmentId },
      number,
      attempt: attempts,
      acceptsTax: partner.invoices.acceptsTax,
    },
  ]);
  const { invoices } = planInvoices(findTable(openFile(bytes, "orders.csv")), LISTS);
  const [planned] = invoices;
  if (!planned?.draft || invoices.length !== 1) throw new Error(JSON.stringify(planned?.problems));
  const { Line, DocNumber, TxnDate } = planned.draft;
  const cents = Line.reduce((sum, line) => {
    if (!("Amount" in line)) return sum;
    const own = Math.round(line.Amount * 100);
    return line.DetailType === "DiscountLineDetail" ? sum - own : sum + own;
  }, 0);
  return {
    Id: number,
    SyncToken: "0",
    DocNumber,
    TxnDate,
    TotalAmt: cents / 100,
    Line,
    CurrencyRef: { value: "USD" },
  };
}

/** Lets 810s leave that agree; the order may have changed since its invoice was posted. One of voided labels stays. */
function sendInvoices(thread: Thread): void {
  const { order, partner, posted } = thread;
  for (const invoice of posted.filter(({ document }) => document === null)) {
    const billed = listBilled(thread, invoice);
    const others = posted.filter((other) => other !== invoice).map(({ booked }) => booked);
    const parts = {
      order,
      partner,
      document: "810" as const,
      invoice: invoice.booked,
      shipments: billed.map(toFacts),
      others: takeCredits(others, [invoice.booked, ...others]),
      duplicateNumberPo: null,
    };
    const faults = checkInvoice(parts);
    if (listVoided(thread, invoice).length > 0) {
      if (faults.length === 0) throw new Error("An 810 would bill labels that were voided.");
    } else if (faults.length > 0) thread.refused.push(...faults);
    else if (billed.every(({ notice }) => notice !== null))
      invoice.document = write(thread, "810", { invoice: { ...parts, shippedOn: DAY } });
  }
}
