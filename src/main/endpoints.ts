import type { Endpoint } from "#contract/endpoint.ts";
import * as admin from "#features/admin/contract.ts";
import * as adminLists from "#features/admin/lists/contract.ts";
import * as billing from "#features/billing/contract.ts";
import * as carrier from "#features/carrier/contract.ts";
import * as companies from "#features/companies/contract.ts";
import * as apiKeys from "#features/programs/api-keys/contract.ts";
import * as dataExport from "#features/companies/data-export/contract.ts";
import * as storage from "#features/companies/storage/contract.ts";
import * as differences from "#features/differences/contract.ts";
import * as support from "#features/companies/support/contract.ts";
import * as webhooks from "#features/programs/webhooks/contract.ts";
import * as trail from "#features/companies/trail/contract.ts";
import * as identity from "#features/identity/contract.ts";
import * as names from "#features/books/names/contract.ts";
import * as workbook from "#features/invoices/workbook/contract.ts";
import * as check from "#features/invoices/check/contract.ts";
import * as invoices from "#features/invoices/contract.ts";
import * as receipt from "#features/invoices/receipt/contract.ts";
import * as post from "#features/invoices/post/contract.ts";
import * as undo from "#features/invoices/undo/contract.ts";
import * as shipping from "#features/shipping/contract.ts";
import * as labels from "#features/labels/contract.ts";
import * as folders from "#features/orders/folders/contract.ts";
import * as partnerApi from "#features/orders/api/contract.ts";
import * as notices from "#features/orders/notices-out/contract.ts";
import * as orderInvoices from "#features/order-invoices/contract.ts";
import * as orders from "#features/orders/contract.ts";
import * as tracking from "#features/tracking/contract.ts";
import * as health from "#features/health/contract.ts";
import * as telemetry from "#features/telemetry/contract.ts";
import * as legal from "#features/legal/contract.ts";

/** Every endpoint of the product, in the order of the OpenAPI document. */
export const ENDPOINTS: readonly Endpoint[] = [
  identity.getUser,
  identity.listDevices,
  identity.signOutDevices,
  companies.listCompanies,
  companies.switchCompany,
  companies.followChanges,
  companies.readRefusal,
  companies.readConnection,
  companies.disconnectCompany,
  companies.changeSettings,
  companies.addUser,
  companies.removeUser,
  companies.handOver,
  companies.listInvitations,
  companies.readInvitation,
  companies.acceptInvitation,
  companies.declineInvitation,
  companies.leaveCompany,
  companies.changeService,
  carrier.startLink,
  carrier.finishLink,
  carrier.endLink,
  trail.listTrail,
  trail.downloadTrail,
  dataExport.listExports,
  dataExport.requestExport,
  dataExport.downloadExport,
  storage.readStorage,
  differences.listDifferences,
  support.listGrants,
  support.endGrant,
  apiKeys.listKeys,
  apiKeys.makeKey,
  apiKeys.revokeKey,
  webhooks.listWebhooks,
  webhooks.addWebhook,
  webhooks.saveWebhook,
  webhooks.removeWebhook,
  webhooks.replaceSecret,
  webhooks.testWebhook,
  webhooks.replayMessage,
  webhooks.replayFailed,
  billing.listSubscriptions,
  billing.readPayer,
  billing.startPayment,
  billing.activateSubscription,
  billing.takeOverBilling,
  billing.openPortal,
  invoices.postInvoices,
  invoices.listUploads,
  invoices.listUploadResults,
  invoices.downloadProblemRows,
  invoices.downloadTemplate,
  receipt.readReceipt,
  undo.previewUndo,
  undo.startUndo,
  post.cancelUpload,
  post.answerUnresolved,
  check.checkInvoices,
  check.readCheck,
  check.listCheckInvoices,
  check.readCheckInvoice,
  check.listCheckErrors,
  check.checkAgain,
  check.postCheck,
  check.allowDuplicates,
  check.dropCheck,
  invoices.listUnknownNames,
  names.searchList,
  names.listNameChoices,
  names.chooseName,
  names.forgetName,
  names.createCustomer,
  workbook.readColumns,
  workbook.listColumnChoices,
  workbook.chooseColumns,
  workbook.readDateOrder,
  workbook.chooseDateOrder,
  labels.createLabels,
  labels.reviewLabels,
  labels.downloadProblemRows,
  labels.exportSsccs,
  labels.listLabelUploads,
  labels.readLabelUpload,
  labels.drawLabel,
  labels.printLabels,
  labels.printTestPage,
  labels.readLabelSettings,
  labels.changeLabelSettings,
  labels.readColumns,
  labels.listColumnChoices,
  labels.chooseColumns,
  labels.readDateOrder,
  labels.chooseDateOrder,
  shipping.listOpenOrders,
  shipping.cancelOrder,
  shipping.cancelLines,
  shipping.setContents,
  orders.addOrders,
  orders.restoreOrder,
  orders.correctAddress,
  orders.decideOrder,
  orders.readColumns,
  orders.listColumnChoices,
  orders.chooseColumns,
  orders.readDateOrder,
  orders.chooseDateOrder,
  partnerApi.takeOrders,
  orderInvoices.listThreads,
  orderInvoices.readThread,
  orderInvoices.postOrderInvoices,
  orderInvoices.answerOrderInvoice,
  orderInvoices.chooseMatch,
  orderInvoices.searchMatches,
  orderInvoices.changeOrderInvoiceSettings,
  folders.readFolder,
  folders.readServerKey,
  folders.saveFolder,
  folders.removeFolder,
  notices.listNotices,
  notices.listOrderDocuments,
  notices.listRetailerMessages,
  notices.sendInvoiceAgain,
  notices.downloadNotices,
  notices.readNoticeSettings,
  notices.changeNoticeSettings,
  shipping.createShipment,
  shipping.createShipments,
  shipping.printShipments,
  shipping.answerShipment,
  shipping.listShipments,
  shipping.voidShipment,
  shipping.downloadPackingSlip,
  shipping.downloadLabelFile,
  shipping.readCarrierSettings,
  shipping.changeCarrierSettings,
  tracking.readTracking,
  tracking.listTracked,
  tracking.readTracked,
  tracking.readProof,
  tracking.readPack,
  tracking.checkNow,
  legal.sendMessage,
  telemetry.readRecording,
  telemetry.playRecording,
  health.showHealth,
  health.cancelRun,
  health.readRunLog,
  health.retryRun,
  admin.readOverview,
  admin.readDays,
  admin.searchAll,
  adminLists.readList,
  adminLists.downloadList,
  support.askForGrant,
  storage.readStorageOf,
  admin.openFile,
  admin.openUpload,
  admin.disconnectForSupport,
  admin.changeUser,
  admin.replayWebhook,
  admin.resendMail,
  companies.resetDemo,
];

/** @throws Error if an endpoint has no handler */
export function requireHandlers(app: { hasRoute(route: { method: string; url: string }): boolean }): void {
  const missing = ENDPOINTS.filter(({ method, path }) => !app.hasRoute({ method, url: path }));
  if (missing.length > 0)
    throw new Error(`No handler for ${missing.map(({ method, path }) => `${method} ${path}`).join(", ")}.`);
}
