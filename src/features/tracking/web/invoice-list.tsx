import { SHOWN, type TrackedInvoiceView, type TrackingView } from "#features/tracking/contract.ts";
import { formatScan, formatScanDate, formatScanDay } from "#features/tracking/web/format-time.ts";
import { PAGE_SIZE, type useTracked } from "#features/tracking/web/queries.ts";
import { InvoiceChip } from "#features/tracking/web/state-chip.tsx";
import type { Selection } from "#features/tracking/web/use-selection.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { MoreRows } from "#web/kit/more-rows.tsx";
import { Filters } from "#web/kit/filters.tsx";
import { formatShortDay } from "#web/kit/format.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { SearchField } from "#web/kit/text-input.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { Link } from "react-router";

const words = trackingWords.list;

const Rows = styled("ul")(({ theme }) => ({
  listStyle: "none",
  margin: 0,
  padding: 0,
  borderTop: `1px solid ${(theme.vars ?? theme).palette.line.strong}`,
}));

const Row = styled(Link)(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) auto",
    alignItems: "center",
    gap: "2px 12px",
    minHeight: 60,
    boxSizing: "border-box",
    padding: "10px 12px",
    borderBottom: `1px solid ${palette.divider}`,
    color: "inherit",
    textDecoration: "none",
    overflowWrap: "anywhere",
    "& > .end": { justifySelf: "end", textAlign: "right" },
    "& > .fact": { ...typeScale.caption, color: palette.text.caption },
    "@media (hover: hover)": { "&:hover": { backgroundColor: palette.background.hover } },
    "&[aria-current]": {
      backgroundColor: palette.background.sunken,
      boxShadow: `inset 3px 0 0 ${palette.text.primary}`,
    },
    "@media (forced-colors: active)": { "&[aria-current]": { borderLeft: "5px solid" } },
    // The ring would be covered by the rows above and below.
    "html body &:focus-visible": { outlineOffset: -3 },
  };
});

type Props = {
  query: ReturnType<typeof useTracked>;
  counts: TrackingView["counts"] | undefined;
  selection: Selection;
  /** The invoice that is shown beside the list. */
  shownId: string | null;
  typed: string;
  onType: (text: string) => void;
};

/** Invoices with packages; those of one invoice are one row. */
export function InvoiceList({ query, counts, selection, shownId, typed, onType }: Props) {
  const invoices = query.data?.pages.flatMap((page) => page.invoices) ?? [];
  const isNarrowed = typed.trim() !== "" || selection.show !== "all" || selection.day !== null;
  const numbers = counts && {
    all: counts.watched,
    attention: counts.attention,
    moving: counts.moving,
    delivered: counts.delivered,
    without_proof: counts.without_proof,
  };
  return (
    <Box component="section" aria-label={words.label} sx={{ "& input": { minHeight: 44 } }}>
      <Box
        sx={{
          display: "grid",
          gap: 1,
          mb: 1,
          "& > span": { width: "100%" },
          // The column is narrower than the page.
          "& > [role=group]": { flexWrap: "wrap", rowGap: 0 },
        }}
      >
        <Filters
          label={words.filters}
          value={selection.show}
          options={SHOWN.map((value) => ({
            value,
            label: words.filterLabels[value],
            // The counts are of all days.
            ...(selection.day === null ? { count: numbers?.[value] ?? null } : {}),
          }))}
          onChange={selection.setShow}
        />
        {selection.day === null ? null : (
          <Box component="p" role="status" sx={{ m: 0, typography: "caption", color: "text.caption" }}>
            {words.ofDay(formatShortDay(selection.day))}{" "}
            <TextLink to={selection.toDay(null)}>{words.allDays}</TextLink>
          </Box>
        )}
        <SearchField label={words.search} placeholder={words.searchFor} value={typed} onChange={onType} />
      </Box>
      <Skeleton isBusy={query.isPending} label={words.loading} rows={6} columns={2} height={61}>
        {invoices.length > 0 ? (
          <Rows>
            {invoices.map((invoice) => (
              <li key={invoice.id}>
                <InvoiceRow
                  invoice={invoice}
                  to={selection.toInvoice(invoice.id)}
                  isShown={invoice.id === shownId}
                />
              </li>
            ))}
          </Rows>
        ) : null}
        {query.data && invoices.length === 0 ? <EmptyList isNarrowed={isNarrowed} /> : null}
      </Skeleton>
      <MoreRows query={query} label={words.more(PAGE_SIZE)} />
    </Box>
  );
}

type RowProps = { invoice: TrackedInvoiceView; to: string; isShown: boolean };

function InvoiceRow({ invoice, to, isShown }: RowProps) {
  return (
    <Row to={to} {...(isShown ? { "aria-current": "true" as const } : {})}>
      <b>{invoice.customer}</b>
      <span className="end">
        <InvoiceChip invoice={invoice} />
      </span>
      <span className="fact">{describeNumbers(invoice)}</span>
      <span className="fact end">{describeTime(invoice)}</span>
    </Row>
  );
}

function describeNumbers({ number, tracking_number: first, packages }: TrackedInvoiceView): string {
  const invoice = number === "" ? words.noNumber : number;
  if (first === "") return invoice;
  return `${invoice} · ${shorten(first)}${packages > 1 ? words.andMore(packages - 1) : ""}`;
}

/** "1Z…6784". */
const shorten = (number: string) =>
  number.length > 8 ? `${number.slice(0, 2)}…${number.slice(-4)}` : number;

/** When the newest thing happened, or when the package is due. */
function describeTime(invoice: TrackedInvoiceView): string {
  const { packages, state, scheduled_on: due, not_followed: others } = invoice;
  if (packages === 0) return others.join(", ");
  if (state === "label_created") return words.labelMade(formatScanDate(invoice));
  if (due !== null && (state === "in_transit" || state === "out_for_delivery"))
    return words.due(formatScanDay(due));
  return formatScan(invoice);
}

function EmptyList({ isNarrowed }: { isNarrowed: boolean }) {
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
