import type { BooksInvoice } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/index.ts";
import type { OrdersCtx } from "#features/orders/index.ts";
import type { Db } from "#platform/db/connect.ts";

export type PostedOrderInvoice = {
  realmId: string;
  invoice: BooksInvoice;
  trackingNumbers: readonly string[];
};

export type OrderInvoicesCtx = InvoicesCtx &
  OrdersCtx & {
    /** Called with each invoice in the books that bills an order, in the transaction that records it. */
    onBooked(tx: Db, invoice: PostedOrderInvoice): Promise<void>;
  };
