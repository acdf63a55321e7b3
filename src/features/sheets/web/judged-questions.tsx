import type { JudgedColumn } from "#features/sheets/contract.ts";
import { judgedWords as words } from "#features/sheets/web/words-judged.ts";
import { Choice } from "#web/kit/choice.tsx";
import { styled } from "@mui/material/styles";
import { useId } from "react";

/** Values of each question that are billed. */
export type Billed = readonly (readonly boolean[])[];

/** As users chose before, else as the values most likely mean. */
export const initialBilled = (judged: readonly JudgedColumn[]): Billed =>
  judged.map(({ values }) => values.map(({ is_billed, guess }) => is_billed ?? guess));

/** Counts questions in which a value that marks its rows has no answer. */
export const countUnanswered = (judged: readonly JudgedColumn[]): number =>
  judged.filter(({ values }) => values.some(({ is_billed, guess }) => is_billed === null && !guess)).length;

/** Answers that differ from the saved ones. */
export const changedAnswers = (judged: readonly JudgedColumn[], billed: Billed) =>
  judged.flatMap(({ of, values }, at) =>
    values.flatMap(({ value, is_billed }, index) => {
      const now = billed[at]?.[index] ?? false;
      return now === is_billed ? [] : [{ of, value, is_billed: now }];
    }),
  );

type Props = { judged: readonly JudgedColumn[]; billed: Billed; onChange: (billed: Billed) => void };

/** Asks which rows are billed, with the money of each answer. */
export function JudgedQuestions({ judged, billed, onChange }: Props) {
  return judged.map((column, at) => {
    const answers = billed[at] ?? [];
    const change = (index: number, isBilled: boolean) =>
      onChange(
        billed.map((each, place) =>
          place === at ? each.map((old, one) => (one === index ? isBilled : old)) : each,
        ),
      );
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
  column: JudgedColumn;
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
  column: JudgedColumn;
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
