import type { Layout } from "#formats/table/define-sheet.ts";

/**
 * The invoice details report of FreshBooks: one row per line. Line Subtotal is before taxes, and in some exports before the
 * invoice's discount percentage too; Line Total has the taxes.
 */
export const freshbooks = {
  name: "freshbooks",
  title: "FreshBooks invoice export",
  headers: [
    "Client Name",
    "Invoice #",
    "Date Issued",
    "Invoice Status",
    "Date Paid",
    "Item Name",
    "Item Description",
    "Rate",
    "Quantity",
    "Discount Percentage",
    "Line Subtotal",
    "Tax 1 Type",
    "Tax 1 Amount",
    "Line Total",
    "Currency",
  ],
  columns: {
    "Client Name": "customer",
    "Invoice #": "invoiceNo",
    "Date Issued": "invoiceDate",
    "Invoice Status": "documentStatus",
    "Item Name": "item",
    "Item Description": "description",
    Rate: "rate",
    Quantity: "qty",
    "Discount Percentage": { ifFull: "discountPercent", ifSubtracted: "lineDiscountPercent" },
    "Line Subtotal": "amount",
    "Tax 1 Amount": "taxTotal",
    "Tax 2 Amount": "ignore",
    "Line Total": "ignore",
    Currency: "currency",
  },
} as const satisfies Layout;
