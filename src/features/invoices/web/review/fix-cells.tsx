import type { CheckError, UploadCheck } from "#features/invoices/check/contract.ts";
import { hasUnknownNames } from "#features/invoices/web/names/queries.ts";
import { reviewErrorsQuery, reviewInvoicesQuery } from "#features/invoices/web/review/queries.ts";
import { ReviewRow, ReviewRows } from "#features/invoices/web/review/review-rows.tsx";
import type { Again } from "#features/invoices/web/review/use-check-again.ts";
import { reviewWords as words } from "#features/invoices/web/review/words.ts";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";

type Props = { realmId: string; check: UploadCheck; again: Again };

/** So many faults of one cause stand one under the other; more are behind one row that counts them. */
const FEW = 3;

/** Cells that keep invoices from being posted, each with a field to correct it; names are asked for elsewhere. */
export function FixCells({ realmId, check, again }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    reviewErrorsQuery(realmId, check),
  );
  const { data: review } = useQuery(reviewInvoicesQuery(realmId, check));
  const cells =
    data?.pages.flatMap(({ errors }) => errors).filter(({ code }) => !hasUnknownNames(code)) ?? [];
  if (!error && cells.length === 0) return null;
  const amounts = new Map(
    review?.invoices.map(({ seq, amount, currency }) => [seq, formatMoney(amount, currency)]),
  );
  const toRow = (cell: CheckError) => (
    <FixCell
      key={`${cell.row} ${cell.field} ${cell.code} ${cell.value}`}
      cell={cell}
      amount={amounts.get(cell.seq) ?? ""}
      hasFailed={again.error !== null}
      onFix={(fixed) => again.ask([fixed])}
    />
  );
  const causes = Map.groupBy(cells, ({ code, field, text }) => `${code} ${field} ${text}`);
  const count = review?.invoices.filter(({ state }) => state === "fix").length ?? invoicesIn(cells);
  return (
    <Card title={words.fixTitle(count)} note={words.fixHint}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <ReviewRows tone="red">
        {Array.from(causes.values(), (cause) =>
          cause.length <= FEW ? cause.map(toRow) : <Cause key={keyOf(cause)} cells={cause} toRow={toRow} />,
        )}
      </ReviewRows>
      {hasNextPage ? (
        <BusyButton label={words.more} isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      ) : null}
    </Card>
  );
}

const invoicesIn = (cells: readonly CheckError[]) => new Set(cells.map(({ seq }) => seq)).size;
const keyOf = ([first]: readonly CheckError[]) => `${first?.code} ${first?.field} ${first?.text}`;

/** Many faults of one cause: said once and counted, each cell behind it. */
function Cause({ cells, toRow }: { cells: readonly CheckError[]; toRow: (cell: CheckError) => ReactNode }) {
  const [first] = cells;
  return (
    <ReviewRow
      what={
        <>
          <strong>{first?.text}</strong> {words.times(cells.length, first?.header ?? "")}
        </>
      }
      below={
        <Disclosure title={words.eachOf(cells.length)} my={0}>
          {cells.map(toRow)}
        </Disclosure>
      }
    />
  );
}

const Was = styled("span")(({ theme }) => ({
  fontSize: "0.875rem",
  color: (theme.vars ?? theme).palette.status.red.ink,
}));

type FixProps = {
  cell: CheckError;
  amount: string;
  /** The last correction was not taken, so that it may be sent again as it is. */
  hasFailed: boolean;
  onFix: (fixed: { row: number; field: string; value: string }) => void;
};

function FixCell({ cell, amount, hasFailed, onFix }: FixProps) {
  const { row, field, header, value, text, doc_number } = cell;
  const name = doc_number ?? words.row(row);
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  const form = useId();
  // Leaving the field sends, and so does the button, which is reached by leaving the field.
  const send = () => {
    if (field === null || typed === value || (typed === sent && !hasFailed)) return;
    setSent(typed);
    onFix({ row, field, value: typed });
  };
  const fix = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <ReviewRow
      what={
        <>
          <strong>{text}</strong>
          <Box component="small" sx={{ display: "block", color: "text.secondary" }}>
            {words.place(name, header ?? "")}
          </Box>
        </>
      }
      was={<Was>{words.was(value)}</Was>}
      field={
        field === null ? null : (
          <form id={form} onSubmit={fix}>
            <TextInput
              label={words.cellOf(header ?? "", name)}
              labelAt="hidden"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              onBlur={send}
            />
          </form>
        )
      }
      effect={[words.row(row), amount].filter(Boolean).join(" · ")}
      action={
        field === null ? null : (
          <Button type="submit" form={form} variant="outlined" disabled={typed === value}>
            {words.use}
          </Button>
        )
      }
    />
  );
}
