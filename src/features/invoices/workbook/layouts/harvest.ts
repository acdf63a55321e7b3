import type { Layout } from "#formats/table/define-sheet.ts";

/**
 * The detailed time report of Harvest: one row per entry, without invoice numbers. Billable Amount is hours times Billable
 * Rate; cost columns are the company's own.
 */
export const harvest = {
  name: "harvest",
  title: "Harvest time report",
  headers: [
    "Date",
    "Client",
    "Project",
    "Project Code",
    "Task",
    "Notes",
    "Hours",
    "Billable?",
    "Invoiced?",
    "First Name",
    "Last Name",
    "Billable Rate",
    "Billable Amount",
    "Cost Rate",
    "Cost Amount",
    "Currency",
  ],
  columns: {
    Date: "invoiceDate",
    Client: "customer",
    Project: "ignore",
    "Project Code": "ignore",
    Task: "item",
    Notes: "description",
    Hours: "qty",
    "Hours Rounded": "ignore",
    "Billable Rate": "rate",
    "Billable Amount": "amount",
    "Cost Rate": "ignore",
    "Cost Amount": "ignore",
    Currency: "currency",
  },
} as const satisfies Layout;
