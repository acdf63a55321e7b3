import type { ColumnMarks } from "#features/sheets/contract.ts";
import type { Billed } from "#features/sheets/web/rules-row-marks.ts";
import { rowMarkWords as words } from "#features/sheets/web/words-row-marks.ts";
import { Choice } from "#web/kit/choice.tsx";
import { styled } from "@mui/material/styles";
import { useId } from "react";

type Props = {
  rowMarks: readonly ColumnMarks[];
  billed: Billed;
  onChange: (of: string, value: string, isBilled: boolean) => void;
};

/** Asks which rows are billed, with the money of each answer. */
export function RowMarkQuestions({ rowMarks, billed, onChange }: Props) {
  return rowMarks.map((column, at) => {
    const answers = billed[at] ?? [];
    const change = (index: number, isBilled: boolean) =>
      onChange(column.of, column.values[index]?.value ?? "", isBilled);
    return column.column === null ? (
      <HiddenQuestion key={column.of} column={column} isBilled={answers[0] ?? false} onChange={change} />
    ) : (
      <ValuesQuestion key={column.of} column={column} answers={answers} onChange={change} />
    );
  });
}

const Question = styled("fieldset")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  margin: "16px 0 0",
  padding: "12px 0 0",
  border: 0,
  borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  maxWidth: 640,
  "& legend": { float: "left", padding: 0, fontWeight: 600, overflowWrap: "anywhere" },
  "& small": { color: (theme.vars ?? theme).palette.text.secondary },
}));

/** An answer with its money at the right. */
const Answer = styled("div")({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: 16,
  fontVariantNumeric: "tabular-nums",
});

type ValuesProps = {
  column: ColumnMarks;
  answers: readonly boolean[];
  onChange: (index: number, isBilled: boolean) => void;
};

function ValuesQuestion({ column: { column, header, values }, answers, onChange }: ValuesProps) {
  const rows = values.reduce((sum, { count }) => sum + count, 0);
  const left = values.filter((_, index) => !answers[index]);
  const billed = values.filter(({ amount }, index) => amount !== null && answers[index]);
  return (
    <Question>
      <legend>{words.values(header)}</legend>
      <small>{words.where(column ?? "", rows)}</small>
      {values.map(({ value, count, amount }, index) => (
        <Answer key={value}>
          <Choice
            type="checkbox"
            checked={answers[index] ?? false}
            onChange={({ target }) => onChange(index, target.checked)}
          >
            {words.filled[value] ?? value} {words.rows(count)}
          </Choice>
          {amount === null ? null : <span>{amount}</span>}
        </Answer>
      ))}
      <small role="status" style={{ textAlign: "right" }}>
        {words.billed(
          billed.length > 0 ? sumAmounts(billed) : "",
          left.reduce((sum, { count }) => sum + count, 0),
        )}
      </small>
    </Question>
  );
}

type HiddenProps = {
  column: ColumnMarks;
  isBilled: boolean;
  onChange: (index: number, isBilled: boolean) => void;
};

function HiddenQuestion({ column: { values }, isBilled, onChange }: HiddenProps) {
  const group = useId();
  const [hidden] = values;
  if (!hidden) return null;
  const { rows, count, amount } = hidden;
  const answers = [
    { label: words.leave, billed: false, money: amount === null ? null : "0.00" },
    { label: count === 1 ? words.bill.one : words.bill.several, billed: true, money: amount },
  ];
  return (
    <Question>
      <legend>{words.hidden(rows, count)}</legend>
      {answers.map(({ label, billed, money }) => (
        <Answer key={label}>
          <Choice
            type="radio"
            name={group}
            checked={isBilled === billed}
            onChange={() => onChange(0, billed)}
          >
            {label}
          </Choice>
          {money === null ? null : <span>{money}</span>}
        </Answer>
      ))}
    </Question>
  );
}

const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** In cents, so that no fraction is lost. */
const sumAmounts = (values: readonly { amount: string | null }[]): string =>
  money.format(
    values.reduce(
      (sum, { amount }) => sum + Math.round(Number((amount ?? "0").replaceAll(",", "")) * 100),
      0,
    ) / 100,
  );
