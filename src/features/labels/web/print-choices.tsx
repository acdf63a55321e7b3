import type { Paper, PrintOrder } from "#features/labels/contract.ts";
import { printWords as words } from "#features/labels/web/print-words.ts";
import { Choice } from "#web/kit/choice.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import Box from "@mui/material/Box";

/** Paper, order and separators of a document. */
export type PrintForm = { paper: Paper; order: PrintOrder; separators: boolean };

/** Choices for the labels of one sheet that replace the company's settings. */
export type LabelChoices = Partial<PrintForm> & { profile?: string; prefix?: string };

type Props = { form: PrintForm; disabled?: boolean; onChange: (change: Partial<PrintForm>) => void };

/** Fields for paper, order and separators. */
export function PrintChoices({ form, disabled = false, onChange }: Props) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", columnGap: 2, rowGap: 1 }}>
      <SelectField
        label={words.paper}
        labelAt="above"
        value={form.paper}
        options={words.papers}
        disabled={disabled}
        onChange={(paper) => onChange({ paper: paper as Paper })}
      />
      <SelectField
        label={words.order}
        labelAt="above"
        value={form.order}
        options={words.orders}
        disabled={disabled}
        onChange={(order) => onChange({ order: order as PrintOrder })}
      />
      <Choice
        type="checkbox"
        checked={form.separators}
        disabled={disabled}
        onChange={({ target }) => onChange({ separators: target.checked })}
      >
        {words.separators}
      </Choice>
    </Box>
  );
}
