import type { AddressBody, InvoiceBody } from "#integrations/intuit/invoice-body.ts";

/** An invoice ready to be sent to QuickBooks, in its API's spelling. Dates are YYYY-MM-DD. */
export type InvoiceDraft = InvoiceBody & {
  TxnDate: string;
  BillAddr?: AddressBody & { Line4?: string };
  ShipAddr?: AddressBody & { Line4?: string };
  CustomField?: { DefinitionId: string; Name: string; Type: "StringType"; StringValue: string }[];
};

/** Body of a create: the invoice, and its total without tax. */
export type InvoiceToMake = { draft: InvoiceDraft; amountCents: number };

/** Body of a void or delete: an invoice in the version QuickBooks answered with. */
export type InvoiceToUndo = { qboId: string; syncToken: string };

/** Vendor name of QuickBooks writes in the ledger. */
export const VENDOR = "intuit";
