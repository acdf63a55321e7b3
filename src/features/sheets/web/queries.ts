import type { SheetEndpoints } from "#features/sheets/contract.ts";
import { rememberedWords as words } from "#features/sheets/web/words.ts";
import { rowMarkWords } from "#features/sheets/web/words-row-marks.ts";
import { call } from "#web/kit/api-client.ts";

/** A saved choice: the text in a file, its meaning, and the call that deletes the choice. */
export type Remembered = {
  key: string;
  text: string;
  /** The files that it counts for, where that is not all. */
  of?: string;
  meaning: readonly string[];
  /** The other answer, where there are two. */
  change?: { label: string; save: () => Promise<unknown> };
  forget: () => Promise<unknown>;
};

/** Columns matched by users of the company. */
export function rememberedColumnsQuery(
  { listColumnChoices, chooseColumns }: SheetEndpoints,
  realmId: string,
) {
  const query = { realm_id: realmId };
  return {
    queryKey: ["remembered", listColumnChoices.path, realmId] as const,
    queryFn: async (): Promise<Remembered[]> => {
      const {
        columns,
        sheets,
        values,
        row_marks: rowMarks,
        layouts,
      } = await call(listColumnChoices, { query });
      return [
        ...columns.map(({ header, means }) => ({
          key: header,
          text: header,
          meaning: [means ?? words.leftOut],
          forget: () => call(chooseColumns, { query, body: { columns: [{ header, field: "" }] } }),
        })),
        ...sheets.map((sheet) => ({
          key: `sheet ${sheet}`,
          text: words.sheet(sheet),
          meaning: [words.leftOut],
          forget: () =>
            call(chooseColumns, { query, body: { columns: [], sheets: [{ sheet, is_read: true }] } }),
        })),
        ...layouts.map(({ name, title, is_used: isUsed }) => ({
          key: `layout ${name}`,
          text: words.layout(title),
          meaning: [isUsed ? words.layoutUsed : words.layoutNotUsed],
          forget: () =>
            call(chooseColumns, { query, body: { columns: [], layout: { name, is_used: null } } }),
        })),
        ...values.map(({ field, header, value }) => ({
          key: `value ${field}`,
          text: words.without(header),
          meaning: [value],
          forget: () => call(chooseColumns, { query, body: { columns: [], values: [{ field, value: "" }] } }),
        })),
        ...rowMarks.map(({ of, header, value, is_billed: isBilled, files_like }) => {
          const answer = (is_billed: boolean | null) => () =>
            call(chooseColumns, {
              query,
              body: { columns: [], row_marks: [{ of, value, is_billed, files_like }] },
            });
          const name = `${header}: ${rowMarkWords.filled[value] ?? value}`;
          return {
            key: `row mark ${of} ${value}`,
            text: header === "" ? rowMarkWords.hiddenRows : name,
            of: rowMarkWords.filesLike(files_like),
            meaning: [rowMarkWords.answer(isBilled)],
            change: { label: rowMarkWords.answer(!isBilled), save: answer(!isBilled) },
            forget: answer(null),
          };
        }),
      ];
    },
  };
}

/** Saved date order of the company, as one row. */
export function rememberedDatesQuery({ readDateOrder, chooseDateOrder }: SheetEndpoints, realmId: string) {
  const query = { realm_id: realmId };
  return {
    queryKey: ["remembered", readDateOrder.path, realmId] as const,
    queryFn: async (): Promise<Remembered[]> => {
      const { order } = await call(readDateOrder, { query });
      if (order === null) return [];
      const forget = () => call(chooseDateOrder, { query, body: { order: null } });
      return [{ key: order, text: words.dates, meaning: [words.dateOrders[order]], forget }];
    },
  };
}
