/** Parts of the tab that most visits never show: one file, since together they weigh less than apart. */
export { AddressChoice } from "#features/shipping/web/carrier/address-choice.tsx";
export { AddressForm } from "#features/shipping/web/carrier/address-form.tsx";
export { AskedLabels } from "#features/shipping/web/carrier/asked-labels.tsx";
export { BatchResult } from "#features/shipping/web/carrier/batch-result.tsx";
export { CanceledOrders } from "#features/shipping/web/carrier/canceled-orders.tsx";
export { PackingGrid } from "#features/shipping/web/carrier/packing-grid.tsx";
export { packCartons } from "#features/shipping/web/carrier/rules-packing.ts";
export { DueNotices } from "#features/shipping/web/carrier/due-notices.tsx";
export { SelectionBand } from "#features/shipping/web/carrier/selection-band.tsx";
export { ServiceChoice } from "#features/shipping/web/carrier/service-choice.tsx";
export { TakenFiles } from "#features/shipping/web/carrier/taken-files.tsx";
