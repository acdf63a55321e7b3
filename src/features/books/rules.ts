import type { AddressBody, InvoiceBody } from "#integrations/intuit/invoice-body.ts";

/** An invoice ready to be sent to QuickBooks, as its API spells it. Dates are YYYY-MM-DD. */
export type InvoiceDraft = InvoiceBody & {
  TxnDate: string;
  BillAddr?: AddressBody & { Line4?: string };
  ShipAddr?: AddressBody & { Line4?: string };
  CustomField?: { DefinitionId: string; Name: string; Type: "StringType"; StringValue: string }[];
};

/** Body of a create: the invoice, and its total without tax. */
export type InvoiceToMake = { draft: InvoiceDraft; amountCents: number };

/** Body of a void or delete: an invoice in the version in which QuickBooks answered it. */
export type InvoiceToUndo = { qboId: string; syncToken: string };

/** The name under which writes to QuickBooks stand in the ledger of writes. */
export const VENDOR = "intuit";
