import type { ColumnMarks } from "#features/sheets/contract.ts";
import { ExampleRows } from "#features/sheets/web/example-rows.tsx";
import { formatCents, toCents } from "#features/sheets/web/rules-answers.ts";
import type { Billed } from "#features/sheets/web/rules-row-marks.ts";
import { rowMarkWords as words } from "#features/sheets/web/words-row-marks.ts";
import { Choice } from "#web/kit/choice.tsx";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { type ReactNode, useId } from "react";

type Props = {
  rowMarks: readonly ColumnMarks[];
  billed: Billed;
  currency: string | null;
  /** Questions whose suggestion can be used. */
  open: readonly ColumnMarks[];
  onChange: (of: string, value: string, isBilled: boolean) => void;
  onUse: (column: ColumnMarks) => void;
};

/** Asks which rows are billed, with the money of each answer. */
export function RowMarkQuestions({ rowMarks, billed, currency, open, onChange, onUse }: Props) {
  const questions = rowMarks.map((column, at) => {
    const answers = billed[at] ?? [];
    const change = (index: number, isBilled: boolean) =>
      onChange(column.of, column.values[index]?.value ?? "", isBilled);
    const use = open.includes(column) ? (
      <Button
        variant="outlined"
        size="small"
        aria-label={words.useLabel(column.header)}
        onClick={() => onUse(column)}
      >
        {words.use}
      </Button>
    ) : null;
    const question = { column, currency, use, onChange: change };
    return column.header === "" ? (
      <HiddenQuestion key={column.of} {...question} isBilled={answers[0] ?? false} />
    ) : (
      <ValuesQuestion key={column.of} {...question} answers={answers} />
    );
  });
  return <div style={{ margin: "16px 0" }}>{questions}</div>;
}

/** The question at the left; its answers begin where the meanings of columns do. */
const Question = styled("fieldset")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr) 6.5rem",
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
    "& > button": { gridColumn: 3, gridRow: "1 / span 2", placeSelf: "start end", marginTop: 6 },
    [theme.breakpoints.down("sm")]: {
      gridTemplateColumns: "minmax(0, 1fr)",
      paddingLeft: 12,
      "& > div": { gridColumn: 1, gridRow: "auto" },
      "& > button": { gridColumn: 1, gridRow: "auto", placeSelf: "start" },
    },
  };
});

/** An answer with its money at the right. */
const Answer = styled("div")(({ theme }) => ({
  display: "flex",
  alignItems: "baseline",
  justifyContent: "space-between",
  gap: 16,
  fontVariantNumeric: "tabular-nums",
  "& + &": { borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}` },
  "& > span": { fontWeight: 600 },
  // Beside a box, whose lower edge would be the baseline.
  "& > label + span": { alignSelf: "center" },
}));

const Either = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  columnGap: 16,
  // Both answers are side by side below their value.
  "& > span": { flex: "1 0 100%", paddingTop: 10, overflowWrap: "anywhere" },
});

const Sum = styled("p")(({ theme }) => ({
  margin: "4px 0 0",
  textAlign: "right",
  fontSize: "0.8125rem",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

type QuestionProps = {
  column: ColumnMarks;
  currency: string | null;
  use: ReactNode;
  onChange: (index: number, isBilled: boolean) => void;
};

type ValuesProps = QuestionProps & { answers: readonly (boolean | null)[] };

function ValuesQuestion({
  column: { column, header, values },
  currency,
  use,
  answers,
  onChange,
}: ValuesProps) {
  const countRows = (answer?: boolean | null) =>
    values.reduce(
      (sum, { count }, index) => (answer === undefined || answers[index] === answer ? sum + count : sum),
      0,
    );
  const billed = values.filter(({ amount }, index) => amount !== null && answers[index]);
  // A checkbox can't show that nothing is proposed.
  const Value = values.some(({ guess }) => guess === null) ? EitherValue : CheckedValue;
  return (
    <Question>
      <legend>{words.values(header, column)}</legend>
      <small>{words.where(column, countRows())}</small>
      <div>
        {values.map(({ value, count, amount }, index) => (
          <Answer key={value}>
            <Value
              label={`${words.filled[value] ?? value} ${words.rows(count)}`}
              answer={answers[index] ?? null}
              onChange={(isBilled) => onChange(index, isBilled)}
            />
            {amount === null ? null : <span>{formatCents(toCents(amount), currency)}</span>}
          </Answer>
        ))}
        <Sum role="status">
          {words.billed(
            billed.length > 0 ? formatCents(sumCents(billed), currency) : "",
            countRows(false),
            countRows(null),
          )}
        </Sum>
        <ExampleRows
          rows={values.flatMap(({ examples }) => examples)}
          count={values.reduce((sum, { count, examples }) => (examples.length > 0 ? sum + count : sum), 0)}
        />
      </div>
      {use}
    </Question>
  );
}

type ValueProps = { label: string; answer: boolean | null; onChange: (isBilled: boolean) => void };

const CheckedValue = ({ label, answer, onChange }: ValueProps) => (
  <Choice type="checkbox" checked={answer ?? false} onChange={({ target }) => onChange(target.checked)}>
    {label}
  </Choice>
);

/** A value whose rows only a user knows to be billed or not. */
function EitherValue({ label, answer, onChange }: ValueProps) {
  const id = useId();
  return (
    <Either role="radiogroup" aria-labelledby={id}>
      <span id={id}>{label}</span>
      {[true, false].map((billed) => (
        <Choice
          key={words.answer(billed)}
          type="radio"
          name={id}
          checked={answer === billed}
          onChange={() => onChange(billed)}
        >
          {words.answer(billed)}
        </Choice>
      ))}
    </Either>
  );
}

type HiddenProps = QuestionProps & { isBilled: boolean };

function HiddenQuestion({ column: { values }, currency, use, isBilled, onChange }: HiddenProps) {
  const group = useId();
  const [hidden] = values;
  if (!hidden) return null;
  const { rows, count, amount, examples } = hidden;
  const answers = [
    { label: words.leave, billed: false, money: amount === null ? null : "0" },
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
            {money === null ? null : <span>{formatCents(toCents(money), currency)}</span>}
          </Answer>
        ))}
        <ExampleRows rows={examples} count={count} />
      </div>
      {use}
    </Question>
  );
}

const sumCents = (values: readonly { amount: string | null }[]): number =>
  values.reduce((sum, { amount }) => sum + toCents(amount ?? "0"), 0);
