import type { SeenColumn } from "#features/sheets/contract.ts";
import type { FieldChoice, Meanings } from "#features/sheets/web/rules-columns.ts";
import { columnsWords as words } from "#features/sheets/web/words-columns.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { styled } from "@mui/material/styles";

const Plain = styled("span")({ fontWeight: 400, overflowWrap: "anywhere" });

const Samples = styled("td")({ overflowWrap: "anywhere", whiteSpace: "pre-line", minWidth: "8rem" });

const Guess = styled("small")(({ theme }) => ({
  display: "block",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

const requiredFirst = (one: FieldChoice, other: FieldChoice) => Number(other.required) - Number(one.required);

type Column = SeenColumn & { /** Its place in the sheet. */ index: number };

type Props = {
  columns: readonly SeenColumn[];
  fields: readonly FieldChoice[];
  meanings: Meanings;
  onChange: (index: number, meaning: string) => void;
};

/** The columns to be answered; those that are known behind one button, where there are any to answer. */
export function ColumnsTable({ columns, isOpen, ...choosing }: Props & { isOpen: boolean }) {
  const { open = [], known = [] } = Object.groupBy(
    columns.map((column, index) => ({ ...column, index })),
    ({ field }) => (field === null ? "open" : "known"),
  );
  if (open.length === 0 || isOpen)
    return <Columns label={words.title} columns={[...open, ...known]} {...choosing} />;
  return (
    <>
      <Columns label={words.title} columns={open} {...choosing} />
      {known.length > 0 ? (
        <Disclosure title={words.known(known.length)} variant="text">
          <Columns label={words.known(known.length)} columns={known} {...choosing} />
        </Disclosure>
      ) : null}
    </>
  );
}

type ColumnsProps = Omit<Props, "columns"> & { label: string; columns: readonly Column[] };

/** Each column with its first values and a choice of what it means. */
function Columns({ label, columns, fields, meanings, onChange }: ColumnsProps) {
  const options = [
    { value: "", label: words.unknown },
    { value: "ignore", label: words.ignore },
    ...fields.toSorted(requiredFirst).map(({ field, header, required }) => ({
      value: field,
      label: required ? words.required(header) : header,
    })),
  ];
  return (
    <TextTable label={label} heads={[words.column, words.samples, words.meaning]} isComplete>
      {columns.map(({ column, header, samples, field, guess, index }) => (
        <tr key={column}>
          <th scope="row">
            {column} <Plain>{header}</Plain>
          </th>
          <Samples data-head={words.samples}>
            <span>{samples.join("\n")}</span>
          </Samples>
          <td>
            <SelectField
              label={words.meaningOf(column, header)}
              value={meanings[index] ?? ""}
              options={options}
              onChange={(meaning) => onChange(index, meaning)}
            />
            {field === null && guess !== null && meanings[index] === guess ? (
              <Guess>{words.guessed}</Guess>
            ) : null}
          </td>
        </tr>
      ))}
    </TextTable>
  );
}
