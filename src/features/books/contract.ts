import * as z from "zod";

/** `lines`: the number of lines. */
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
/** Fields that QuickBooks drops where a company has them switched off. */
const OTHER_FIELDS = ["ship_via", "ship_date", "tracking_no", "location", "service_date", "class"] as const;
export type OtherField = (typeof OTHER_FIELDS)[number];

/** A value QuickBooks stored otherwise than it was sent. */
export const difference = z.object({
  field: z.enum([...MONEY_FIELDS, ...OTHER_FIELDS]),
  /** Line of the invoice, counted from 1; null for the invoice itself. */
  line: z.int().nullable(),
  /** Money and quantities are decimal text. */
  sent: z.string(),
  /** Empty when QuickBooks did not keep the value. */
  answered: z.string(),
});

export type Difference = z.output<typeof difference>;

/** Whether a difference is one of money or of what makes it up. */
export const isOfMoney = ({ field }: Difference) => MONEY_FIELDS.some((one) => one === field);
