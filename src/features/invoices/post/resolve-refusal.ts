import { type IntuitError, readTaker } from "#integrations/intuit/errors.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import {
  findInBooks,
  isMadeInTime,
  isMaybeInBooks,
  isOursByNumber,
  lookInBooks,
  unclaimed,
  unknown,
} from "#features/invoices/post/find-in-books.ts";
import { readAnswer } from "#features/invoices/post/rules-answer.ts";
import { isOwnRefusal } from "#features/invoices/post/rules-end.ts";
import { alteredSentence, refusalSentence } from "#features/invoices/post/rules-refusals.ts";
import type { Sending, Settlement } from "#features/invoices/post/store-ledger.ts";
import type { UploadId } from "#features/invoices/store.ts";

/** Intuit does not say how soon a query shows what was written. After this long, what none shows was not written. */
const SHOWN_AFTER_MS = 4 * 60_000;

type Refused = { invoice: Sending; error: IntuitError };

/**
 * Settles an invoice whose own number QuickBooks calls taken when it may have been made before: the number may be taken by
 * itself, also where QuickBooks keeps another rate or total than was sent, or shows it to no query yet. To call that
 * somebody else's would have a person change the number and post it twice.
 */
export async function resolveClash(
  ctx: InvoicesCtx,
  upload: UploadId,
  { invoice, error }: Refused,
): Promise<Settlement> {
  const settled = await findInBooks(ctx, upload, invoice);
  if (settled) return settled;
  if (await isMaybeInBooks(ctx, upload, invoice)) return altered({ invoice, error });
  const taker = await findTaker(ctx, upload, { invoice, error });
  if (taker === "unseen") return unknown(invoice);
  if (taker === "others") return rejected({ invoice, error });
  const { draft, key } = invoice;
  if (taker.CustomerRef?.value !== draft.CustomerRef.value || !isMadeInTime(invoice, taker))
    return rejected({ invoice, error });
  if (taker.TxnDate !== draft.TxnDate || !isOursByNumber(invoice, taker)) return altered({ invoice, error });
  return { key, state: "posted", message: "", ...readAnswer(invoice, taker) };
}

/**
 * Settles an invoice that QuickBooks refused when an earlier try may have been done.
 * @param refused.triedAt when the last such try was
 * @returns null when it stays open: something in the books may be it, or will be shown there soon, or somebody between
 * us and QuickBooks refused
 */
export async function resolveRefusal(
  ctx: InvoicesCtx,
  upload: UploadId,
  { invoice, error, triedAt }: Refused & { triedAt: Date },
): Promise<Settlement | null> {
  const looked = await lookInBooks(ctx, upload, invoice);
  if (looked.kind === "ours") return looked.settlement;
  if (!isOwnRefusal(error) || (await isMaybeInBooks(ctx, upload, invoice))) return null;
  if (ctx.clock.now().getTime() - triedAt.getTime() < SHOWN_AFTER_MS) return null;
  return rejected({ invoice, error });
}

/** Refused, and surely not in the books. */
export const rejected = ({ invoice: { key, docNumber }, error }: Refused): Settlement => ({
  key,
  state: "rejected",
  message: refusalSentence(docNumber, error),
  tid: error.tid,
});

const altered = ({ invoice: { key, docNumber }, error }: Refused): Settlement => ({
  key,
  state: "unknown",
  message: alteredSentence(docNumber),
  tid: error.tid,
});

/**
 * What has the number, found by the id that the refusal names where it names one. @returns `others` when it is no
 * invoice or another ledger row's, `unseen` when the books show none
 */
async function findTaker(
  ctx: InvoicesCtx,
  upload: UploadId,
  { invoice, error }: Refused,
): Promise<Invoice | "others" | "unseen"> {
  const books = ctx.books(upload.realmId);
  const taker = readTaker(error);
  if (taker && taker.type !== "Invoice") return "others";
  const found = taker
    ? (await books.findInvoicesById([taker.id])).data
    : (await books.findInvoicesByNumber([invoice.docNumber ?? ""])).data.invoices;
  if (found.length === 0) return "unseen";
  const [free] = await unclaimed(ctx, upload, found);
  return free ?? "others";
}
