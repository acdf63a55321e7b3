import type { SeenColumn } from "#features/sheets/contract.ts";
import type { FieldChoice, Meanings } from "#features/sheets/web/rules-columns.ts";
import { columnsWords as words } from "#features/sheets/web/words.ts";
import { TextTable } from "#web/kit/tables/text-table.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { styled } from "@mui/material/styles";

const Plain = styled("span")({ fontWeight: 400, overflowWrap: "anywhere" });

const Samples = styled("td")({ overflowWrap: "anywhere", whiteSpace: "pre-line", minWidth: "8rem" });

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
    ...fields.map(({ field, header, required }) => ({
      value: field,
      label: required ? words.required(header) : header,
    })),
  ];
  return (
    <TextTable label={words.title} heads={[words.column, words.samples, words.meaning]}>
      {columns.map(({ column, header, samples }, index) => (
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
          </td>
        </tr>
      ))}
    </TextTable>
  );
}
