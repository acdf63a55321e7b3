import type { Pieces } from "#features/orders/rules-shipped.ts";
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
  const { order, cancels, cartons, posted, refused, shipNotices } = thread;
  const faults: string[] = [];
  const fail = (text: string) => faults.push(`Order ${seed}: ${text}`);
  const announced = shipNotices.flatMap(readPieces);
  const billed = posted.flatMap(({ booked }) => booked.lines);
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
      count(announced, line),
      count(billed, line),
      count(inDocuments, line) + count(inWaiting, line),
    ];
    if (all.some((pieces) => pieces !== kept)) fail(`line ${line}: ${kept} to ship, and ${all.join(", ")}`);
  }
  for (const [at, { booked }] of sent.entries()) {
    const cents = Math.round(Number(booked.total) * 100);
    if (documents[at]?.totalCents !== cents) fail(`TDS ${documents[at]?.totalCents} of ${booked.total}`);
  }
  const due = countDue(thread);
  const billedCents = posted.reduce((sum, { booked }) => sum + Math.round(Number(booked.total) * 100), 0);
  if (due !== billedCents) fail(`${billedCents} cents are billed, and ${due} are due`);
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

/** Cents of each invoice by the order as it was then, line by line, computed apart from the product. */
function countDue({ posted, partner }: PlayedThread): number {
  const takesFreight = partner.invoices.charges.some(({ amount }) => amount === "freight");
  return posted.reduce((sum, { order, booked }, at) => {
    const charge = (code: string) => order.billing?.charges.find((each) => each.code === code);
    const percent = BigInt(Math.round(Number(charge("C000")?.percent || "0") * 100));
    const goods = booked.lines.reduce((cents, { line, quantity }) => {
      const cost = order.lines.find((ordered) => ordered.line === line)?.unitCost ?? "0";
      return cents + roundHalfUp(tenThousandths(quantity) * tenThousandths(cost), 1_000_000n);
    }, 0n);
    const freight = takesFreight && at === 0 ? (charge("D240")?.amountCents ?? 0) : 0;
    return sum + freight + Number(goods - roundHalfUp(goods * percent, 10_000n));
  }, 0);
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
