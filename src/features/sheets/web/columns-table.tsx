import type { SeenColumn, SeenColumns } from "#features/sheets/contract.ts";
import { ExampleRows } from "#features/sheets/web/example-rows.tsx";
import {
  type FieldChoice,
  formatCents,
  isInRead,
  isSuggested,
  listAnswers,
  type Meanings,
  missingFields,
  sumRead,
  toCents,
  totalWith,
} from "#features/sheets/web/rules-answers.ts";
import type { Billed } from "#features/sheets/web/rules-row-marks.ts";
import { columnsWords as words } from "#features/sheets/web/words-columns.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { formatCount } from "#web/kit/format.ts";
import { SelectField } from "#web/kit/select-field.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { useState } from "react";

const Plain = styled("span")({ fontWeight: 400, overflowWrap: "anywhere" });

const Samples = styled("td")({
  overflowWrap: "anywhere",
  whiteSpace: "pre-line",
  minWidth: "8rem",
  "& button": { whiteSpace: "nowrap" },
  // On a phone its rows are below the values, not beside them.
  "&:has(> div)": { flexWrap: "wrap" },
  "& > div": { flex: "1 0 100%", textAlign: "left" },
});

const Guess = styled("small")(({ theme }) => ({
  display: "block",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

const Money = styled("ul")(({ theme }) => ({
  margin: "4px 0 0",
  padding: 0,
  listStyle: "none",
  fontSize: "0.8125rem",
  fontVariantNumeric: "tabular-nums",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

const requiredFirst = (a: FieldChoice, b: FieldChoice) => Number(b.required) - Number(a.required);

type Column = SeenColumn & { /** Its place on the page. */ index: number };

type TableProps = {
  seen: SeenColumns;
  meanings: Meanings;
  billed: Billed;
  /** Headers whose meaning a user chose or accepted. */
  used: ReadonlyMap<string, string>;
  onChange: (header: string, meaning: string) => void;
};

/** Columns with a question first; the others are collapsed, unless a required column is missing. */
export function ColumnsTable({ isOpen, ...table }: TableProps & { isOpen: boolean }) {
  const { seen } = table;
  // As first shown: a column must not move away while its meaning is chosen.
  const [isMissing] = useState(
    () =>
      missingFields(
        seen.fields,
        seen.columns.map(({ field }) => field ?? ""),
      ).length > 0,
  );
  const columns = seen.columns
    .map((column, index) => ({ ...column, index }))
    .filter((column) => isInRead(seen, column));
  const {
    open = [],
    known = [],
    unused = [],
  } = Object.groupBy(columns, ({ field, guess, reason }) => {
    if (reason !== null || (field === null && (guess !== null || isMissing))) return "open";
    return field === null || field === "ignore" ? "unused" : "known";
  });
  if (isOpen || (open.length === 0 && unused.length === 0))
    return <Columns label={words.title} columns={[...open, ...unused, ...known]} {...table} />;
  return (
    <>
      {open.length > 0 ? <Columns label={words.title} columns={open} {...table} /> : null}
      {[
        { title: words.known(known.length), those: known },
        { title: words.unused(unused.length), those: unused },
      ].map(({ title, those }) =>
        those.length > 0 ? (
          <Disclosure key={title} title={title} variant="text">
            <Columns label={title} columns={those} {...table} />
          </Disclosure>
        ) : null,
      )}
    </>
  );
}

type ColumnsProps = TableProps & { label: string; columns: readonly Column[] };

/** Whole numbers without a sign of a currency may be pieces. */
const writeSum = (sum: string, samples: readonly string[], currency: string | null): string =>
  samples.every((text) => /^-?[\d\s]+$/.test(text))
    ? formatCount(Number(sum))
    : formatCents(toCents(sum), currency);

/** Table of columns with sample values and a list of possible meanings. */
function Columns({ label, columns, seen, meanings, billed, used, onChange }: ColumnsProps) {
  const options = [
    { value: "", label: words.unknown },
    { value: "ignore", label: words.ignore },
    ...seen.fields.toSorted(requiredFirst).map(({ field, header, required }) => ({
      value: field,
      label: required ? words.required(header) : header,
    })),
  ];
  return (
    <TextTable label={label} heads={[words.column, words.samples, words.meaning]} isComplete>
      {columns.map((seenColumn) => {
        const { column, header, samples, guess, reason, index } = seenColumn;
        const sum = sumRead(seen, seenColumn);
        return (
          <tr key={`${column} ${header}`}>
            <th scope="row">
              {column} <Plain>{header}</Plain>
            </th>
            <Samples data-head={words.samples}>
              <span>{samples.join("\n")}</span>
              {sum === null ? null : <Guess>{words.sum(writeSum(sum, samples, seen.currency))}</Guess>}
              <ExampleRows rows={seenColumn.examples} />
            </Samples>
            <td>
              <SelectField
                label={words.meaningLabel(column, header)}
                value={meanings[index] ?? ""}
                options={options}
                onChange={(meaning) => onChange(header, meaning)}
              />
              {guess !== null && isSuggested(seenColumn, meanings[index], used.has(header)) ? (
                <Guess>
                  {words.guessed}{" "}
                  <Button
                    variant="text"
                    size="small"
                    aria-label={words.useLabel(header)}
                    onClick={() => onChange(header, guess)}
                  >
                    {words.use}
                  </Button>
                </Guess>
              ) : null}
              {reason ? <Guess>{reason}</Guess> : null}
              <MoneyByAnswer seen={seen} column={seenColumn} meanings={meanings} billed={billed} />
            </td>
          </tr>
        );
      })}
    </TextTable>
  );
}

type MoneyProps = Omit<TableProps, "onChange" | "used"> & { column: Column };

/** The money that is billed in all with each likely meaning of a column. */
function MoneyByAnswer({ seen, column, meanings, billed }: MoneyProps) {
  const answers = listAnswers(column).flatMap((answer) => {
    const total = totalWith(
      seen,
      meanings.map((meaning, at) => (at === column.index ? answer : meaning)),
      billed,
    );
    if (!total) return [];
    const header = seen.fields.find(({ field }) => field === answer)?.header;
    const amount = formatCents(total.cents, seen.currency);
    return [header ? words.ifMeant(header, amount) : words.ifIgnored(amount)];
  });
  if (new Set(answers.map((answer) => answer.split(": ")[1])).size < 2) return null;
  return (
    <Money aria-label={words.ifAnswered}>
      {answers.map((answer) => (
        <li key={answer}>{answer}</li>
      ))}
    </Money>
  );
}
