export type { PackagesCtx } from "#features/packages/ctx.ts";
export { packageRuns, trackPackage } from "#features/packages/poll-packages.ts";
export { giveToken, renewAlertSeals } from "#features/packages/alert-credential.ts";
export { isAlertOfUps, receiveAlert } from "#features/packages/receive-alert.ts";
export { KEPT_MS } from "#features/packages/rules-poll.ts";
export { BY_NEED, findDelivery, isScanned, placeDelivery, toScan } from "#features/packages/rules-states.ts";
export { nameZone } from "#features/packages/rules-zones.ts";
export {
  addInvoicePackages,
  addLabelPackages,
  clearLabelChange,
  findPollProblem,
  followPackages,
  listLabelChanges,
  pollSooner,
  takeInvoiceChanges,
  voidPackages,
  type StoredPackage,
} from "#features/packages/store.ts";
export type { PackageTables } from "#features/packages/tables.ts";
