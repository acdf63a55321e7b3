import type { Corrected } from "#formats/table/corrections.ts";
import type { Problem } from "#formats/table/problem.ts";
import {
  readBooksStatus,
  readUsedNumbers,
  type BeingPosted,
  type InvoiceToMake,
  type PostedInvoice,
} from "#features/books/index.ts";
import { findTimeZone } from "#features/companies/index.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { ThreadTask } from "#platform/threads/run-in-thread.ts";
import { readInThread } from "#features/sheets/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { readListsAndChoices } from "#features/invoices/plan/read-choices.ts";
import { unpackInvoices, type PackedPlan } from "#features/invoices/plan/rules-packed.ts";
import type { PlanLists } from "#features/invoices/plan/rules.ts";
import type { Upload } from "#features/invoices/ledger/store.ts";
import {
  allOrNothing,
  outcomesOf,
  goneReason,
  splitInvoice,
  type PlanOutcome,
} from "#features/invoices/plan/rules-dedupe.ts";
import {
  findEarlier,
  type Earlier,
  type EarlierEntry,
  type EqualEntry,
  type EqualSearch,
} from "#features/invoices/plan/store-earlier.ts";
import type { Held, NewEntry } from "#features/invoices/ledger/store-entries.ts";
import { createsOf, findRivals } from "#features/invoices/ledger/store-writes.ts";

/**
 * What a check of a workbook gives: its ledger, and remarks on the whole file. `behindUndo`:
 * takes invoices that it leaves out from the books; the plan is to be made again after that.
 */
export type LedgerPlan = {
  entries: Iterable<NewEntry>;
  /** Whether the company numbers its invoices itself; then QuickBooks refuses a number twice. */
  takesNumbers: boolean;
  /** Of the file as it is read now. */
  dataRows: number;
  notes: Problem[];
  /** Cells that users corrected, with what the file has there. */
  corrected: Corrected[];
  behindUndo: string | null;
  /** What is left out because other files had equal ones: how many invoices, and the uploads that had them. */
  equal: LeftOut;
  /** What it goes by, for which upload, and how that was looked for. */
  basis: { upload: Upload; search: EqualSearch; earlier: Earlier };
};

export type LeftOut = { invoices: number; uploadIds: readonly string[] };

/**
 * Invoices of other files are compared this far back: a year's workbook is corrected, or grows, until after its end.
 * Later an equal one is taken for a new one.
 */
const EQUAL_BACK_MS = 400 * 24 * 3_600_000;

/**
 * Checks a whole workbook against the books: every data row belongs to one entry, and an entry with an error is never
 * sent. Nothing is written anywhere.
 */
export async function planUpload(ctx: InvoicesCtx, held: Held, upload: Upload): Promise<LedgerPlan> {
  const since = new Date(ctx.clock.now().getTime() - EQUAL_BACK_MS);
  const task = { bytes: () => ctx.objects.read(upload.objectKey), owner: held.realmId };
  const known = upload.dataRows === 0 ? undefined : await readListsAndChoices(ctx, held.realmId);
  const corrections = correctionsOf(upload);
  const lists = known && { ...known, corrections };
  const plan = lists
    ? await checkNumbers(ctx, { held, task, lists, upload })
    : { dataRows: 0, notes: [], heads: [], batches: [], corrected: corrections };
  const fingerprints = plan.heads.flatMap(({ docNumber, fingerprint }) =>
    docNumber === null && fingerprint !== null ? [fingerprint] : [],
  );
  const search = { fingerprints, since };
  const earlier = await findEarlier(ctx.db, upload, search);
  const posted = lists ? postedOf(earlier) : [];
  const statuses = await readBooksStatus(ctx, held.realmId, posted);
  const equal = earlier.equal.filter((entry) => !goneReason(entry, statuses));
  const dayOf = dayIn(await findTimeZone(ctx.db, held.realmId));
  const outcomes = outcomesOf(plan.heads, { sameFile: earlier.sameFile, equal, statuses, dayOf });
  const verdicts = upload.mode === "file" ? allOrNothing(outcomes) : outcomes;
  const behindUndo = equal.find(({ undoId }) => undoId !== null)?.undoId ?? null;
  return {
    entries: { [Symbol.iterator]: () => entriesOf(plan, verdicts) },
    takesNumbers: lists?.customNumbers ?? false,
    dataRows: plan.dataRows,
    notes: plan.notes,
    corrected: plan.corrected,
    behindUndo,
    equal: leftOut(plan, outcomes, equal),
    basis: { upload, search, earlier },
  };
}

const correctionsOf = ({ check }: Upload): Corrected[] => check?.corrections ?? [];

type PlannedFile = Pick<PackedPlan, "notes" | "heads" | "batches">;

/** Of equal invoices in several uploads all are named, not only the one that a sentence names. */
function leftOut(
  { heads }: PlannedFile,
  outcomes: readonly PlanOutcome[],
  equal: readonly EqualEntry[],
): LeftOut {
  const left = heads.filter((_, place) => outcomes[place]?.isEqual);
  const fingerprints = new Set(left.map(({ fingerprint }) => fingerprint));
  const uploadIds = new Set(
    equal.flatMap(({ fingerprint, uploadId }) => (fingerprints.has(fingerprint) ? [uploadId] : [])),
  );
  return { invoices: left.length, uploadIds: [...uploadIds] };
}

/** Of the very same file nothing is posted again in any case: of a long one the newest are enough. */
const MAX_OF_SAME_FILE = 1_000;

function postedOf({ sameFile, equal }: Earlier): PostedInvoice[] {
  const isPosted = ({ state }: EarlierEntry) => state === "posted";
  return [...sameFile.filter(isPosted).slice(-MAX_OF_SAME_FILE), ...equal.filter(isPosted)].flatMap(
    ({ qboId, syncToken }) => (qboId === null ? [] : [{ qboId, syncToken }]),
  );
}

/** The invoices are unpacked as the ledger is written, never all at once. */
function* entriesOf(plan: PlannedFile, outcomes: readonly PlanOutcome[]): Generator<NewEntry> {
  let seq = 0;
  let place = 0;
  for (const invoice of unpackInvoices(plan)) {
    const [outcome, head] = [outcomes[place], plan.heads[place]];
    if (!outcome || !head) throw new Error("A packed plan has more invoices than heads.");
    const parts = outcome.alreadyPosted
      ? splitInvoice(invoice, outcome.alreadyPosted)
      : [{ invoice, outcome }];
    for (const part of parts) {
      const { state: verdict, cause } = part.outcome;
      yield { ...part.invoice, seq, verdict, cause, fingerprint: part.invoice.draft && head.fingerprint };
      seq += 1;
    }
    place += 1;
  }
}

/** Plans once; only when numbers of the file are taken in the books it plans again, knowing them. */
async function checkNumbers(
  ctx: InvoicesCtx,
  { held, task, lists, upload }: { held: Held; task: PlanTask; lists: PlanLists; upload: Upload },
): Promise<PackedPlan> {
  const plan = await planInThread(task, lists);
  const numbers = plan.heads.flatMap(({ docNumber, isGood }) => (docNumber && isGood ? [docNumber] : []));
  if (numbers.length === 0) return plan;
  const posting = upload.phase === "post" ? beingPosted(ctx, held, plan) : null;
  const usedNumbers = await readUsedNumbers(ctx, { realmId: held.realmId, numbers, posting });
  if (usedNumbers.size === 0) return plan;
  return planInThread(task, { ...lists, usedNumbers });
}

const beingPosted = (ctx: InvoicesCtx, held: Held, plan: PackedPlan): BeingPosted => ({
  since: held.run.requestedAt,
  findToMake: (numbers) => {
    const found = new Map<string, InvoiceToMake>();
    for (const { docNumber, draft, amountCents } of unpackInvoices(plan))
      if (docNumber && draft && amountCents !== null && numbers.has(docNumber))
        found.set(docNumber, { draft, amountCents });
    return found;
  },
  findRivals: () => findRivals(ctx.db, createsOf(held)),
});

type PlanTask = Omit<ThreadTask, "input">;

const planInThread = (task: PlanTask, lists: PlanLists) =>
  readInThread<PackedPlan>(new URL("./plan-workbook.ts", import.meta.url), { ...task, input: lists });
