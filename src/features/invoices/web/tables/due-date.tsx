import { uploadWords } from "#features/invoices/web/words.ts";
import { formatDay } from "#web/kit/format.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";

const words = uploadWords.due;

type Due = { due_date: string | null; is_due_derived: boolean };

/** Due date of an invoice; one that the file does not have is underlined. */
export function DueDate({ due_date: date, is_due_derived: isDerived }: Due) {
  if (!isDerived) return formatDay(date);
  return (
    <span title={words.derived} style={{ textDecoration: "underline dotted", textUnderlineOffset: 3 }}>
      {formatDay(date)}
      <span style={visuallyHidden}> {words.derived}</span>
    </span>
  );
}

/** Explains the underline, below a table that has one. */
export function DueLegend({ invoices }: { invoices: readonly Due[] }) {
  if (!invoices.some(({ is_due_derived: isDerived }) => isDerived)) return null;
  return (
    <Box component="p" sx={{ mt: 1, mb: 0, typography: "caption", color: "text.caption" }}>
      {words.legend}
    </Box>
  );
}
