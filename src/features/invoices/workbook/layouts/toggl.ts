import type { Layout } from "#formats/table/define-sheet.ts";

/**
 * The detailed report of Toggl Track: one row per time entry, without invoice numbers. The amount is in a column named by
 * the currency, and is zero for time that is not billable.
 */
export const toggl = {
  name: "toggl",
  title: "Toggl Track time report",
  headers: [
    "User",
    "Email",
    "Client",
    "Project",
    "Task",
    "Description",
    "Billable",
    "Start date",
    "Start time",
    "End date",
    "End time",
    "Duration",
    "Tags",
    "Amount (USD)",
  ],
  columns: {
    User: "ignore",
    // The user's who worked, not the customer's.
    Email: "ignore",
    Client: "customer",
    Project: "item",
    Task: "ignore",
    Description: "description",
    "Start date": "invoiceDate",
    "Start time": "ignore",
    "End date": "ignore",
    "End time": "ignore",
    Duration: "ignore",
    "Amount (USD)": "amount",
    "Amount (CAD)": "amount",
    "Amount (EUR)": "amount",
    "Amount (GBP)": "amount",
  },
} as const satisfies Layout;
