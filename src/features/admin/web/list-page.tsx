import {
  downloadList,
  readList,
  type ListName,
  type ListRow,
  type Shown,
} from "#features/admin/lists/contract.ts";
import { FileButton } from "#features/admin/web/file-button.tsx";
import { capitalize } from "#features/admin/web/columns.ts";
import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { LIST_VIEWS } from "#features/admin/web/lists.ts";
import { pagePath } from "#features/admin/web/paths.ts";
import { Actions, RowActions } from "#features/admin/web/row-actions.tsx";
import { PlayLink, StackButton } from "#features/admin/web/look-closer.tsx";
import { StorageButton } from "#features/admin/web/storage-button.tsx";
import { RunLogButton } from "#features/admin/web/run-log.tsx";
import { adminWords, type PageWords } from "#features/admin/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { SectionHead } from "#web/kit/card.tsx";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { MoreRows } from "#web/kit/more-rows.tsx";
import { formatShortDay } from "#web/kit/format.ts";
import { Filters } from "#web/kit/filters.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { useSettled } from "#web/kit/use-search.ts";
import Box from "@mui/material/Box";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useState } from "react";
import { useSearchParams } from "react-router";

const words = adminWords.list;

/** Lists whose rows offer something other than changes, such as a file. */
const OTHER_ACTIONS: readonly ListName[] = ["labels", "errors", "recordings"];

/** One list of Admin: search, rows that need an operator, pages, CSV, and the changes of a row. */
export function ListPage({ list }: { list: ListName }) {
  const [params] = useSearchParams();
  const request = { search: params.get("search") ?? "", show: params.get("show"), day: readDay(params) };
  // A result of the search over all opens the same page with another text.
  return <List key={`${list} ${request.search} ${request.show}`} list={list} request={request} />;
}

const readDay = (params: URLSearchParams) => /^\d{4}-\d\d-\d\d$/.exec(params.get("day") ?? "")?.[0] ?? null;

/** When a day begins and ends here. */
function toRange(day: string | null): { from?: string; until?: string } {
  if (day === null) return {};
  const [from, until] = [new Date(`${day}T00:00`), new Date(`${day}T00:00`)];
  until.setDate(until.getDate() + 1);
  return { from: from.toISOString(), until: until.toISOString() };
}

type RowProps = { list: ListName; row: ListRow; actions: Parameters<typeof RowActions>[0]["actions"] };

function ActionsOfRow({ list, row, actions }: RowProps) {
  const destructive = actions.filter(({ isDestructive }) => isDestructive);
  return (
    <Actions>
      <RowActions row={row} actions={actions.filter((action) => !destructive.includes(action))} />
      <FileButton list={list} row={row} />
      {list === "runs" ? <RunLogButton run={row as ListRow<"runs">} /> : null}
      {list === "companies" ? <StorageButton company={row as ListRow<"companies">} /> : null}
      {list === "errors" ? <StackButton row={row as ListRow<"errors">} /> : null}
      {list === "recordings" ? <PlayLink row={row as ListRow<"recordings">} /> : null}
      {destructive.length > 0 ? (
        <div>
          <RowActions row={row} actions={destructive} />
        </div>
      ) : null}
    </Actions>
  );
}

const Lead = ({ text }: { text: string | undefined }) =>
  text ? <p style={{ marginTop: 0 }}>{text}</p> : null;

type ListRequest = { search: string; show: string | null; day: string | null };

function List({ list, request }: { list: ListName; request: ListRequest }) {
  const page: PageWords = adminWords.pages[list];
  const filters = Object.entries(page.filters ?? {}) as [Shown, string][];
  const logRocket = list === "recordings" ? boot.logRocket : null;
  const lead = logRocket === null ? page.lead : adminWords.recordings.atLogRocket(logRocket);
  const { columns, actions, tone } = LIST_VIEWS[list];
  const [typed, setTyped] = useState(request.search);
  const [show, setShow] = useState(() => filters.find(([value]) => value === request.show)?.[0] ?? "all");
  const search = useSettled(typed.trim());
  const asked = { search, show, ...toRange(request.day) };
  const query = useInfiniteQuery({
    queryKey: [ADMIN_KEY, list, search, show, request.day],
    queryFn: ({ signal, pageParam }) =>
      call(readList, {
        params: { list },
        query: { ...asked, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const { data, isPending } = query;
  const rows: ListRow[] = data?.pages.flatMap((each): ListRow[] => each.rows) ?? [];
  const hasActions = actions.length > 0 || OTHER_ACTIONS.includes(list);
  const heads = [...columns.map(({ head }) => head), ...(hasActions ? [words.actions] : [])];
  return (
    <section aria-labelledby="list">
      <SectionHead
        id="list"
        title={page.title}
        actions={
          <DownloadButton
            type={words.csv}
            fileName={`${list}.csv`}
            fetchDocument={() => call(downloadList, { params: { list }, query: asked })}
          />
        }
      />
      <Lead text={lead} />
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 3, rowGap: 1.5 }}>
        <SearchField
          label={page.search ?? ""}
          placeholder={page.search ?? ""}
          value={typed}
          onChange={setTyped}
        />
        {filters.length > 0 ? (
          <Filters
            label={words.show}
            value={show}
            options={[
              { value: "all", label: words.all },
              ...filters.map(([value, label]) => ({ value, label: capitalize(label) })),
            ]}
            onChange={setShow}
          />
        ) : null}
      </Box>
      <DayLine list={list} day={request.day} />
      <Skeleton isBusy={isPending} label={words.loading(page.title)} rows={8} columns={5}>
        {data && rows.length === 0 ? (
          <p role="status">{search === "" ? words.none(page.title) : words.noneFound(search)}</p>
        ) : null}
        {rows.length > 0 ? (
          <Box sx={tone ? entries : {}}>
            <TextTable label={words.table(page.title)} heads={heads} isComplete>
              {rows.map((row) => (
                <Row key={row.key} list={list} row={row} hasActions={hasActions} />
              ))}
            </TextTable>
          </Box>
        ) : null}
      </Skeleton>
      <ReplicaLag seconds={data?.pages[0]?.replica_lag_seconds} />
      <MoreRows query={query} label={words.older} variant="outlined" />
    </section>
  );
}

/** Rows with a rule at their left edge; on a phone each is an entry without labels. */
const entries = {
  "& tr > :first-of-type": { paddingLeft: "12px" },
  "& th": { width: { sm: "22%" } },
  "& th:last-of-type": { width: "auto" },
  "& tr[data-tone]": { "--rule": "var(--mui-palette-status-red-rule)" },
  "& tr[data-tone=amber]": { "--rule": "var(--mui-palette-status-amber-rule)" },
  "& tr[data-tone] > :first-of-type": { boxShadow: { sm: "inset 3px 0 var(--rule)" } },
  "& tbody tr": { boxShadow: { xs: "inset 3px 0 var(--rule, transparent)", sm: "none" } },
  "& tbody tr > td": { paddingLeft: { xs: "12px", sm: 0 } },
  "& tbody tr > [data-head]": { display: { xs: "block", sm: "table-cell" }, textAlign: "left" },
  "& tbody tr > [data-head]::before": { content: "none" },
} as const;

function Row({ list, row, hasActions }: { list: ListName; row: ListRow; hasActions: boolean }) {
  const { columns, actions, tone } = LIST_VIEWS[list];
  return (
    <tr data-tone={tone?.(row)}>
      {columns.map(({ head, cell, note, to, isShort, share }) => (
        <td key={head} data-head={head} style={{ whiteSpace: isShort ? "nowrap" : "pre-line" }}>
          {/* One element, because the children of a cell are laid out side by side on a phone. */}
          <span>
            {share && <Share of={share(row)} />}
            {to ? <TextLink to={to(row)}>{breakAtMarks(cell(row))}</TextLink> : breakAtMarks(cell(row))}
            {note && <Note>{note(row)}</Note>}
          </span>
        </td>
      ))}
      {hasActions ? (
        <td>
          <ActionsOfRow list={list} row={row} actions={actions} />
        </td>
      ) : null}
    </tr>
  );
}

/** The day by which the list is narrowed, and the way back. */
function DayLine({ list, day }: { list: ListName; day: string | null }) {
  if (day === null) return null;
  return (
    <Box component="p" role="status" sx={{ m: 0, mt: 1.5, typography: "caption", color: "text.caption" }}>
      {words.ofDay(formatShortDay(day))} <TextLink to={pagePath(list)}>{words.allDays}</TextLink>
    </Box>
  );
}

function ReplicaLag({ seconds }: { seconds: number | null | undefined }) {
  return seconds ? <p>{words.behind(seconds)}</p> : null;
}

/** Places where an email address, an id or a code may break; in a longer part without any, after 30 characters. */
const MARKS = /(?=@)|(?<=[-._/])|(?<=[^\s@\-._/]{30})/;

/** Lets texts wrap at their marks, so that columns stay wide enough for the parts. */
const breakAtMarks = (text: string): ReactNode =>
  text.split(MARKS).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a part is known by its place alone
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      {part}
    </Fragment>
  ));

const Share = ({ of }: { of: number }) => (
  <Box
    component="span"
    aria-hidden
    sx={{
      display: "inline-block",
      verticalAlign: "middle",
      width: 56,
      height: 4,
      mr: 1.25,
      borderRadius: "2px",
      backgroundColor: "line.strong",
      "&::before": {
        content: '""',
        display: "block",
        width: `${of * 100}%`,
        height: 4,
        borderRadius: "2px",
        backgroundColor: "secondary.main",
      },
    }}
  />
);

const Note = ({ children }: { children: string }) => (
  <Box component="span" sx={{ display: "block", typography: "caption", color: "text.caption" }}>
    {breakAtMarks(children)}
  </Box>
);
