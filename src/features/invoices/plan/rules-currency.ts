import { problemAt, type Problem } from "#formats/table/problem.ts";
import { asFurther } from "#formats/table/cells.ts";
import type { CheckedInvoice, PlanContext, PlanLists } from "#features/invoices/plan/rules.ts";
import type { RowGroup } from "#features/invoices/workbook/rules-sheet.ts";

type Invoice = Pick<CheckedInvoice, "customer" | "value">;

/**
 * Currency of a customer who is not billed in the home currency; books without a home currency have only one.
 */
export function foreignCurrency(
  customer: CheckedInvoice["customer"],
  { homeCurrency }: PlanLists,
): string | undefined {
  const currency = customer?.currency;
  return homeCurrency === null || currency === homeCurrency ? undefined : currency;
}

/**
 * Finds the currency of an invoice: QuickBooks bills a customer in the customer's currency; for an unknown
 * customer, only the file can show it.
 */
export function findCurrency({ customer, value }: Invoice, lists: PlanLists): string | null {
  if (customer) return customer.currency ?? lists.homeCurrency;
  const written = value("currency")?.toUpperCase() ?? "";
  return /^[A-Z]{3}$/.test(written) ? written : lists.homeCurrency;
}

const MONEY = [
  "rate",
  "amount",
  "lineDiscount",
  "discount",
  "shipping",
  "lineShipping",
  "fee",
  "lineFee",
  "deposit",
] as const;

/** Reports amounts whose currency sign contradicts the invoice's currency. */
export function checkSigns({ table, lists }: PlanContext, group: RowGroup, invoice: Invoice): Problem[] {
  const billed = findCurrency(invoice, lists);
  const { customer } = invoice;
  if (billed === null || !customer) return [];
  return group.rows.flatMap(({ row, cells, columns }) =>
    MONEY.flatMap((field) => {
      const read = cells.get(field);
      const codes = read?.currency === undefined ? undefined : currencyCodes(read.currency);
      if (!read || !codes || codes.includes(billed)) return [];
      const params = { codes, customer: customer.name, billed };
      const found = { code: "currency_sign_differs", value: read.shown, params };
      const problem = problemAt({ columns: columns ?? table.columns }, { field, row }, found);
      return [columns ? asFurther(problem) : problem];
    }),
  );
}

/** ISO codes that a sign may stand for, else the sign; undefined for "$", which many currencies share. */
const currencyCodes = (sign: string): readonly string[] | undefined =>
  sign === "$" ? undefined : (SIGNS[sign] ?? [sign]);

const SIGNS: Readonly<Record<string, readonly string[]>> = {
  US$: ["USD"],
  C$: ["CAD"],
  CA$: ["CAD"],
  A$: ["AUD"],
  AU$: ["AUD"],
  NZ$: ["NZD"],
  HK$: ["HKD"],
  MX$: ["MXN"],
  S$: ["SGD"],
  R$: ["BRL"],
  "€": ["EUR"],
  "£": ["GBP"],
  "¥": ["JPY", "CNY"],
  "₹": ["INR"],
  ZŁ: ["PLN"],
  KR: ["SEK", "NOK", "DKK"],
  KČ: ["CZK"],
  FR: ["CHF"],
  R: ["ZAR"],
  "₪": ["ILS"],
  "₩": ["KRW"],
  "฿": ["THB"],
  "₺": ["TRY"],
};
