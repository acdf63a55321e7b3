import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Corrected } from "#formats/table/corrections.ts";
import { fingerprintContent } from "#features/invoices/plan/rules-draft.ts";
import type { Plan, PlannedInvoice, PlanInSteps } from "#features/invoices/plan/rules.ts";

/** As much of a planned invoice as the outcome of the others depends on. */
export type InvoiceHead = Pick<PlannedInvoice, "docNumber" | "rows"> & {
  /** It has no error. */
  isGood: boolean;
  /** Names what it would send; null when it has an error. */
  fingerprint: string | null;
};

/**
 * A plan as it travels and waits: the invoices as deflated JSON, a few hundred at a time. A large file full of errors
 * has 150,000 problems: 150 MB as objects, 47 MB as JSON, and packed hardly anything, for no more time than copying takes.
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
    const { docNumber, rows, draft } = invoice;
    packed.heads.push({
      docNumber,
      rows,
      isGood: draft !== null,
      fingerprint: draft && fingerprintContent(draft),
    });
    waiting.push(invoice);
    if (waiting.length === BATCH) putAway();
  }
  putAway();
  return packed;
}

/** The invoices of a packed plan in their order, which is that of its heads. */
export function* unpackInvoices({ batches }: Pick<PackedPlan, "batches">): Generator<PlannedInvoice> {
  for (const batch of batches) yield* JSON.parse(inflateRawSync(batch).toString()) as PlannedInvoice[];
}
