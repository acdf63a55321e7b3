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
  const questions = rowMarks.map((column, at) => {
    const answers = billed[at] ?? [];
    const change = (index: number, isBilled: boolean) =>
      onChange(column.of, column.values[index]?.value ?? "", isBilled);
    return column.column === null ? (
      <HiddenQuestion key={column.of} column={column} isBilled={answers[0] ?? false} onChange={change} />
    ) : (
      <ValuesQuestion key={column.of} column={column} answers={answers} onChange={change} />
    );
  });
  return <div style={{ margin: "16px 0" }}>{questions}</div>;
}

/** The question at the left; its answers begin where the meanings of columns do. */
const Question = styled("fieldset")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)",
    gridTemplateRows: "auto 1fr",
    columnGap: 16,
    margin: "-1px 0 0",
    padding: "12px 0 12px 16px",
    border: `1px solid ${palette.divider}`,
    borderInline: 0,
    borderLeft: `3px solid ${palette.status.amber.rule}`,
    "& legend": { float: "left", padding: "10px 0 0", fontWeight: 600, overflowWrap: "anywhere" },
    "& small": { gridColumn: 1, color: palette.text.secondary },
    "& > div": { gridColumn: 2, gridRow: "1 / span 2" },
    [theme.breakpoints.down("sm")]: {
      gridTemplateColumns: "minmax(0, 1fr)",
      paddingLeft: 12,
      "& > div": { gridColumn: 1, gridRow: "auto" },
    },
  };
});

/** An answer with its money at the right. */
const Answer = styled("div")(({ theme }) => ({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: 16,
  fontVariantNumeric: "tabular-nums",
  "& + &": { borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}` },
  "& > span": { fontWeight: 600 },
}));

const Sum = styled("p")(({ theme }) => ({
  margin: "4px 0 0",
  textAlign: "right",
  fontSize: "0.8125rem",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

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
      <div>
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
        <Sum role="status">
          {words.billed(
            billed.length > 0 ? sumAmounts(billed) : "",
            left.reduce((sum, { count }) => sum + count, 0),
          )}
        </Sum>
      </div>
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
      <div>
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
      </div>
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
