import { isPaid, isVoided } from "#integrations/intuit/detect-change.ts";
import { sumShipping } from "#features/books/shipping/rules-freight.ts";
import type { ShippingBody } from "#integrations/intuit/change-books.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { decimalToCents } from "#platform/money.ts";

/**
 * Vendor name of shipping writes in the ledger. Not the invoices' own: those are searched for among what was created, and ids
 * of files and of invoices are not of one series.
 */
export const SHIPPING_VENDOR = "intuit_shipping";

/** Values of shipping fields; an absent one is left alone, an empty text clears it. Dates are YYYY-MM-DD. */
export type ShippingFields = { shipDate?: string; shipVia?: string; trackingNumber?: string };

/** The part of an invoice that tracking uses. Absent texts are empty. */
export type BooksInvoice = {
  qboId: string;
  syncToken: string;
  number: string;
  customer: string;
  /** YYYY-MM-DD; empty if QuickBooks names none. */
  txnDate: string;
  shipDate: string;
  shipVia: string;
  trackingNumber: string;
  /** Custom fields with a value. */
  customFields: { name: string; value: string }[];
  /** ISO code; empty if QuickBooks names none. */
  currency: string;
  totalCents: number;
  /** The shipping amount; 0 without one. */
  shippingCents: number;
  /** Paid at least in part. */
  isPaid: boolean;
  isVoided: boolean;
};

export function toBooksInvoice(invoice: Invoice): BooksInvoice {
  const { ShipMethodRef: method } = invoice;
  return {
    qboId: invoice.Id,
    syncToken: invoice.SyncToken,
    number: invoice.DocNumber ?? "",
    customer: invoice.CustomerRef?.name ?? "",
    txnDate: invoice.TxnDate ?? "",
    shipDate: invoice.ShipDate ?? "",
    shipVia: method?.name ?? method?.value ?? "",
    trackingNumber: invoice.TrackingNum ?? "",
    customFields: (invoice.CustomField ?? []).flatMap(({ Name = "", StringValue }) =>
      StringValue ? [{ name: Name, value: StringValue }] : [],
    ),
    currency: invoice.CurrencyRef?.value ?? "",
    totalCents: decimalToCents(invoice.TotalAmt),
    shippingCents: sumShipping(invoice),
    isPaid: isPaid(invoice),
    isVoided: isVoided(invoice),
  };
}

export function toShippingBody({ shipDate, shipVia, trackingNumber }: ShippingFields): ShippingBody {
  return {
    ...(shipDate === undefined ? {} : { ShipDate: shipDate }),
    ...(shipVia === undefined ? {} : { ShipMethodRef: { value: shipVia, name: shipVia } }),
    ...(trackingNumber === undefined ? {} : { TrackingNum: trackingNumber }),
  };
}

export type ShippingField = keyof ShippingFields;

const NAMES = ["shipDate", "shipVia", "trackingNumber"] as const satisfies readonly ShippingField[];

/** Divides fields by whether the invoice has these values. QuickBooks drops them where shipping is switched off. */
export function compareShipping(
  fields: ShippingFields,
  invoice: BooksInvoice,
): { kept: ShippingFields; dropped: ShippingField[] } {
  const named = NAMES.filter((name) => fields[name] !== undefined);
  const isKept = (name: ShippingField) => fields[name]?.trim() === invoice[name].trim();
  return {
    kept: Object.fromEntries(named.filter(isKept).map((name) => [name, fields[name]])),
    dropped: named.filter((name) => !isKept(name)),
  };
}
