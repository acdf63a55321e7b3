import { writeInvoice, type Invoice } from "#formats/x12/invoice.ts";
import type { ProductId } from "#formats/x12/pairs.ts";
import type { Party } from "#formats/x12/parts.ts";
import type { SetBody } from "#formats/x12/write-interchange.ts";
import { isSameDecimal } from "#formats/x12/decimals.ts";
import {
  findTrackingNumbers,
  findVendorNumber,
  type InvoiceParts,
} from "#features/orders/notices-out/check-invoice.ts";
import { plainFor, toConsignee, toParty, type Plain } from "#features/orders/notices-out/parties.ts";
import { percentOfCents, toCents } from "#features/orders/notices-out/money.ts";
import type { Delimiters } from "#formats/x12/delimiters.ts";
import { findServiceCode } from "#features/orders/partners/partner.ts";
import type { OrderLine, OrderTerms } from "#features/orders/types.ts";

/** A checked invoice to be written. `shippedOn` is the day that the last cartons left on. */
export type InvoiceDocument = InvoiceParts & { shippedOn: string };

/** Writes a checked invoice as an 810. @throws NotWritable for values that X12 can't hold */
export function writeInvoiceSet(parts: InvoiceDocument, delimiters: Delimiters): SetBody {
  const { order, partner, invoice, shipments, shippedOn } = parts;
  const rules = partner.invoices;
  const plain = plainFor(delimiters);
  const [tracking = ""] = findTrackingNumbers(shipments);
  const vendor = findVendorNumber(order, partner, shipments);
  const charges = listCharges(parts);
  const document: Invoice = {
    date: invoice.date,
    number: invoice.number,
    orderDate: order.orderDate ?? "",
    orderNumber: order.poNumber,
    type: rules.type,
    currencyOf: "SE",
    currency: invoice.currency,
    references: rules.references.flatMap((qualifier) => {
      const value =
        qualifier === "CN"
          ? tracking
          : qualifier === rules.vendorReference
            ? vendor
            : (order.references.find((reference) => reference.qualifier === qualifier)?.value ??
              (qualifier === partner.references.customerOrder ? order.customerOrder : ""));
      return value === "" ? [] : [{ qualifier, value, description: "" }];
    }),
    parties: listParties(parts, { vendor, plain }),
    terms: order.billing?.terms ? [order.billing.terms] : [],
    dates: [{ qualifier: "011", date: shippedOn, time: "", timeCode: "", periodFormat: "", period: "" }],
    lines: invoice.lines.map(({ line, quantity, unitPrice }) => {
      const ordered = order.lines.find((found) => found.line === line);
      const text = plain(ordered?.description ?? "", 80);
      return {
        number: line,
        quantity,
        unit: ordered?.unit || "EA",
        // Copied as the order writes it (12.50, not 12.5).
        unitPrice: ordered && isSameDecimal(ordered.unitCost, unitPrice) ? ordered.unitCost : unitPrice,
        priceBasis: ordered?.priceBasis ?? "",
        ids: ordered ? listIds(ordered, rules.pairs) : [],
        descriptions: text === "" ? [] : [{ kind: "F", characteristic: "08", code: "", text }],
      };
    }),
    ...writeTotals(parts, charges),
    taxType: toCents(invoice.tax) === 0 ? "" : "TX",
    tax: toCents(invoice.tax) === 0 ? "" : invoice.tax,
    mode: tracking === "" ? "" : "U",
    scac: tracking === "" ? "" : "UPSN",
    routing:
      tracking === "" ? "" : order.serviceCode || findServiceCode(partner, shipments[0]?.service ?? ""),
    carrierQualifier: tracking === "" ? "" : "CN",
    carrierNumber: tracking,
    charges: charges.map(({ amount, code, handling, description, cents }) => ({
      indicator: amount === "allowance" ? "A" : "C",
      code,
      agency: "",
      agencyCode: "",
      amountCents: cents,
      percentOf: "",
      percent: "",
      rate: "",
      handling,
      description: plain(description, 80),
    })),
    unused: [],
  };
  return writeInvoice(document);
}

const listCharges = ({ partner, invoice }: InvoiceParts) =>
  partner.invoices.charges
    .map((charge) => ({ ...charge, cents: toCents(invoice[charge.amount]) ?? 0 }))
    .filter(({ cents }) => cents !== 0);

/** The total, and what is due after the terms discount, which isn't taken on tax, nor on charges that it doesn't concern. */
function writeTotals(
  { order, invoice }: InvoiceParts,
  charges: ReturnType<typeof listCharges>,
): Pick<Invoice, "totalCents" | "discountedCents" | "dueCents" | "discountCents"> {
  const totalCents = toCents(invoice.total) ?? 0;
  const percent = order.billing?.terms?.discountPercent ?? "";
  const discountedCents = charges
    .filter(({ isDiscounted }) => !isDiscounted)
    .reduce(
      (left, { amount, cents }) => (amount === "allowance" ? left + cents : left - cents),
      totalCents - (toCents(invoice.tax) ?? 0),
    );
  const discountCents = percent === "" ? null : percentOfCents(discountedCents, percent);
  if (discountCents === null || discountCents === 0)
    return { totalCents, discountedCents: null, dueCents: null, discountCents: null };
  return { totalCents, discountedCents, dueCents: totalCents - discountCents, discountCents };
}

/** Product ids of a line in the retailer's order of their kinds, under the qualifiers that its order has for them. */
export const listIds = (line: OrderLine, pairs: readonly ("SK" | "VN" | "UP")[]): ProductId[] =>
  pairs
    .map((kind) => {
      const id = ({ SK: "buyerSku", VN: "vendorSku", UP: "upc" } as const)[kind];
      return { qualifier: line.idQualifiers?.[id] ?? kind, value: line[id] };
    })
    .filter(({ value }) => value !== "");

/** Whom to pay: the company under its number at the retailer, at its ship-from address; and the consignee. */
function listParties(
  { order, partner, shipments }: InvoiceDocument,
  { vendor, plain }: { vendor: string; plain: Plain },
): Party[] {
  const from = shipments[0]?.shipFrom ?? NOWHERE;
  return [
    {
      ...toParty(partner.invoices.remitTo, { ...from, country: "US" }, plain),
      idQualifier: vendor === "" ? "" : partner.invoices.remitQualifier,
      id: vendor,
    },
    toConsignee(order, plain),
  ];
}

/** Address for an invoice without a ship notice, which isn't sent. */
const NOWHERE = { name: "", lines: [], city: "", state: "", zip: "" };

/** Terms as a hub's XML has them, by its names of attributes; those without a value are left out. */
export const termsInXml = (terms: OrderTerms | null | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      discPercent: terms?.discountPercent ?? "",
      discDaysDue: terms?.discountDays ?? "",
      netDaysDue: terms?.netDays ?? "",
    }).filter(([, value]) => value !== ""),
  );
