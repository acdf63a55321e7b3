import type { BookedInvoice } from "#features/orders/notices-out/types.ts";
import type { Pieces } from "#features/orders/rules-shipped.ts";
import type { Order } from "#features/orders/types.ts";
import { readSets } from "#formats/x12/fixtures/envelope.ts";
import { readInvoice, type Invoice } from "#formats/x12/invoice.ts";
import { readShipNotice } from "../support/rules/read-ship-notice.ts";
import { playThread, type PlayedThread } from "./play-thread.ts";

/** Counted in thousandths of pieces. */
function count(pieces: readonly Pieces[], line: string): number {
  return pieces.reduce(
    (sum, piece) => (piece.line === line ? sum + Math.round(Number(piece.quantity) * 1_000) : sum),
    0,
  );
}

type Counts = { notices: number; invoices: number; sent: number; waiting: number };

export const sumThreads = (found: readonly Counts[]): Counts =>
  found.reduce(
    (sum, counts) => ({
      notices: sum.notices + counts.notices,
      invoices: sum.invoices + counts.invoices,
      sent: sum.sent + counts.sent,
      waiting: sum.waiting + counts.waiting,
    }),
    { notices: 0, invoices: 0, sent: 0, waiting: 0 },
  );

/** Plays an order, reads its documents back, and compares them piece by piece and cent by cent. */
export function findThreadFaults(seed: number): Counts & { faults: string[] } {
  const thread = playThread(seed);
  const { order, cancels, withdrawn, cartons, posted, refused, shipNotices } = thread;
  const faults: string[] = [];
  const fail = (text: string) => faults.push(`Order ${seed}: ${text}`);
  const announced = shipNotices.flatMap(readPieces);
  const billed = posted.flatMap(({ booked }) => booked.lines);
  const credited = [...thread.credited.values()].flat();
  const sent = posted.filter(({ document }) => document !== null);
  const documents = sent.map(({ document }) => readDocument(document));
  const waiting = posted.filter(({ document }) => document === null);
  const inWaiting = waiting.flatMap(({ booked }) => booked.lines);
  for (const { line, quantity } of order.lines) {
    const kept = Math.round(Number(quantity) * 1_000) - count(cancels, line);
    const inDocuments = documents.flatMap(({ lines }) =>
      lines.map((billedLine) => ({ line: billedLine.number, quantity: billedLine.quantity })),
    );
    const all = [
      count(cartons, line),
      count(announced, line) - count(withdrawn, line),
      count(billed, line) - count(credited, line),
      count(inDocuments, line) + count(inWaiting, line) - count(credited, line),
    ];
    if (all.some((pieces) => pieces !== kept)) fail(`line ${line}: ${kept} to ship, and ${all.join(", ")}`);
  }
  for (const [at, { booked }] of sent.entries()) {
    const cents = Math.round(Number(booked.total) * 100);
    if (documents[at]?.totalCents !== cents) fail(`TDS ${documents[at]?.totalCents} of ${booked.total}`);
  }
  for (const { order: then, booked } of posted) {
    const due = countDue(then, booked);
    if (booked.total !== due) fail(`${booked.total} is billed, and ${due} is due`);
  }
  if (!isFreightOnce(thread)) fail("its freight isn't billed once");
  // Only a price that the retailer changed behind the invoice keeps an 810 here.
  for (const sentence of refused)
    if (!/bills a price of [\d.]+, but the order says/.test(sentence)) fail(sentence);
  const numbers = posted.map(({ booked }) => booked.number);
  if (new Set(numbers).size < numbers.length) fail(`the numbers ${numbers.join(", ")}`);
  return {
    faults,
    notices: shipNotices.length,
    invoices: posted.length,
    sent: sent.length,
    waiting: waiting.length,
  };
}

/** Total of an invoice by its order as it was then, line by line, computed apart from the product; the freight is as billed. */
function countDue({ billing, lines }: Order, booked: BookedInvoice): string {
  const allowance = billing?.charges.find(({ code }) => code === "C000");
  const percent = BigInt(Math.round(Number(allowance?.percent || "0") * 100));
  const goods = booked.lines.reduce((cents, { line, quantity }) => {
    const cost = lines.find((ordered) => ordered.line === line)?.unitCost ?? "0";
    return cents + roundHalfUp(tenThousandths(quantity) * tenThousandths(cost), 1_000_000n);
  }, 0n);
  const cents =
    Number(goods - roundHalfUp(goods * percent, 10_000n)) + Math.round(Number(booked.freight) * 100);
  return (cents / 100).toFixed(2);
}

/** Whether one invoice has the order's freight. One that is credited as a whole leaves it to a later one, else it keeps it. */
function isFreightOnce({ order, partner, posted, credited }: PlayedThread): boolean {
  const takesFreight = partner.invoices.charges.some(({ amount }) => amount === "freight");
  const named = order.billing?.charges.find(({ code }) => code === "D240")?.amountCents ?? 0;
  const having = posted.filter(({ booked }) => booked.freight !== "0.00");
  if (!takesFreight || named === 0 || posted.length === 0) return having.length === 0;
  const isWhole = (invoice: PlayedThread["posted"][number]) =>
    invoice.booked.lines.every(({ line, quantity }) =>
      (credited.get(invoice) ?? []).some(
        (piece) => piece.line === line && Number(piece.quantity) === Number(quantity),
      ),
    );
  return (
    having.length > 0 &&
    having.slice(0, -1).every(isWhole) &&
    having.every(({ booked }) => Math.round(Number(booked.freight) * 100) === named)
  );
}

const roundHalfUp = (value: bigint, by: bigint): bigint => (2n * value + by) / (2n * by);
const tenThousandths = (text: string): bigint => BigInt(Math.round(Number(text) * 10_000));

function readPieces(file: Buffer): Pieces[] {
  const [set] = readSets(file);
  const read = set && readShipNotice(set);
  if (!read || "faults" in read) throw new Error(JSON.stringify(read));
  return read.document.shipment.orders.flatMap(({ cartons }) =>
    cartons.flatMap(({ items }) =>
      items.map(({ number, shipped }) => ({ line: number, quantity: shipped?.quantity ?? "" })),
    ),
  );
}

function readDocument(file: Buffer | null): Invoice {
  const [set] = file ? readSets(file) : [];
  const read = set && readInvoice(set);
  if (!read || "faults" in read) throw new Error(JSON.stringify(read));
  return read.document;
}
