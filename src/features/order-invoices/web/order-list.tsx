import type { Thread, ThreadFilter, ThreadList } from "#features/order-invoices/contract.ts";
import { THREAD_FILTERS } from "#features/order-invoices/contract.ts";
import { money } from "#features/order-invoices/web/format.ts";
import { Legend, Marks, marksLook } from "#features/order-invoices/web/marks.tsx";
import { PAGE_SIZE, type useThreads } from "#features/order-invoices/web/queries.ts";
import { threadWords as words } from "#features/order-invoices/web/words.ts";
import { chipLook } from "#web/kit/chip.tsx";
import { Icon, toneIcons } from "#web/kit/icon.tsx";
import { MoreRows } from "#web/kit/more-rows.tsx";
import { Filters } from "#web/kit/filters.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { linkStyles } from "#web/kit/text-link.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { Check, type LucideIcon } from "lucide-react";
import { memo, useDeferredValue } from "react";
import { Link } from "react-router";

const Table = styled("table")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    width: "100%",
    borderCollapse: "collapse",
    ...typeScale.table,
    ...marksLook(theme),
    "& th, & td": {
      padding: "8px 12px 8px 0",
      textAlign: "left",
      borderBottom: `1px solid ${palette.divider}`,
      overflowWrap: "anywhere",
    },
    "& thead :is(th, td)": {
      ...typeScale.caption,
      fontWeight: 700,
      color: palette.text.caption,
      borderBottomColor: palette.line.strong,
    },
    "& tbody th": { fontWeight: 400 },
    "& .amount": { textAlign: "right", paddingRight: 0, fontWeight: 700, whiteSpace: "nowrap" },
    "& .marks": { width: "50%" },
    "& .box": { width: 36 },
    "& tr[data-standing=differs] > .box": { boxShadow: `inset 3px 0 ${palette.status.amber.rule}` },
    "& tr[data-standing=refused] > .box": { boxShadow: `inset 3px 0 ${palette.status.red.rule}` },
    "& .box > label": { display: "grid", placeItems: "center", width: 24, minHeight: 44, cursor: "pointer" },
    "& input[type=checkbox]": { width: 18, height: 18, margin: 0, accentColor: palette.secondary.main },
    "& a": { ...linkStyles, fontWeight: 700, display: "inline-block", minHeight: 24, minWidth: 24 },
    "& small": { display: "block", ...typeScale.caption, color: palette.text.caption },
    "& tr[data-standing=differs] > .stands > span": chipLook(theme, "amber"),
    "& tr[data-standing=refused] > .stands > span": chipLook(theme, "red"),
    "& tr[data-standing=done] > .stands > span": chipLook(theme, "ok"),
    [theme.breakpoints.down("lg")]: {
      "& .marks": { width: 250 },
      // The words of the marks do not fit above them; the legend and each row say what they mean.
      "& thead .marks > span": { visibility: "hidden", height: 0 },
      "& thead .marks > span > span": { display: "none" },
    },
    [theme.breakpoints.down("md")]: {
      display: "block",
      "& thead": { display: "block" },
      "& thead tr": { display: "flex", alignItems: "center" },
      "& thead th": { borderBottom: 0 },
      "& thead th:not(.box):not(.order)": { display: "none" },
      "& tbody": { display: "block", borderTop: `1px solid ${palette.line.strong}` },
      "& tbody tr": {
        display: "grid",
        gridTemplateColumns: "36px minmax(0, 1fr) auto",
        gap: "4px 0",
        padding: "8px 0",
        borderBottom: `1px solid ${palette.divider}`,
      },
      "& tbody :is(th, td)": { display: "block", padding: 0, border: 0 },
      "& tbody .box": { gridRow: "1 / 4", margin: "-8px 0", padding: "8px 0" },
      "& tbody .order": { gridColumn: 2 },
      "& tbody .amount": { gridColumn: 3, gridRow: 1 },
      "& tbody :is(.marks, .stands)": { gridColumn: "2 / 4", width: "auto" },
    },
  };
});

type Selection = {
  isSelected: (thread: Thread) => boolean;
  toggle: (thread: Thread, isSelected: boolean) => void;
  /** True, false, or null for some. */
  all: boolean | null;
  toggleAll: (isSelected: boolean) => void;
};

type Props = {
  query: ReturnType<typeof useThreads>;
  shares: ThreadList["shares"] | undefined;
  show: ThreadFilter;
  onShow: (show: ThreadFilter) => void;
  typed: string;
  onType: (text: string) => void;
  toOrder: (id: string) => string;
  selection: Selection;
};

/** Orders with their seven marks, the newest first. */
export function OrderList({ query, shares, show, onShow, typed, onType, toOrder, selection }: Props) {
  const threads = useDrawn(query.data?.pages.flatMap((page) => page.threads) ?? []);
  return (
    <Box component="section" aria-label={words.list} sx={{ mt: 3 }}>
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          justifyContent: "space-between",
          gap: 1,
          mb: 1,
          "& input": { minHeight: 44 },
        }}
      >
        <Filters
          label={words.show}
          value={show}
          options={THREAD_FILTERS.map((value) => ({
            value,
            label: words.filters[value],
            count: shares?.[value].orders ?? null,
          }))}
          onChange={onShow}
        />
        <SearchField label={words.search} placeholder={words.searchFor} value={typed} onChange={onType} />
      </Box>
      <Skeleton isBusy={query.isPending} label={words.loading} rows={12} columns={4} height={61}>
        {threads.length > 0 ? (
          <>
            <Table aria-label={words.list}>
              <Heads selection={threads.some(isReady) ? selection : null} />
              <tbody>
                {threads.map((thread) => (
                  <Row
                    key={thread.order_id}
                    thread={thread}
                    to={toOrder(thread.order_id)}
                    isSelected={selection.isSelected(thread)}
                    toggle={selection.toggle}
                  />
                ))}
              </tbody>
            </Table>
            <Legend />
          </>
        ) : null}
        {query.data && threads.length === 0 ? (
          <Nothing isNarrowed={typed.trim() !== "" || show !== "all"} />
        ) : null}
      </Skeleton>
      <MoreRows query={query} label={words.more(PAGE_SIZE)} />
    </Box>
  );
}

/** Orders drawn at once: what a screen shows. The others follow when the browser has time. */
const FIRST = 8;

/** The listed orders, or the first of them while another part of the list is drawn. */
function useDrawn(threads: readonly Thread[]): readonly Thread[] {
  const first = threads[0]?.order_id ?? null;
  return useDeferredValue(first, null) === first ? threads : threads.slice(0, FIRST);
}

const isReady = ({ standing }: Thread) => standing === "ready";

/** @param props.selection null without an order that can be selected */
function Heads({ selection }: { selection: Selection | null }) {
  return (
    <thead>
      <tr>
        {selection ? (
          <th scope="col" className="box">
            <label>
              <input
                type="checkbox"
                aria-label={words.selectAll}
                checked={selection.all !== false}
                ref={(box) => {
                  if (box) box.indeterminate = selection.all === null;
                }}
                onChange={({ target }) => selection.toggleAll(target.checked)}
              />
            </label>
          </th>
        ) : (
          <td className="box">{"\u00a0"}</td>
        )}
        <th scope="col" className="order">
          {words.columns.order}
        </th>
        <th scope="col" className="marks">
          <span className="steps">
            {words.steps.map((step) => (
              <span key={step}>{step}</span>
            ))}
          </span>
        </th>
        <th scope="col" className="stands">
          {words.columns.stands}
        </th>
        <th scope="col" className="amount">
          {words.columns.amount}
        </th>
      </tr>
    </thead>
  );
}

type RowProps = { thread: Thread; to: string; isSelected: boolean; toggle: Selection["toggle"] };

/** Not drawn again while it stays the same: the list is as long as a slow computer can draw. */
const Row = memo(function Row({ thread, to, isSelected, toggle }: RowProps) {
  const { po_number: po } = thread;
  return (
    <tr data-standing={thread.standing}>
      <td className="box">
        {isReady(thread) ? (
          <label>
            <input
              type="checkbox"
              aria-label={words.select(po)}
              checked={isSelected}
              onChange={({ target }) => toggle(thread, target.checked)}
            />
          </label>
        ) : null}
      </td>
      <th scope="row" className="order">
        <Link to={to}>{po}</Link>
        <small>{thread.customer_name}</small>
      </th>
      <td className="marks">
        <Marks marks={thread.marks} />
      </td>
      <td className="stands">
        <Standing thread={thread} />
      </td>
      <td className="amount">{money(thread.amount)}</td>
    </tr>
  );
});

/** Icons of the states that are shown in a chip. */
const ICONS: Partial<Record<Thread["standing"], LucideIcon>> = {
  differs: toneIcons.amber,
  refused: toneIcons.red,
  done: Check,
};

function Standing({ thread: { standing, words: text } }: { thread: Thread }) {
  const icon = ICONS[standing];
  if (!icon) return text;
  return (
    <span>
      <Icon of={icon} size={standing === "done" ? "small" : 13} />
      <span>{text}</span>
    </span>
  );
}

function Nothing({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed) return <p role="status">{words.noMatch}</p>;
  return (
    <Box sx={{ mt: 2, "& > p": { m: 0 } }}>
      <p>
        <b>{words.none}</b>
      </p>
      <Box component="p" sx={{ color: "text.secondary" }}>
        {words.noneText}
      </Box>
    </Box>
  );
}
