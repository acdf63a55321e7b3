import type { StoredInvoice } from "#features/order-invoices/store.ts";
import type { StoredOrder } from "#features/orders/index.ts";
import { CSV_START, exactCsvLine } from "#formats/csv/write-csv.ts";
import { findServiceName } from "#integrations/ups/service-names.ts";
import { centsText } from "#platform/money.ts";

/** QuickBooks doesn't document the field's maximum length; it never refused values up to this one. */
const MAX_TRACKING = 31;

export type SheetInvoice = {
  order: Pick<StoredOrder, "content" | "po_number">;
  invoice: Pick<StoredInvoice, "draft" | "order_id" | "shipment_id">;
  number: string | null;
  attempt: number;
  acceptsTax: boolean;
};

type Row = Readonly<Record<string, string>>;

const HEADERS = [
  "Invoice No",
  "Group",
  "Customer",
  "Invoice Date",
  "Due Date",
  "Terms",
  "PO Number",
  "Item",
  "Description",
  "Qty",
  "Rate",
  "Amount",
  "Class",
  "Location",
  "Taxable",
  "Ship Via",
  "Ship Date",
  "Tracking No",
  "Invoice Discount",
  "Shipping",
  "Ship Line 1",
  "Ship Line 2",
  "Ship Line 3",
  "Ship Line 4",
  "Ship City",
  "Ship State",
  "Ship Postal Code",
  "Ship Country",
];

/** Writes invoices in the columns of the template. @returns the bytes, and the row in which each invoice begins */
export function writeSheet(invoices: readonly SheetInvoice[]): {
  bytes: Buffer;
  firstRows: number[];
  rows: number;
} {
  const lines: string[] = [exactCsvLine(HEADERS)];
  const firstRows: number[] = [];
  for (const invoice of invoices) {
    firstRows.push(lines.length + 1);
    const { draft, shipment_id: shipment, order_id: orderId } = invoice.invoice;
    const key = { "Invoice No": invoice.number ?? "", Group: `${shipment ?? orderId} ${invoice.attempt}` };
    for (const [at, line] of draft.lines.entries()) {
      const row: Row = {
        ...key,
        ...(at === 0 ? writeHead(invoice) : {}),
        Item: line.item?.name ?? "",
        Description: line.description,
        Qty: line.quantity,
        Rate: line.unitPrice,
        Amount: centsText(line.cents),
        Class: draft.className ?? "",
        Taxable: invoice.acceptsTax ? "" : "N",
      };
      lines.push(exactCsvLine(HEADERS.map((header) => row[header] ?? "")));
    }
  }
  return { bytes: Buffer.from(CSV_START + lines.join("")), firstRows, rows: lines.length - 1 };
}

function writeHead({ order, invoice: { draft } }: SheetInvoice): Row {
  const { name, attention, lines, city, state, zip, country } = order.content.shipTo;
  const [line1 = "", line2 = "", line3 = "", line4 = ""] = [name, attention, ...lines].filter(Boolean);
  const [first = "", ...others] = draft.trackingNumbers;
  const all = [first, ...others].join(", ");
  return {
    Customer: draft.customer?.name ?? "",
    "Invoice Date": draft.shipDate,
    "Due Date": draft.dueDate ?? "",
    Terms: draft.terms ?? "",
    "PO Number": order.po_number,
    Location: draft.location ?? "",
    "Ship Via": findServiceName(draft.service) ?? "UPS",
    "Ship Date": draft.shipDate,
    "Tracking No": all.length <= MAX_TRACKING ? all : first,
    "Invoice Discount": draft.allowanceCents > 0 ? centsText(draft.allowanceCents) : "",
    Shipping: draft.freightCents > 0 ? centsText(draft.freightCents) : "",
    "Ship Line 1": line1,
    "Ship Line 2": line2,
    "Ship Line 3": line3,
    "Ship Line 4": line4,
    "Ship City": city,
    "Ship State": state,
    "Ship Postal Code": zip,
    "Ship Country": country,
  };
}
