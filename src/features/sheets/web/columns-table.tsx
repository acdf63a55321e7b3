import type { SeenColumn } from "#features/sheets/contract.ts";
import type { FieldChoice, Meanings } from "#features/sheets/web/rules-columns.ts";
import { columnsWords as words } from "#features/sheets/web/words.ts";
import { TextTable } from "#web/kit/tables/text-table.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { styled } from "@mui/material/styles";

const Plain = styled("span")({ fontWeight: 400, overflowWrap: "anywhere" });

const Samples = styled("td")({ overflowWrap: "anywhere", whiteSpace: "pre-line", minWidth: "8rem" });

const Guess = styled("small")(({ theme }) => ({
  display: "block",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

const requiredFirst = (one: FieldChoice, other: FieldChoice) => Number(other.required) - Number(one.required);

/** Those to be answered before those that are known; each with its place in the sheet. */
const unknownFirst = (columns: readonly SeenColumn[]) =>
  columns
    .map((column, index) => ({ ...column, index }))
    .toSorted((one, other) => Number(one.field !== null) - Number(other.field !== null));

type Props = {
  columns: readonly SeenColumn[];
  fields: readonly FieldChoice[];
  meanings: Meanings;
  onChange: (index: number, meaning: string) => void;
};

/** Each column with its first values and a choice of what it means. */
export function ColumnsTable({ columns, fields, meanings, onChange }: Props) {
  const options = [
    { value: "", label: words.unknown },
    { value: "ignore", label: words.ignore },
    ...fields.toSorted(requiredFirst).map(({ field, header, required }) => ({
      value: field,
      label: required ? words.required(header) : header,
    })),
  ];
  return (
    <TextTable label={words.title} heads={[words.column, words.samples, words.meaning]} isComplete>
      {unknownFirst(columns).map(({ column, header, samples, field, guess, index }) => (
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
