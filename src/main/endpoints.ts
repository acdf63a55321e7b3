import type { Endpoint } from "#contract/endpoint.ts";
import * as companies from "#features/companies/contract.ts";
import * as identity from "#features/identity/contract.ts";
import * as choices from "#features/invoices/choices/contract.ts";
import * as check from "#features/invoices/check/contract.ts";
import * as invoices from "#features/invoices/contract.ts";
import * as receipt from "#features/invoices/receipt/contract.ts";
import * as undo from "#features/invoices/undo/contract.ts";

/** Every endpoint of the product, in the order in which the document of the interface lists them. */
export const ENDPOINTS: readonly Endpoint[] = [
  identity.getUser,
  companies.listCompanies,
  companies.switchCompany,
  invoices.postInvoices,
  invoices.listUploads,
  invoices.listUploadResults,
  invoices.downloadProblemRows,
  receipt.readReceipt,
  undo.previewUndo,
  undo.startUndo,
  check.checkInvoices,
  check.readCheck,
  check.postCheck,
  check.dropCheck,
  choices.listUnknownNames,
  choices.searchList,
  choices.listNameChoices,
  choices.chooseName,
  choices.forgetName,
  choices.createCustomer,
  choices.readColumns,
  choices.chooseColumns,
];
