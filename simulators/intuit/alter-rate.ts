import { readList, type Fields } from "./write-context.ts";

/** The invoice as if QuickBooks had stored each rate a cent higher and recalculated the amounts. */
export function withAlteredRates(invoice: Fields): Fields {
  return { ...invoice, Line: readList(invoice, "Line").map(alterLine) };
}

function alterLine(line: Fields): Fields {
  const detail = line["SalesItemLineDetail"];
  if (typeof detail !== "object" || detail === null) return line;
  const { Qty, UnitPrice, ...rest } = detail as Fields;
  if (typeof UnitPrice !== "number") return line;
  const rate = Math.round((UnitPrice + 0.01) * 100_000) / 100_000;
  const quantity = typeof Qty === "number" ? Qty : 1;
  const amount = Math.round(quantity * rate * 100) / 100;
  return { ...line, Amount: amount, SalesItemLineDetail: { ...rest, Qty: quantity, UnitPrice: rate } };
}
