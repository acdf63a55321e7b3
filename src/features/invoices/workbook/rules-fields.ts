/** What a column of the template holds. */
export type FieldKind = "text" | "code" | "date" | "decimal" | "money" | "yesno";

export type FieldSpec = {
  /** As the template names the column. */
  header: string;
  kind: FieldKind;
  /** Values of `invoice` fields belong to the whole invoice, those of `line` fields to the row. */
  level: "invoice" | "line" | "grouping";
  /** Longest text QuickBooks keeps. */
  max?: number;
};

/** The columns of the template, in its order. */
export const FIELDS = {
  invoiceNo: { header: "Invoice No", kind: "code", level: "grouping", max: 21 },
  group: { header: "Group", kind: "code", level: "grouping", max: 100 },
  customer: { header: "Customer", kind: "text", level: "invoice", max: 500 },
  invoiceDate: { header: "Invoice Date", kind: "date", level: "invoice" },
  dueDate: { header: "Due Date", kind: "date", level: "invoice" },
  terms: { header: "Terms", kind: "text", level: "invoice", max: 31 },
  poNumber: { header: "PO Number", kind: "code", level: "invoice", max: 31 },
  item: { header: "Item", kind: "text", level: "line", max: 500 },
  description: { header: "Description", kind: "text", level: "line", max: 4000 },
  qty: { header: "Qty", kind: "decimal", level: "line" },
  rate: { header: "Rate", kind: "decimal", level: "line" },
  amount: { header: "Amount", kind: "money", level: "line" },
  serviceDate: { header: "Service Date", kind: "date", level: "line" },
  className: { header: "Class", kind: "text", level: "line", max: 500 },
  location: { header: "Location", kind: "text", level: "invoice", max: 500 },
  taxable: { header: "Taxable", kind: "yesno", level: "line" },
  shipVia: { header: "Ship Via", kind: "text", level: "invoice", max: 31 },
  shipDate: { header: "Ship Date", kind: "date", level: "invoice" },
  trackingNo: { header: "Tracking No", kind: "code", level: "invoice", max: 31 },
  billLine1: { header: "Bill Line 1", kind: "text", level: "invoice", max: 500 },
  billLine2: { header: "Bill Line 2", kind: "text", level: "invoice", max: 500 },
  billLine3: { header: "Bill Line 3", kind: "text", level: "invoice", max: 500 },
  billLine4: { header: "Bill Line 4", kind: "text", level: "invoice", max: 500 },
  billCity: { header: "Bill City", kind: "text", level: "invoice", max: 255 },
  billState: { header: "Bill State", kind: "text", level: "invoice", max: 255 },
  billPostalCode: { header: "Bill Postal Code", kind: "code", level: "invoice", max: 30 },
  billCountry: { header: "Bill Country", kind: "text", level: "invoice", max: 255 },
  shipLine1: { header: "Ship Line 1", kind: "text", level: "invoice", max: 500 },
  shipLine2: { header: "Ship Line 2", kind: "text", level: "invoice", max: 500 },
  shipLine3: { header: "Ship Line 3", kind: "text", level: "invoice", max: 500 },
  shipLine4: { header: "Ship Line 4", kind: "text", level: "invoice", max: 500 },
  shipCity: { header: "Ship City", kind: "text", level: "invoice", max: 255 },
  shipState: { header: "Ship State", kind: "text", level: "invoice", max: 255 },
  shipPostalCode: { header: "Ship Postal Code", kind: "code", level: "invoice", max: 30 },
  shipCountry: { header: "Ship Country", kind: "text", level: "invoice", max: 255 },
  email: { header: "Email", kind: "text", level: "invoice", max: 100 },
  customerMemo: { header: "Customer Memo", kind: "text", level: "invoice", max: 1000 },
  privateNote: { header: "Private Note", kind: "text", level: "invoice", max: 4000 },
  currency: { header: "Currency", kind: "code", level: "invoice", max: 3 },
} as const satisfies Record<string, FieldSpec>;

export type Field = keyof typeof FIELDS;

export const ALL_FIELDS = Object.keys(FIELDS) as readonly Field[];

export function specOf(field: Field): FieldSpec {
  return FIELDS[field];
}

export function fieldHeader(field: Field): string {
  return FIELDS[field].header;
}
