import { headerKey } from "#formats/table/header-text.ts";
import { layoutChoiceKey, layoutColumnKey, USED } from "#formats/table/layouts.ts";
import { valueKey } from "#formats/table/one-for-all.ts";
import { BILLED, LEFT_OUT, rowMarkKey } from "#formats/table/row-mark-keys.ts";
import type { InspectedSheet } from "#features/sheets/reading.ts";

/**
 * The choices of a user who only continues on the page of questions: each guess, and no use for columns without one. Where
 * only a user knows which rows are billed, there is no answer, or all are.
 */
export function acceptPage(
  { columns, row_marks: marks, layout }: InspectedSheet,
  { item = "Design work", unknown = null }: { item?: string; unknown?: true | null } = {},
) {
  const key = (header: string) => (layout ? layoutColumnKey(layout.name, header) : headerKey(header));
  return new Map<string, string>([
    ...columns.flatMap(({ header, field, guess, reason }) => {
      const answer = guess ?? (reason === null ? null : "ignore");
      return field === null && answer !== null ? [[key(header), answer] as const] : [];
    }),
    ...marks.flatMap(({ of, values }) =>
      values.flatMap(({ value, guess }) => {
        const isBilled = guess ?? unknown;
        return isBilled === null ? [] : [[rowMarkKey(of, value), isBilled ? BILLED : LEFT_OUT] as const];
      }),
    ),
    ...(layout ? [[layoutChoiceKey(layout.name), USED] as const] : []),
    [valueKey("item"), item],
  ]);
}
