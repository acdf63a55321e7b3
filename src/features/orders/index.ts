export { cancelLines, cancelOrder, findNamedOrder } from "#features/orders/change-order.ts";
export { continueOrders } from "#features/orders/continue-promises.ts";
export type { FoldersCtx, OrdersCtx } from "#features/orders/ctx.ts";
export { addDemoOrders } from "#features/orders/demo-orders.ts";
export {
  findPartner,
  nameRetailer,
  findRetailerName,
  PARTNERS,
  type Partner,
} from "#features/orders/partners/partners.ts";
export { folderRuns } from "#features/orders/folders/poll-folders.ts";
export { findFolderKeys, renewFolderSeals } from "#features/orders/folders/seals.ts";
export { dropFolder } from "#features/orders/folders/store.ts";
export { ordersRoutes } from "#features/orders/routes.ts";
export * from "#features/orders/notices-out/notices.ts";
export * from "#features/orders/notices-out/store.ts";
export { fileName, fingerprintItems, nameOrder, placeText } from "#features/orders/rules.ts";
export { listDifferences } from "#features/orders/sentences.ts";
export { writeSlip } from "#features/orders/slips.ts";
export { orderUnknown } from "#features/orders/errors.ts";
export { lockOrder, moveOrder, settleOrder } from "#features/orders/states.ts";
export * from "#features/orders/store-shipped.ts";
export * from "#features/orders/store.ts";
export { isXml, type BookedInvoice, type ShipFacts } from "#features/orders/notices-out/types.ts";
export type { Order } from "#features/orders/types.ts";
