import type { Endpoint } from "#contract/endpoint.ts";
import * as admin from "#features/admin/contract.ts";
import * as billing from "#features/billing/contract.ts";
import * as carrier from "#features/carrier/contract.ts";
import * as companies from "#features/companies/contract.ts";
import * as trail from "#features/companies/trail/contract.ts";
import * as identity from "#features/identity/contract.ts";
import * as names from "#features/books/names/contract.ts";
import * as workbook from "#features/invoices/workbook/contract.ts";
import * as check from "#features/invoices/check/contract.ts";
import * as invoices from "#features/invoices/contract.ts";
import * as receipt from "#features/invoices/receipt/contract.ts";
import * as post from "#features/invoices/post/contract.ts";
import * as undo from "#features/invoices/undo/contract.ts";
import * as labels from "#features/labels/contract.ts";
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
  billing.listSubscriptions,
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
  legal.sendMessage,
  legal.listMessages,
  admin.resetDemo,
];
