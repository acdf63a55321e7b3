import { unreadableBooks } from "#features/books/index.ts";
import { readLabelPapers, type LabelPapers } from "#features/shipping/index.ts";
import { readFontFile } from "#platform/fonts.ts";
import { busyReply } from "#features/sheets/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { findInvoiceNotices, listMessages, findRetailerName } from "#features/orders/index.ts";
import { drawAnswers, drawInvoiceDocuments } from "#features/tracking/pack/draw-documents.ts";
import { drawNotice, drawOrder } from "#features/tracking/pack/draw-order.ts";
import { drawScans } from "#features/tracking/pack/draw-scans.ts";
import type { PackTask, Part } from "#features/tracking/pack/merge-pack.ts";
import { instantText, writePaper, type Sheet } from "#features/tracking/paper.ts";
import {
  findListed,
  findPackagesOfInvoice,
  findProof,
  type ViewedPackage,
} from "#features/tracking/store-views.ts";
import { AppError, notFound } from "#platform/errors.ts";
import { ThreadOverLimit, ThreadsBusy } from "#platform/threads/errors.ts";
import { runInThread } from "#platform/threads/run-in-thread.ts";

const MERGING = new URL("./merge-pack.ts", import.meta.url);
/** A pack takes a tenth of a second; a file that takes this much is made to. */
const BOUNDS = { cpuMs: 10_000, timeoutMs: 60_000, memoryMb: 256 };

/**
 * Makes one PDF of everything that is kept about an invoice and its delivery: the invoice as QuickBooks prints it, order, packing
 * slip, label, ship notice, the invoice's document for the retailer, the retailer's answers, scans and proof. What is missing or can't be read is named on the first page.
 * @throws AppError 404 for an invoice that isn't followed; 503 when the company makes too many at once
 */
export async function makePack(
  ctx: TrackingCtx,
  realmId: string,
  qboId: string,
): Promise<{ pdf: Buffer; number: string }> {
  const invoice = await findListed(ctx.db, realmId, qboId);
  if (!invoice) throw notFound("This invoice isn't tracked for this company. Reload the page.");
  const { number, customer } = invoice;
  const packages = await findPackagesOfInvoice(ctx.db, realmId, qboId);
  const numbers = packages.map((pkg) => pkg.number);
  const [printed, papers] = await Promise.all([
    readPrinted(ctx, realmId, qboId),
    readLabelPapers(ctx, realmId, numbers),
  ]);
  const own = [
    ...(await listPapers(papers)),
    ...(await listDocuments(ctx, { realmId, qboId, papers })),
    ...(await listPackages(ctx, realmId, packages)),
  ];
  const head = { number, customer, madeAt: instantText(ctx.clock.now()) };
  const merge = (first: Part) => mergeInThread(realmId, { head, parts: [first, ...own] });
  try {
    return { pdf: await merge(printed), number };
  } catch (error) {
    // Only the invoice comes from outside.
    if (!(error instanceof ThreadOverLimit)) throw error;
    const missing = "The PDF from QuickBooks is too large to read.";
    return { pdf: await merge({ title: INVOICE, missing }), number };
  }
}

async function mergeInThread(owner: string, input: PackTask): Promise<Buffer> {
  try {
    return Buffer.from(
      await runInThread<Uint8Array>(MERGING, { bytes: new Uint8Array(), input, owner }, BOUNDS),
    );
  } catch (error) {
    throw error instanceof ThreadsBusy ? busyReply(error) : error;
  }
}

const INVOICE = "Invoice";

async function readPrinted(ctx: TrackingCtx, realmId: string, qboId: string): Promise<Part> {
  try {
    const { data } = await ctx.books(realmId).readInvoicePdf(qboId);
    return { title: INVOICE, pdf: data };
  } catch (error) {
    const known = unreadableBooks(error, { what: "invoices" });
    if (!(known instanceof AppError)) throw error;
    return { title: INVOICE, missing: known.message };
  }
}

/** Papers of labels made here, those of an order together. */
async function listPapers(papers: readonly LabelPapers[]): Promise<Part[]> {
  if (papers.length === 0)
    return ["Order", "Packing slip", "Label", "Ship notice"].map((title) => ({
      title,
      missing: "No label of this invoice was made here.",
    }));
  const parts: Part[] = [];
  for (const paper of papers) {
    const { order, retailer, slip, labels, notice } = paper;
    const title = (name: string) => (papers.length > 1 ? `${name}, PO ${order.po_number}` : name);
    parts.push(
      { title: title("Order"), pdf: await toPdf(drawOrder(paper)) },
      slip
        ? { title: title("Packing slip"), pdf: slip }
        : { title: title("Packing slip"), missing: "The retailer is no longer set up." },
      labels
        ? { title: title("Label"), pdf: labels }
        : { title: title("Label"), missing: "The label was made as ZPL, which has no picture." },
      notice
        ? { title: title("Ship notice"), pdf: await toPdf(drawNotice(notice, retailer)) }
        : { title: title("Ship notice"), missing: "The retailer doesn't accept ship notices." },
    );
  }
  return parts;
}

/** Most answers about an order that are read. */
const MAX_ANSWERS = 200;

/** Lists the documents that billed an order to the retailer, and the answers; nothing for an invoice of no order. */
async function listDocuments(
  ctx: TrackingCtx,
  { realmId, qboId, papers }: { realmId: string; qboId: string; papers: readonly LabelPapers[] },
): Promise<Part[]> {
  const invoices = await findInvoiceNotices(ctx.db, realmId, { invoiceId: qboId });
  if (papers.length + invoices.length === 0) return [];
  const notices = [...papers.flatMap(({ notice }) => notice ?? []), ...invoices];
  const own = new Set(notices.map(({ id }) => id));
  const orders = new Set([
    ...papers.map(({ order }) => order.id),
    ...invoices.map((invoice) => invoice.order_id),
  ]);
  const messages = await Promise.all(
    [...orders].map((orderId) => listMessages(ctx.db, realmId, { orderId, limit: MAX_ANSWERS })),
  );
  // Leaves out messages about other shipments and invoices of the order, and changes of it that aren't used.
  const said = messages
    .flat()
    .filter(({ notice_id: id, document }) => (id === null ? document !== "860" : own.has(id)));
  const retailer = findRetailerName(ctx, (papers[0]?.order ?? invoices[0])?.partner ?? "");
  const sent = drawInvoiceDocuments(invoices, retailer);
  const answers = drawAnswers(notices, said, retailer);
  const toPart = async (title: string, sheets: readonly Sheet[], missing: string): Promise<Part> =>
    sheets.length > 0 ? { title, pdf: await toPdf(sheets) } : { title, missing };
  return [
    await toPart(
      "Invoice to the retailer",
      sent,
      "No document for the retailer is planned for this invoice.",
    ),
    await toPart("Retailer's answers", answers, "The retailer hasn't answered yet."),
  ];
}

async function listPackages(
  ctx: TrackingCtx,
  realmId: string,
  packages: readonly ViewedPackage[],
): Promise<Part[]> {
  const parts: Part[] = [];
  for (const pkg of packages) {
    const title = (name: string) => (packages.length > 1 ? `${name}, ${pkg.number}` : name);
    const proof = await findProof(ctx.db, realmId, pkg.number);
    parts.push(
      pkg.activities.length > 0
        ? { title: title("Scans"), pdf: await toPdf(drawScans(pkg)) }
        : { title: title("Scans"), missing: "UPS has shown no scan yet." },
      proof
        ? { title: title("Proof of delivery"), pdf: proof }
        : { title: title("Proof of delivery"), missing: NO_PROOF[pkg.proof_state ?? "none"] },
    );
  }
  return parts;
}

const NO_PROOF = {
  none: "The package isn't delivered yet.",
  waiting: "The package is delivered, and UPS has no proof yet.",
  carrier: "It isn't stored anymore.",
  activity: "It isn't stored anymore.",
  gone: "UPS keeps proofs for 120 days only.",
} as const;

const toPdf = (sheets: readonly Sheet[]): Promise<Buffer> => writePaper("Dispute pack", sheets, readFontFile);
