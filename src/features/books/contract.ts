import * as z from "zod";

/** `lines`: number of lines. */
const MONEY_FIELDS = [
  "total",
  "lines",
  "quantity",
  "rate",
  "amount",
  "discount",
  "shipping",
  "deposit",
] as const;
/** Fields that QuickBooks drops if the company has switched them off. */
const OTHER_FIELDS = [
  "ship_via",
  "ship_date",
  "tracking_no",
  "po_number",
  "location",
  "service_date",
  "class",
] as const;
export type OtherField = (typeof OTHER_FIELDS)[number];

/** A value that QuickBooks stored differently from what was sent. */
export const difference = z.object({
  field: z.enum([...MONEY_FIELDS, ...OTHER_FIELDS]),
  /** Line of the invoice, starting at 1; null for the invoice itself. */
  line: z.int().nullable(),
  /** Money and quantities are decimal text. */
  sent: z.string(),
  /** Empty if QuickBooks did not keep the value. */
  answered: z.string(),
});

export type Difference = z.output<typeof difference>;

/** Whether a difference concerns money or a part of an amount. */
export const isOfMoney = ({ field }: Difference) => MONEY_FIELDS.some((known) => known === field);
