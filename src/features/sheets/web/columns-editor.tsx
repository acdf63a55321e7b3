import type {
  ColumnMarks,
  SheetEndpoints,
  SeenColumn,
  SeenColumns,
  WrittenOrder,
} from "#features/sheets/contract.ts";
import { ColumnsTable } from "#features/sheets/web/columns-table.tsx";
import {
  doubleField,
  findOverlaps,
  formatCents,
  isInRead,
  isSuggested,
  type Meanings,
  missingFields,
  totalWith,
} from "#features/sheets/web/rules-answers.ts";
import {
  acceptAnswers,
  changedAnswers,
  countWaiting,
  findAsked,
  findBilled,
  findUnanswered,
  findWaiting,
  type GivenMarks,
  markKey,
} from "#features/sheets/web/rules-row-marks.ts";
import type { FileTotal } from "#formats/table/file-total.ts";
import { DateQuestion, ForAll, LayoutNotice, SheetChoices } from "#features/sheets/web/file-questions.tsx";
import { TotalsNotice } from "#features/sheets/web/totals-notice.tsx";
import { loadingWords } from "#features/sheets/web/words.ts";
import { columnsWords as words } from "#features/sheets/web/words-columns.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Loading, Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";

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
  onCancel?: () => void;
};

/** Asks all questions about a workbook at once, and saves the answers for the company. */
export function ColumnsEditor({ endpoints, realmId, file, refusal, onSaved, onCancel }: Props) {
  const [draft, setDraft] = useState<Draft>(NO_DRAFT);
  const columns = [...draft.columns].map(([header, field]) => ({ header, field }));
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [
      "columns",
      endpoints.readColumns.path,
      realmId,
      file.name,
      file.size,
      file.lastModified,
      columns,
      draft.isLayout,
    ],
    queryFn: ({ signal }) =>
      call(endpoints.readColumns, {
        query: { realm_id: realmId },
        body: { columns, layout: draft.isLayout },
        file,
        signal,
      }),
    // The page stays while the questions that follow from an answer are read.
    placeholderData: keepPreviousData,
    // Meanings change with every saved choice.
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <div role="group" aria-label={words.title}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={loadingWords.columns}>
        {data ? (
          <Editor
            endpoints={endpoints}
            realmId={realmId}
            seen={data}
            draft={draft}
            onDraft={setDraft}
            refusal={refusal}
            onSaved={onSaved}
            {...(onCancel ? { onCancel } : {})}
          />
        ) : null}
      </Loading>
    </div>
  );
}

/** Answers on the page: the meanings that a user chose, by header, and whether the sheet is the export it looks like. */
type Draft = { columns: ReadonlyMap<string, string>; isLayout: boolean };

const NO_DRAFT: Draft = { columns: new Map(), isLayout: true };

type EditorProps = Omit<Props, "file" | "refusal"> & {
  refusal: string | undefined;
  seen: SeenColumns;
  draft: Draft;
  onDraft: (draft: Draft) => void;
};

type EditorHeadProps = { toGo: number; suggestions: number; onUseAll(): void };

/** The title with how many questions are to go, and a button that takes all suggestions. */
function EditorHead({ toGo, suggestions, onUseAll }: EditorHeadProps) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", justifyContent: "space-between", gap: 1, mt: 3, mb: 0.5 }}>
      <Typography variant="h2">{toGo > 0 ? words.toGo(toGo) : words.allMatched}</Typography>
      {suggestions > 1 ? (
        <Button variant="outlined" onClick={onUseAll}>
          {words.useAll(suggestions)}
        </Button>
      ) : null}
    </Box>
  );
}

function Editor({ endpoints, realmId, seen: read, draft, onDraft, refusal, onSaved, onCancel }: EditorProps) {
  const announce = useAnnounce();
  const [unread, setUnread] = useState<readonly string[]>(() =>
    read.sheets.filter(({ is_read }) => !is_read).map(({ sheet }) => sheet),
  );
  const seen = { ...useQuestions(read, draft), sheets: leaveOut(read.sheets, unread) };
  const meanings: Meanings = seen.columns.map(
    ({ header, field, guess }) => draft.columns.get(header) ?? field ?? guess ?? "",
  );
  const [saved] = useState(() => new Map(seen.columns.map(({ header, field }) => [header, field ?? ""])));
  const { asked, values, ...forAll } = useForAll(seen, meanings);
  const missing = missingFields(seen.fields, [...meanings, forAll.given]);
  const field = useRef<HTMLInputElement>(null);
  const [isTyped] = useState(asked !== null && missing.length === 1);
  // Where one value must be typed and all else is proposed, a user begins there.
  useEffect(() => {
    if (isTyped) field.current?.focus();
  }, [isTyped]);
  const open = openColumns(seen, meanings);
  const double = doubleField(seen, meanings);
  // Declined on this page: the sheet is read like any other.
  const [declined, setDeclined] = useState<string | null>(null);
  const changed = seen.columns.flatMap(({ header, field: known }, index) => {
    const meaning = meanings[index] ?? "";
    // Meanings saved for the export hold for no other sheet.
    const isSaved =
      declined === null
        ? meaning === (saved.get(header) ?? "")
        : meaning === (known ?? "") && !draft.columns.has(header);
    return isSaved ? [] : [{ header, field: meaning }];
  });
  const sheets = changedSheets(read.sheets, unread);
  const [marks, setMarks] = useState<GivenMarks>(new Map());
  const rowMarks = findAsked(seen);
  const answers = findBilled(rowMarks, marks);
  const changedMarks = changedAnswers(rowMarks, answers);
  // By their places in the numbers of all sheets.
  const billed = findBilled(seen.row_marks, marks);
  const [order, setOrder] = useState<WrittenOrder | null>(null);
  const { layout } = seen;
  const save = useMutation({
    mutationFn: async () => {
      const query = { realm_id: realmId };
      if (order) await call(endpoints.chooseDateOrder, { query, body: { order } });
      const count = changed.length + sheets.length + values.length + changedMarks.length;
      if (count === 0 && !layout && !declined) return;
      const body = {
        columns: changed,
        ...withContent({ sheets, values, row_marks: changedMarks }),
        ...nameLayout(layout, declined),
      };
      await call(endpoints.chooseColumns, { query, body });
    },
    onSuccess: () => {
      announce(words.saved);
      onSaved();
    },
  });
  const noSheet = seen.sheets.length > 0 && unread.length === seen.sheets.length ? words.noSheet : null;
  const [overlap = null] = noSheet ? [] : findOverlaps(seen);
  const noOrder = seen.date_question && !order ? words.noOrder : null;
  const waiting = findWaiting(rowMarks, answers);
  const unfinished = [nameUnfinished(missing, open), nameWaiting(waiting), noSheet, overlap, noOrder];
  const faults = (double ? [words.twice(double)] : unfinished).filter((each) => each !== null);
  const openMarks = findUnanswered(rowMarks, marks).filter((each) => !waiting.includes(each));
  const suggested = seen.columns.filter(
    (column, at) =>
      isInRead(seen, column) && isSuggested(column, meanings[at], draft.columns.has(column.header)),
  );
  const suggestions = suggested.length + openMarks.length;
  const useAll = () => {
    setMarks(acceptAnswers(openMarks, { rowMarks, billed: answers, given: marks }));
    const guesses = suggested.map(({ header, guess }) => [header, guess ?? ""] as const);
    if (guesses.length > 0) onDraft({ ...draft, columns: new Map([...draft.columns, ...guesses]) });
  };
  const toGo =
    missing.length + open.length + waiting.length + suggestions + [noOrder, overlap].filter(Boolean).length;
  const [hadQuestions] = useState(toGo > 0 || double !== null || layout !== null);
  return (
    <>
      <EditorHead toGo={toGo} suggestions={suggestions} onUseAll={useAll} />
      <p style={{ margin: 0 }}>{words.intro(seen.sheet, seen.header_row)}</p>
      <TotalLine
        total={totalWith(seen, meanings, billed)}
        currency={seen.currency}
        waiting={{ columns: open.length, rows: countWaiting(seen, billed) }}
      />
      <TotalsNotice texts={seen.totals} />
      {refusal && !hadQuestions ? <Notice tone="amber">{refusal}</Notice> : null}
      {layout ? (
        <LayoutNotice
          layout={layout}
          onDecline={() => {
            setDeclined(layout.name);
            onDraft({ ...draft, isLayout: false });
          }}
        />
      ) : null}
      {seen.sheets.length > 0 ? (
        <SheetChoices sheets={seen.sheets} overlap={overlap} unread={unread} onChange={setUnread} />
      ) : null}
      <DateQuestion question={seen.date_question} order={order} onChange={setOrder} />
      {rowMarks.length > 0 ? (
        <Suspense fallback={<Spinner label={loadingWords.columns} />}>
          <RowMarkQuestions
            rowMarks={rowMarks}
            billed={answers}
            currency={seen.currency}
            open={openMarks}
            onChange={(of, value, isBilled) => setMarks(new Map([...marks, [markKey(of, value), isBilled]]))}
            onUse={(column) => setMarks(acceptAnswers([column], { rowMarks, billed: answers, given: marks }))}
          />
        </Suspense>
      ) : null}
      {asked ? <ForAll asked={asked} value={forAll.value} ref={field} onChange={forAll.setValue} /> : null}
      <ColumnsTable
        seen={seen}
        meanings={meanings}
        billed={billed}
        used={draft.columns}
        isOpen={double !== null}
        onChange={(header, meaning) =>
          onDraft({ ...draft, columns: new Map([...draft.columns, [header, meaning]]) })
        }
      />
      <p role="status">{faults.join(" ")}</p>
      <BusyButton
        label={words.save}
        variant="contained"
        disabled={faults.length > 0}
        isBusy={save.isPending}
        onClick={save.mutate}
      />
      {onCancel ? (
        <Button variant="text" onClick={onCancel} sx={{ ml: 1 }}>
          {words.cancel}
        </Button>
      ) : null}
      <FailedCall error={save.error} />
    </>
  );
}

/** The layout as answered: used, or declined on this page. */
function nameLayout(layout: SeenColumns["layout"], declined: string | null) {
  if (layout) return { layout: { name: layout.name, is_used: true } };
  return declined === null ? {} : { layout: { name: declined, is_used: false } };
}

type Waiting = { columns: number; rows: number };

type TotalProps = { total: FileTotal | null; currency: string | null; waiting: Waiting };

/** The total of the file as it would be posted. */
const TotalLine = ({ total, currency, waiting }: TotalProps) =>
  total ? (
    <p role="status" style={{ margin: "8px 0 0", fontVariantNumeric: "tabular-nums" }}>
      <strong>{words.total(total.records, formatCents(total.cents, currency), waiting)}</strong>
    </p>
  ) : null;

const nameUnfinished = (missing: readonly string[], open: readonly string[]): string | null => {
  if (missing.length > 0) return words.missing(missing);
  return open.length > 0 ? words.open(open) : null;
};

const nameWaiting = (waiting: readonly ColumnMarks[]): string | null =>
  waiting.length > 0 ? words.waiting(waiting.map(({ header }) => header)) : null;

/** The lists that have something in them. */
const withContent = <Lists extends Record<string, readonly unknown[]>>(lists: Lists) =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<Lists>;

/** The value that all lines have, asked while no column has the meaning of its field. */
function useForAll({ for_all: rule }: EditorProps["seen"], meanings: Meanings) {
  const asked = rule && !meanings.includes(rule.field) ? rule : null;
  const [value, setValue] = useState(rule?.value ?? "");
  const given = asked && value.trim() !== "" ? asked.field : "";
  const values = given && value !== rule?.value ? [{ field: given, value }] : [];
  return { asked, value, setValue, given, values };
}

/** Headers of columns that must be matched or ignored, and are neither. */
function openColumns(seen: SeenColumns, meanings: Meanings): string[] {
  return seen.columns.flatMap((column, index) =>
    column.reason !== null && (meanings[index] ?? "") === "" && isInRead(seen, column) ? [column.header] : [],
  );
}

/** Keeps each question where it is, with the money of its answers, after it was answered on the page. */
function useQuestions(seen: SeenColumns, { columns: answered }: Draft): SeenColumns {
  const [asked, setAsked] = useState<ReadonlyMap<string, SeenColumn>>(new Map());
  const added = seen.columns.filter(
    ({ header, field, guess, reason }) =>
      !asked.has(header) && (reason !== null || (field === null && guess !== null)),
  );
  if (added.length > 0)
    setAsked(new Map([...asked, ...added.map((column) => [column.header, column] as const)]));
  return {
    ...seen,
    columns: seen.columns.map((column) =>
      answered.has(column.header) ? (asked.get(column.header) ?? column) : column,
    ),
  };
}

/** The sheets as chosen on the page. */
const leaveOut = (sheets: SeenColumns["sheets"], unread: readonly string[]) =>
  sheets.map(({ sheet }) => ({ sheet, is_read: !unread.includes(sheet) }));

/** Sheets the user chose to read, or no longer to read. */
const changedSheets = (sheets: readonly { sheet: string; is_read: boolean }[], unread: readonly string[]) =>
  sheets.flatMap(({ sheet, is_read }) =>
    unread.includes(sheet) === is_read ? [{ sheet, is_read: !is_read }] : [],
  );
