import type { Layout } from "#formats/table/define-sheet.ts";

/**
 * Sales invoices of Xero: one row per line, the facts of an invoice on each. Discount is a percentage of the line, and
 * LineAmount is after it.
 */
export const xero = {
  name: "xero",
  title: "Xero sales invoice export",
  headers: [
    "ContactName",
    "EmailAddress",
    "InvoiceNumber",
    "Reference",
    "InvoiceDate",
    "DueDate",
    "Total",
    "InventoryItemCode",
    "Description",
    "Quantity",
    "UnitAmount",
    "Discount",
    "LineAmount",
    "AccountCode",
    "TaxType",
    "TaxAmount",
    "Currency",
    "Type",
    "Status",
  ],
  columns: {
    ContactName: "customer",
    EmailAddress: "email",
    InvoiceNumber: "invoiceNo",
    Reference: "poNumber",
    InvoiceDate: "invoiceDate",
    DueDate: "dueDate",
    Total: "invoiceTotal",
    TaxTotal: "ignore",
    InvoiceAmountPaid: "ignore",
    InvoiceAmountDue: "ignore",
    InventoryItemCode: "item",
    Description: "description",
    Quantity: "qty",
    UnitAmount: "rate",
    Discount: "lineDiscountPercent",
    LineAmount: "amount",
    TaxAmount: "taxTotal",
    Currency: "currency",
    Type: "documentType",
    Status: "documentStatus",
  },
} as const satisfies Layout;
