import type { Layout } from "#formats/table/define-sheet.ts";

/**
 * The invoices report of Jobber: one row per invoice, without lines. The amount before tax is billed; the product or
 * service is asked for once.
 */
export const jobber = {
  name: "jobber",
  title: "Jobber invoices report",
  headers: [
    "Invoice #",
    "Client name",
    "Client email",
    "Subject",
    "Created date",
    "Issued date",
    "Due date",
    "Status",
    "Job #s",
    "Billing street",
    "Billing city",
    "Billing ZIP code",
    "Pre-tax total ($)",
    "Tax amount ($)",
    "Total ($)",
    "Balance ($)",
  ],
  columns: {
    "Invoice #": "invoiceNo",
    "Client name": "customer",
    "Client email": "email",
    Subject: "description",
    "Created date": "ignore",
    "Issued date": "invoiceDate",
    "Due date": "dueDate",
    "Job #s": "ignore",
    "Billing street": "billLine1",
    "Billing city": "billCity",
    "Billing province": "billState",
    "Billing ZIP code": "billPostalCode",
    "Pre-tax total ($)": "amount",
    "Tax amount ($)": "taxTotal",
    "Total ($)": "invoiceTotal",
    "Balance ($)": "ignore",
    "Tip ($)": "fee",
    "Deposit ($)": "deposit",
    "Discount ($)": "ignore",
  },
} as const satisfies Layout;
