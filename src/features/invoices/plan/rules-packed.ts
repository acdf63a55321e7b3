import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { CustomerDay } from "#features/books/index.ts";
import type { Corrected } from "#formats/table/corrections.ts";
import { fingerprintContent } from "#features/invoices/plan/rules-fingerprints.ts";
import type { Plan, PlannedInvoice, PlanInSteps } from "#features/invoices/plan/rules.ts";

/** The part of a planned invoice that outcomes of other invoices depend on. */
export type InvoiceHead = Pick<PlannedInvoice, "docNumber" | "rows" | "fileFingerprint" | "poNumber"> & {
  /** Whether it has no error. */
  isGood: boolean;
  /** Identifies what it would send; null if it has an error. */
  fingerprint: string | null;
  /** Where the books are searched for an equal one; absent where it has a number, or an error. */
  place?: CustomerDay;
};

/**
 * A plan for transfer between threads and for storage: the invoices as deflated JSON, a few hundred at a
 * time. A large file full of errors has 150,000 problems: 150 MB as objects, 47 MB as JSON, but little when
 * packed, in no more time than copying takes.
 */
export type PackedPlan = Omit<Plan, "invoices"> & {
  heads: InvoiceHead[];
  batches: Uint8Array[];
  corrected: Corrected[];
};

const BATCH = 250;

/** Packs a plan, invoice by invoice. */
export function packPlan({ invoices, ...rest }: PlanInSteps, corrected: Corrected[] = []): PackedPlan {
  const packed: PackedPlan = { ...rest, heads: [], batches: [], corrected };
  let waiting: PlannedInvoice[] = [];
  const putAway = () => {
    if (waiting.length > 0) packed.batches.push(deflateRawSync(JSON.stringify(waiting), { level: 1 }));
    waiting = [];
  };
  for (const invoice of invoices) {
    const { docNumber, rows, draft, fileFingerprint, poNumber } = invoice;
    const isSearched = docNumber === null && draft !== null;
    packed.heads.push({
      ...(isSearched && { place: { customer: draft.CustomerRef.value, day: draft.TxnDate } }),
      docNumber,
      rows,
      isGood: draft !== null,
      fingerprint: draft && fingerprintContent(draft),
      fileFingerprint,
      poNumber,
    });
    waiting.push(invoice);
    if (waiting.length === BATCH) putAway();
  }
  putAway();
  return packed;
}

/** Unpacks the invoices of a plan in order, the same as that of its heads. */
export function* unpackInvoices({ batches }: Pick<PackedPlan, "batches">): Generator<PlannedInvoice> {
  for (const batch of batches) yield* JSON.parse(inflateRawSync(batch).toString()) as PlannedInvoice[];
}
