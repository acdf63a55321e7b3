import { IntuitError, type IntuitErrorKind } from "#integrations/intuit/errors.ts";
import { lookBeforeSending, lookInBooks, unknown } from "#features/invoices/post/find-in-books.ts";
import { rejected, resolveClash, resolveRefusal } from "#features/invoices/post/resolve-refusal.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { readAnswer } from "#features/invoices/post/rules-answer.ts";
import { endOf, isOwnRefusal, saysFailed } from "#features/invoices/post/rules-end.ts";
import type { Unclear } from "#features/invoices/post/settle-batch.ts";
import type { Held, Sending, Settlement } from "#features/invoices/post/store-ledger.ts";
import { markSent } from "#features/invoices/post/store-unclear.ts";

/** Waits between the tries of a single create; each is a replay, since all carry the ledger row's own requestid. */
const REPLAY_AFTER_MS = [1_000, 4_000, 15_000];

/** Failures after which an invoice may or may not be in the books. */
const UNCLEAR: ReadonlySet<IntuitErrorKind> = new Set(["uncertain", "network", "system"]);

type Asking = {
  /** True to try once only: QuickBooks does not answer such calls now. */
  hasty: boolean;
  /** True when it went out alone in an earlier run: that may have been done. */
  repeated: boolean;
  /** Called after each try that may or may not have been done. */
  onNoAnswer(): void;
};

/**
 * Finds out what became of an invoice whose batch did not say that it is in the books. First it is looked for there. It
 * is sent again, alone and under its own requestid, only when nothing in the books may be it and QuickBooks has said
 * that it did not make it; a second send would be a guess otherwise. One that went out alone is asked for by that
 * requestid only.
 * @returns null when it stays open: the very same request must be made again later
 */
export async function resolveUnclear(
  ctx: InvoicesCtx,
  upload: Held,
  { entry: invoice, fault, ...asking }: Unclear<Sending> & Asking,
): Promise<Settlement | null> {
  if (invoice.alone === "sent") return askAlone(ctx, upload, { invoice, ...asking });
  if (fault?.kind === "duplicateDoc") {
    if (invoice.docNumber) return resolveClash(ctx, upload, { invoice, error: fault });
    const triedAt = invoice.lastSentAt ?? ctx.clock.now();
    return resolveRefusal(ctx, upload, { invoice, error: fault, triedAt });
  }
  if (invoice.alone === "due" || saysFailed(fault)) {
    const looked = await lookBeforeSending(ctx, upload, invoice);
    if (looked.kind === "ours") return looked.settlement;
    // Its batch cannot be asked again, so that nothing will ever tell.
    if (looked.kind === "unsure") return unknown(invoice);
    return askAlone(ctx, upload, { invoice, ...asking });
  }
  const looked = await lookInBooks(ctx, upload, invoice);
  return looked.kind === "ours" ? looked.settlement : null;
}

async function askAlone(
  ctx: InvoicesCtx,
  upload: Held,
  { invoice, hasty, repeated, onNoAnswer }: { invoice: Sending } & Asking,
): Promise<Settlement | null> {
  let triedAt = repeated ? invoice.lastSentAt : null;
  for (const wait of hasty ? [null] : [...REPLAY_AFTER_MS, null]) {
    const outcome = await sendAlone(ctx, upload, { invoice, triedAt });
    if (outcome !== "open" && outcome !== "unanswered") return outcome;
    if (outcome === "open") break;
    onNoAnswer();
    triedAt = ctx.clock.now();
    if (wait !== null) await ctx.clock.sleep(wait);
  }
  const looked = await lookInBooks(ctx, upload, invoice);
  return looked.kind === "ours" ? looked.settlement : null;
}

/**
 * @param ask.triedAt when the last try was that may have been done
 * @returns `unanswered` when this try may have been done too, `open` when it was refused and an earlier one may have been
 */
async function sendAlone(
  ctx: InvoicesCtx,
  upload: Held,
  { invoice, triedAt }: { invoice: Sending; triedAt: Date | null },
): Promise<Settlement | "unanswered" | "open"> {
  const { key, draft, requestId } = invoice;
  const beforeSend = () => markSent(ctx, upload, [key]);
  try {
    const { data, tid } = await ctx.books(upload.realmId).createInvoice(draft, { requestId, beforeSend });
    return { key, state: "posted", message: "", tid, ...readAnswer(invoice, data) };
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    if (error.kind === "duplicateDoc" && mayHaveItsNumber(invoice, triedAt))
      return resolveClash(ctx, upload, { invoice, error });
    if (UNCLEAR.has(error.kind)) return "unanswered";
    if (endOf(error) || error.kind === "throttled") throw error;
    if (triedAt) return (await resolveRefusal(ctx, upload, { invoice, error, triedAt })) ?? "open";
    return isOwnRefusal(error) ? rejected({ invoice, error }) : "unanswered";
  }
}

/** Whether its own number may be taken by itself: of a batch that was turned away nothing was made before a first try. */
const mayHaveItsNumber = ({ docNumber, alone }: Sending, triedAt: Date | null) =>
  docNumber !== null && (alone !== "sent" || triedAt !== null);
