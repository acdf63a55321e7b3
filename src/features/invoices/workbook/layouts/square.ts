import type { Layout } from "#formats/table/define-sheet.ts";

/**
 * Item sales of Square: one row per item of a transaction. Net Sales is what was paid for the row, after its discounts; a
 * refund is a row of its own, with negative amounts.
 */
export const square = {
  name: "square",
  title: "Square item sales export",
  headers: [
    "Date",
    "Time",
    "Time Zone",
    "Category",
    "Item",
    "Qty",
    "Price Point Name",
    "SKU",
    "Modifiers Applied",
    "Gross Sales",
    "Discounts",
    "Net Sales",
    "Tax",
    "Transaction ID",
    "Payment ID",
    "Device Name",
    "Event Type",
    "Customer Name",
    "Itemization Type",
  ],
  columns: {
    Date: "invoiceDate",
    "Transaction ID": "invoiceNo",
    "Payment ID": "ignore",
    "Customer Name": "customer",
    "Customer ID": "ignore",
    "Customer Reference ID": "ignore",
    Item: "item",
    Qty: "ignore",
    Count: "ignore",
    SKU: "ignore",
    "Gross Sales": "ignore",
    Discounts: "ignore",
    "Net Sales": "amount",
    Tax: "taxTotal",
    Notes: "description",
    // A link to the sale.
    Details: "ignore",
    Location: "ignore",
  },
} as const satisfies Layout;
