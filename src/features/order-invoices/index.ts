export type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
export { guardUndo } from "#features/order-invoices/guard-undo.ts";
export { noteChanged, recheckInvoices } from "#features/order-invoices/recheck-booked.ts";
export { orderInvoicesRoutes } from "#features/order-invoices/routes.ts";
export { orderInvoiceRuns } from "#features/order-invoices/runs.ts";
export { stopPosting } from "#features/order-invoices/store.ts";
