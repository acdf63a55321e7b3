import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { sampleInvoice, sampleReceipt } from "#features/invoices/web/fixtures/receipts.ts";
import { ReceiptSection as ReceiptPage } from "#features/invoices/web/receipt/lazy-receipt.ts";
import { ALL, receiptQuery } from "#features/invoices/web/receipt/queries.ts";
import { seedCompany, failure } from "../samples.ts";
import { Sample } from "../sample.tsx";
import { acme, type QuerySeed, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";

const words = galleryWords.receipt;
const { upload_id: id } = sampleReceipt();
const { queryKey: key } = receiptQuery(acme.id, id, ALL);

const receiptIs = (more: Partial<Receipt>): QuerySeed => ({
  key,
  data: { pages: [sampleReceipt(more)], pageParams: [-1] },
});

const outcomes = (["posted", "rejected", "skipped", "unresolved", "stopped", "open", "undone"] as const).map(
  (state, index) =>
    sampleInvoice(index + 2, {
      ...(state === "posted" ? {} : { state, qbo_total: null, sentence: words.because }),
      ...(state === "unresolved" ? { seq: index } : {}),
    }),
);

const samples: readonly { name: string; seeds: QuerySeed }[] = [
  { name: words.loading, seeds: { key, isFetching: true } },
  { name: words.failed, seeds: { key, error: failure } },
  { name: words.agrees, seeds: receiptIs({}) },
  {
    name: words.differs,
    seeds: receiptIs({
      agrees: false,
      difference: "0.05",
      flags: [
        {
          ...sampleInvoice(2),
          differences: [
            { field: "rate", line: 2, sent: "1.50", answered: "1.55" },
            { field: "tracking_no", line: null, sent: "1Z999", answered: "" },
          ],
        },
      ],
      flag_count: 1,
    }),
  },
  { name: words.missing, seeds: receiptIs({ agrees: false, missing_rows: 2 }) },
  {
    name: words.outcomes,
    // While invoices are open, it is fetched every second.
    seeds: {
      ...receiptIs({
        finished_at: null,
        duration_seconds: null,
        read: { invoices: 7, amount: "70.00" },
        posted: { invoices: 1, amount: "10.00" },
        rejected: { invoices: 1, amount: "10.00" },
        skipped: { invoices: 1, amount: "10.00" },
        unresolved: { invoices: 1, amount: "10.00" },
        stopped: { invoices: 1, amount: "10.00" },
        open: { invoices: 1, amount: "10.00" },
        undone: { invoices: 1, amount: "10.00" },
        unreadable_amounts: 1,
        books: { invoices: 1, amount: "10.00", tax: "0.00", total: "10.00" },
        invoices: outcomes,
      }),
      isFetching: true,
    },
  },
  { name: words.currencies, seeds: receiptIs({ currencies: ["CAD", "USD"], next: 200 }) },
];

/** Receipts: matching, differing, and with every outcome. */
export function ReceiptSection() {
  return samples.map(({ name, seeds }) => (
    <Sample key={name} name={name}>
      <Stage seeds={[seeds, seedCompany({})]}>
        <ReceiptPage realmId={acme.id} uploadId={id} onClose={leave} />
      </Stage>
    </Sample>
  ));
}

function leave() {}
