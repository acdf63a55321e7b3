import type { SheetEndpoints, SeenColumn } from "#features/sheets/contract.ts";
import {
  type Billed,
  changedAnswers,
  countUnanswered,
  initialBilled,
} from "#features/sheets/web/rules-row-marks.ts";
import { loadingWords } from "#features/sheets/web/words.ts";
import { columnsWords as words } from "#features/sheets/web/words-columns.ts";
import { call, type CallReply } from "#web/kit/api-client.ts";
import { Choice } from "#web/kit/choice.tsx";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Loading, Spinner } from "#web/kit/spinner.tsx";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { styled } from "@mui/material/styles";

const RowMarkQuestions = lazyPart(
  async () => (await import("#features/sheets/web/row-mark-questions.tsx")).RowMarkQuestions,
);

type Props = {
  endpoints: SheetEndpoints;
  realmId: string;
  file: File;
  /** Why the file was refused; shown if no column says it. */
  refusal?: string;
  onSaved: () => void;
};

/** Asks for the meaning of a workbook's columns and saves it for the company. */
export function ColumnsEditor({ endpoints, realmId, file, refusal, onSaved }: Props) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["columns", endpoints.readColumns.path, realmId, file.name, file.size, file.lastModified],
    queryFn: ({ signal }) => call(endpoints.readColumns, { query: { realm_id: realmId }, file, signal }),
    // Meanings change with every saved choice.
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <div role="group" aria-label={words.title}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={loadingWords.columns}>
        {data ? (
          <Editor endpoints={endpoints} realmId={realmId} seen={data} refusal={refusal} onSaved={onSaved} />
        ) : null}
      </Loading>
    </div>
  );
}

type EditorProps = Omit<Props, "file" | "refusal"> & {
  refusal: string | undefined;
  seen: CallReply<SheetEndpoints["readColumns"]>;
};

function Editor({ endpoints, realmId, seen, refusal, onSaved }: EditorProps) {
  const announce = useAnnounce();
  const [meanings, setMeanings] = useState<Meanings>(() => initialMeanings(seen.columns));
  const { asked, values, ...forAll } = useForAll(seen, meanings);
  const missing = missingFields(seen.fields, [...meanings, forAll.given]);
  const open = openColumns(seen.columns, meanings);
  const double = doubleField(seen.fields, meanings);
  const changed = changedColumns(seen.columns, meanings);
  const [unread, setUnread] = useState<readonly string[]>(() =>
    seen.sheets.filter(({ is_read }) => !is_read).map(({ sheet }) => sheet),
  );
  const sheets = changedSheets(seen.sheets, unread);
  const [billed, setBilled] = useState<Billed>(() => initialBilled(seen.row_marks));
  const rowMarks = changedAnswers(seen.row_marks, billed);
  const save = useMutation({
    mutationFn: async () => {
      if (changed.length + sheets.length + values.length + rowMarks.length === 0) return;
      const body = {
        columns: changed,
        ...(sheets.length > 0 ? { sheets } : {}),
        ...(values.length > 0 ? { values } : {}),
        ...(rowMarks.length > 0 ? { row_marks: rowMarks } : {}),
      };
      await call(endpoints.chooseColumns, { query: { realm_id: realmId }, body });
    },
    onSuccess: () => {
      announce(words.saved);
      onSaved();
    },
  });
  const noSheet = seen.sheets.length > 0 && unread.length === seen.sheets.length ? words.noSheet : null;
  const unfinished = missing.length > 0 ? words.missing(missing) : open.length > 0 ? words.open(open) : null;
  const fault = double ? words.twice(double) : (unfinished ?? noSheet);
  const toGo = missing.length + countOpen(seen.columns, meanings) + countUnanswered(seen.row_marks);
  const [hadQuestions] = useState(toGo > 0 || double !== null);
  return (
    <>
      <Typography variant="h2" sx={{ mt: 3, mb: 0.5 }}>
        {toGo > 0 ? words.toGo(toGo) : words.title}
      </Typography>
      <p style={{ margin: 0 }}>{words.intro(seen.sheet, seen.header_row)}</p>
      {refusal && !hadQuestions ? <Notice tone="amber">{refusal}</Notice> : null}
      {seen.sheets.length > 0 ? (
        <fieldset style={{ border: 0, margin: "16px 0 0", padding: 0 }}>
          <legend style={{ padding: 0 }}>{words.sheets}</legend>
          {seen.sheets.map(({ sheet }) => (
            <Choice
              key={sheet}
              type="checkbox"
              checked={!unread.includes(sheet)}
              onChange={() =>
                setUnread(
                  unread.includes(sheet) ? unread.filter((other) => other !== sheet) : [...unread, sheet],
                )
              }
            >
              {sheet}
            </Choice>
          ))}
        </fieldset>
      ) : null}
      {seen.row_marks.length > 0 ? (
        <Suspense fallback={<Spinner label={loadingWords.columns} />}>
          <RowMarkQuestions rowMarks={seen.row_marks} billed={billed} onChange={setBilled} />
        </Suspense>
      ) : null}
      {asked ? <ForAll asked={asked} value={forAll.value} onChange={forAll.setValue} /> : null}
      <ColumnsTable
        columns={seen.columns}
        fields={seen.fields}
        meanings={meanings}
        isOpen={double !== null}
        onChange={(index, meaning) => setMeanings(meanings.map((old, at) => (at === index ? meaning : old)))}
      />
      <p role="status">{fault}</p>
      <BusyButton
        label={words.save}
        variant="contained"
        disabled={fault !== null}
        isBusy={save.isPending}
        onClick={save.mutate}
      />
      <FailedCall error={save.error} />
    </>
  );
}

/** The value that all lines have, asked while no column has the meaning of its field. */
function useForAll({ for_all: rule }: EditorProps["seen"], meanings: Meanings) {
  const asked = rule && !meanings.includes(rule.field) ? rule : null;
  const [value, setValue] = useState(rule?.value ?? "");
  const given = asked && value.trim() !== "" ? asked.field : "";
  const values = given && value !== rule?.value ? [{ field: given, value }] : [];
  return { asked, value, setValue, given, values };
}

type ForAllProps = {
  asked: NonNullable<EditorProps["seen"]["for_all"]>;
  value: string;
  onChange: (value: string) => void;
};

const FOR_ALL = "for-all";

/** Asks for the value that all lines have where the sheet has no column for it. */
const ForAll = ({ asked, value, onChange }: ForAllProps) => (
  <div style={{ margin: "16px 0" }}>
    <TextInput
      label={asked.question}
      list={FOR_ALL}
      maxLength={500}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
    <datalist id={FOR_ALL}>
      {asked.names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </datalist>
  </div>
);

const Plain = styled("span")({ fontWeight: 400, overflowWrap: "anywhere" });

const Samples = styled("td")({ overflowWrap: "anywhere", whiteSpace: "pre-line", minWidth: "8rem" });

const Guess = styled("small")(({ theme }) => ({
  display: "block",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

const requiredFirst = (one: FieldChoice, other: FieldChoice) => Number(other.required) - Number(one.required);

type Column = SeenColumn & { /** Its place in the sheet. */ index: number };

type TableProps = {
  columns: readonly SeenColumn[];
  fields: readonly FieldChoice[];
  meanings: Meanings;
  onChange: (index: number, meaning: string) => void;
};

/** Unknown columns first. Known columns are collapsed as long as there are unknown ones. */
function ColumnsTable({ columns, isOpen, ...choosing }: TableProps & { isOpen: boolean }) {
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

type ColumnsProps = Omit<TableProps, "columns"> & { label: string; columns: readonly Column[] };

/** Table of columns with sample values and a list of possible meanings. */
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
      {columns.map(({ column, header, samples, field, guess, reason, sum, index }) => (
        <tr key={column}>
          <th scope="row">
            {column} <Plain>{header}</Plain>
          </th>
          <Samples data-head={words.samples}>
            <span>{samples.join("\n")}</span>
            {sum === null ? null : <Guess>{words.sum(sum)}</Guess>}
          </Samples>
          <td>
            <SelectField
              label={words.meaningLabel(column, header)}
              value={meanings[index] ?? ""}
              options={options}
              onChange={(meaning) => onChange(index, meaning)}
            />
            {field === null && guess !== null && meanings[index] === guess ? (
              <Guess>{words.guessed}</Guess>
            ) : null}
            {reason ? <Guess>{reason}</Guess> : null}
          </td>
        </tr>
      ))}
    </TextTable>
  );
}

type FieldChoice = { field: string; header: string; required: boolean; unless: readonly string[] };

/** Chosen meaning of each column, in order; empty for none. */
type Meanings = readonly string[];

/** Meanings known to the server, or its guesses. */
function initialMeanings(columns: readonly SeenColumn[]): Meanings {
  return columns.map(({ field, guess }) => field ?? guess ?? "");
}

/** Headers of required fields without a column, each with its substitutes. */
function missingFields(fields: readonly FieldChoice[], meanings: Meanings): string[] {
  const headers = new Map(fields.map(({ field, header }) => [field, header]));
  const isThere = (field: string) => meanings.includes(field);
  return fields
    .filter(({ field, required }) => required && !isThere(field))
    .filter(({ unless }) => unless.length === 0 || !unless.every(isThere))
    .map(({ header, unless }) =>
      unless.length === 0
        ? header
        : words.orElse(header, unless.map((field) => headers.get(field) ?? field).join(" and ")),
    );
}

/** Headers of columns that must be matched or ignored, and are neither. */
function openColumns(columns: readonly SeenColumn[], meanings: Meanings): string[] {
  return columns.flatMap(({ header, reason }, index) =>
    reason !== null && (meanings[index] ?? "") === "" ? [header] : [],
  );
}

/** Columns still to be answered, and those whose answer is only a guess. */
function countOpen(columns: readonly SeenColumn[], meanings: Meanings): number {
  return columns.filter(({ field, guess, reason }, index) => {
    const meaning = meanings[index] ?? "";
    return meaning === "" ? reason !== null : field === null && meaning === guess;
  }).length;
}

/** Header of a field matched to two columns; null if there is none. */
function doubleField(fields: readonly FieldChoice[], meanings: Meanings): string | null {
  const double = fields.find(({ field }) => meanings.filter((meaning) => meaning === field).length > 1);
  return double?.header ?? null;
}

/** Sheets the user chose to read, or no longer to read. */
const changedSheets = (sheets: readonly { sheet: string; is_read: boolean }[], unread: readonly string[]) =>
  sheets.flatMap(({ sheet, is_read }) =>
    unread.includes(sheet) === is_read ? [{ sheet, is_read: !is_read }] : [],
  );

/** Columns the user changed. Others are not sent, so that the server can still change its own matches. */
function changedColumns(columns: readonly SeenColumn[], meanings: Meanings) {
  return columns.flatMap(({ header, field }, index) => {
    const meaning = meanings[index] ?? "";
    return meaning === (field ?? "") ? [] : [{ header, field: meaning }];
  });
}
