import { readSets } from "#formats/x12/fixtures/envelope.ts";
import { readInvoice, type Invoice } from "#formats/x12/invoice.ts";
import { readShipNotice } from "../../support/rules/read-ship-notice.ts";
import type { BooksInvoice } from "../../support/intuit.ts";
import { ACME } from "../../support/intuit.ts";
import type { Life, World } from "./thread-life.ts";

export type ThreadCounts = {
  orders: number;
  shipments: number;
  notices: number;
  invoices: number;
  sent: number;
  refused: number;
  asked: number;
  faults: string[];
};

const milli = (text: string): number => Math.round(Number(text) * 1_000);

type Announced = { number: string; line: string; quantity: string };

/** Compares all that left with the cartons, piece by piece and cent by cent. */
export async function compareThreads(world: World, booksBefore: ReadonlySet<string>): Promise<ThreadCounts> {
  const { desk, lives, files, refused, asked } = world;
  const faults: string[] = [];
  const sets = files.flatMap((file) => readSets(file));
  const announced: Announced[] = [];
  const documents = new Map<number, Invoice>();
  let notices = 0;
  for (const set of sets) {
    const shipNotice = readShipNotice(set);
    if ("document" in shipNotice) {
      notices += 1;
      for (const { cartons } of shipNotice.document.shipment.orders)
        for (const { marks, items } of cartons)
          for (const { number, shipped } of items)
            announced.push({
              number: marks.find(({ qualifier }) => qualifier === "CP")?.value ?? "",
              line: number,
              quantity: shipped?.quantity ?? "",
            });
    }
    const invoice = readInvoice(set);
    if ("document" in invoice) documents.set(Number(set.group.controlNumber), invoice.document);
  }
  const sent = [...documents].filter(([number]) => !refused.has(number)).map(([, invoice]) => invoice);
  const books = (await desk.app.intuit.invoices(ACME)).filter(({ Id }) => !booksBefore.has(Id));
  for (const life of lives) faults.push(...compareOne(life, { announced, sent, books }));
  const shipments = lives.flatMap(({ shipped }) => shipped.filter(({ isVoided }) => !isVoided));
  const atUps = await desk.app.ups.control<{ shipments: { id: string; voided: boolean }[] }>("shipments");
  const live = atUps.shipments.filter(({ voided }) => !voided).map(({ id }) => id);
  if (
    live.toSorted().join() !==
    shipments
      .map(({ shipment }) => shipment)
      .toSorted()
      .join()
  )
    faults.push(`UPS has the shipments ${live.join(", ")}`);
  const numbers = sent.map(({ number }) => number);
  for (const { DocNumber = "" } of books) {
    const own = numbers.filter((number) => number === DocNumber).length;
    if (own !== 1) faults.push(`Invoice ${DocNumber} was sent ${own} times`);
  }
  if (numbers.length !== books.length)
    faults.push(`${books.length} invoices are in the books, ${numbers.length} were sent`);
  return {
    orders: lives.length,
    shipments: shipments.length,
    notices,
    invoices: books.length,
    sent: numbers.length,
    refused: refused.size,
    asked,
    faults,
  };
}

function compareOne(
  life: Life,
  { announced, sent, books }: { announced: Announced[]; sent: Invoice[]; books: BooksInvoice[] },
): string[] {
  const faults: string[] = [];
  const fail = (text: string) => faults.push(`PO # ${life.po}: ${text}`);
  const cartons = life.shipped.filter(({ isVoided }) => !isVoided).flatMap((shipment) => shipment.cartons);
  const own = sent.filter(({ orderNumber }) => orderNumber === life.po);
  const count = (pieces: readonly { line: string; quantity: string }[], line: string) =>
    pieces.reduce((sum, piece) => sum + (piece.line === line ? milli(piece.quantity) : 0), 0);
  for (const { line, quantity } of life.lines) {
    const kept = milli(quantity) - count(life.cancelled, line);
    const found = [
      count(
        cartons.flatMap(({ contents }) => contents),
        line,
      ),
      count(
        announced.filter(({ number }) => cartons.some((carton) => carton.number === number)),
        line,
      ),
      count(
        own.flatMap(({ lines }) => lines.map((each) => ({ line: each.number, quantity: each.quantity }))),
        line,
      ),
    ];
    if (found.some((pieces) => pieces !== kept))
      fail(`line ${line}: ${kept} to ship, and ${found.join(", ")}`);
  }
  for (const { number, contents } of cartons) {
    const said = announced.filter((document) => document.number === number);
    const spell = (pieces: readonly { line: string; quantity: string }[]) =>
      pieces
        .map(({ line, quantity }) => `${milli(quantity)} of ${line}`)
        .toSorted()
        .join();
    if (spell(said) !== spell(contents))
      fail(`carton ${number} holds ${spell(contents)}, the 856 says ${spell(said)}`);
  }
  for (const invoice of own) {
    const stored = books.find(({ DocNumber }) => DocNumber === invoice.number);
    const cents = Math.round(Number(stored?.TotalAmt) * 100);
    if (invoice.totalCents !== cents)
      fail(`invoice ${invoice.number}: TDS ${invoice.totalCents}, books ${cents}`);
  }
  const due = countDue(life, own);
  const billed = own.reduce((sum, { totalCents }) => sum + (totalCents ?? 0), 0);
  if (own.length > 0 && due !== billed) fail(`${billed} cents are billed, and ${due} are due`);
  return faults;
}

/** Cents of an order's invoices by its 850, computed apart from the product. */
function countDue({ lines, segments }: Life, invoices: readonly Invoice[]): number {
  const find = (start: string) => segments.find((segment) => segment.startsWith(start))?.split("*") ?? [];
  const freight = Number(find("SAC*C*D240")[5] ?? 0);
  const percent = BigInt(Math.round(Number(find("SAC*A*C000")[7] ?? 0) * 100));
  const halfUp = (value: bigint, by: bigint) => (2n * value + by) / (2n * by);
  const tenThousandths = (text: string) => BigInt(Math.round(Number(text) * 10_000));
  return invoices.reduce((sum, invoice) => {
    const goods = invoice.lines.reduce((cents, { number, quantity }) => {
      const price = lines.find(({ line }) => line === number)?.price ?? "0";
      return cents + halfUp(tenThousandths(quantity) * tenThousandths(price), 1_000_000n);
    }, 0n);
    return sum + Number(goods - halfUp(goods * percent, 10_000n));
  }, freight);
}
