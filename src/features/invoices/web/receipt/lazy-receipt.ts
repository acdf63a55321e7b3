import { lazyPart } from "#web/kit/lazy-part.tsx";

/** The receipt, in a file of its own: the review that it takes the place of loads it in advance. */
export const ReceiptSection = lazyPart(
  async () => (await import("#features/invoices/web/receipt/receipt-section.tsx")).ReceiptSection,
);
