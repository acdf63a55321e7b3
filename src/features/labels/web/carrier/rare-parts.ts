/** Parts of the tab that most visits never show: one file, since together they weigh less than apart. */
export { AddressForm } from "#features/labels/web/carrier/address-form.tsx";
export { AskedLabels } from "#features/labels/web/carrier/asked-labels.tsx";
export { BatchResult } from "#features/labels/web/carrier/batch-result.tsx";
export { CancelledOrders } from "#features/labels/web/carrier/cancelled-orders.tsx";
export { PackingGrid } from "#features/labels/web/carrier/packing-grid.tsx";
export { listLeftBehind, packCartons } from "#features/labels/web/carrier/rules-packing.ts";
export { DueNotices } from "#features/labels/web/carrier/due-notices.tsx";
export { TakenFiles } from "#features/labels/web/carrier/taken-files.tsx";
