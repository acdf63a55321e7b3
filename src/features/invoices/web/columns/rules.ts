import { columnsWords as words } from "#features/invoices/web/columns/words.ts";
import type { SeenColumn } from "#features/invoices/choices/contract.ts";

export type FieldChoice = { field: string; header: string; required: boolean };

/** The chosen meaning of each column, in order; empty for none. */
export type Meanings = readonly string[];

/** Meanings as the server understands the columns now. */
export function meaningsOf(columns: readonly SeenColumn[]): Meanings {
  return columns.map(({ field }) => field ?? "");
}

/** Headers of required fields that no column means. Quantities and rates together stand in for amounts. */
export function missingFields(fields: readonly FieldChoice[], meanings: Meanings): string[] {
  const headerOf = (name: string) => fields.find(({ field }) => field === name)?.header;
  const [qty, rate] = ["qty", "rate"].map(headerOf);
  const hasProduct = ["qty", "rate"].every((field) => meanings.includes(field));
  return fields
    .filter(({ field, required }) => required && !meanings.includes(field))
    .filter(({ field }) => field !== "amount" || !hasProduct)
    .map(({ field, header }) =>
      field === "amount" && qty && rate ? words.amountOr({ amount: header, qty, rate }) : header,
    );
}

/** Header of a field that two columns mean, null when there is none. */
export function doubleField(fields: readonly FieldChoice[], meanings: Meanings): string | null {
  const double = fields.find(({ field }) => meanings.filter((meaning) => meaning === field).length > 1);
  return double?.header ?? null;
}

/** Only what a person changed is told to the server, so that what it knows by itself is not fixed for ever. */
export function changedColumns(columns: readonly SeenColumn[], meanings: Meanings) {
  return columns.flatMap(({ header, field }, index) => {
    const meaning = meanings[index] ?? "";
    return meaning === (field ?? "") ? [] : [{ header, field: meaning }];
  });
}
