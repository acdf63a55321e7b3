import { columnsWords as words } from "#features/sheets/web/words-columns.ts";
import type { SeenColumn } from "#features/sheets/contract.ts";

export type FieldChoice = { field: string; header: string; required: boolean; unless: readonly string[] };

/** The chosen meaning of each column, in order; empty for none. */
export type Meanings = readonly string[];

/** Meanings as the server understands the columns now, and where it does not, as it guesses. */
export function meaningsOf(columns: readonly SeenColumn[]): Meanings {
  return columns.map(({ field, guess }) => field ?? guess ?? "");
}

/** Headers of required fields that no column means, each with those that together stand in for it. */
export function missingFields(fields: readonly FieldChoice[], meanings: Meanings): string[] {
  const headers = new Map(fields.map(({ field, header }) => [field, header]));
  const isThere = (field: string) => meanings.includes(field);
  return fields
    .filter(({ field, required }) => required && !isThere(field))
    .filter(({ unless }) => unless.length === 0 || !unless.every(isThere))
    .map(({ header, unless }) =>
      unless.length === 0
        ? header
        : words.orElse(header, unless.map((field) => headers.get(field) ?? field).join(" and ")),
    );
}

/** Header of a field that two columns mean, null when there is none. */
export function doubleField(fields: readonly FieldChoice[], meanings: Meanings): string | null {
  const double = fields.find(({ field }) => meanings.filter((meaning) => meaning === field).length > 1);
  return double?.header ?? null;
}

/** Only what a user changed is sent to the server, so that its own matches stay changeable. */
export function changedColumns(columns: readonly SeenColumn[], meanings: Meanings) {
  return columns.flatMap(({ header, field }, index) => {
    const meaning = meanings[index] ?? "";
    return meaning === (field ?? "") ? [] : [{ header, field: meaning }];
  });
}
