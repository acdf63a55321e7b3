import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { hasUnknownNames } from "#features/invoices/web/names/queries.ts";
import { reviewErrorsQuery, reviewInvoicesQuery } from "#features/invoices/web/review/queries.ts";
import type { Again } from "#features/invoices/web/review/use-check-again.ts";
import { invoiceWords as words } from "#features/invoices/web/review/words.ts";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import { WrongCells } from "#features/sheets/web/review.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";

type Props = {
  realmId: string;
  check: UploadCheck;
  again: Again;
  actions: ReactNode;
  /** Shows the invoice with a number in the table of all invoices. */
  onFind: (number: string) => void;
};

/** Wrong cells that block invoices, each with an input. Unknown names are asked separately. */
export function FixCells({ realmId, check, again, actions, onFind }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    reviewErrorsQuery(realmId, check),
  );
  const { data: review } = useQuery(reviewInvoicesQuery(realmId, check));
  const cells =
    data?.pages.flatMap(({ errors }) => errors).filter(({ code }) => !hasUnknownNames(code)) ?? [];
  const hasNone = cells.length === 0;
  useEffect(() => {
    // The first page may have only unknown names, which are not shown here.
    if (hasNone && hasNextPage && !isFetchingNextPage && !error) void fetchNextPage();
  }, [hasNone, hasNextPage, isFetchingNextPage, error, fetchNextPage]);
  if (!error && hasNone) return null;
  const bySeq = new Map(review?.invoices.map((invoice) => [invoice.seq, invoice]));
  const count =
    review?.invoices.filter(({ state }) => state === "fix").length ??
    new Set(cells.map(({ seq }) => seq)).size;
  return (
    <WrongCells
      title={words.fixTitle(count)}
      draftName={check.id}
      actions={actions}
      cells={cells.map((cell) => {
        const invoice = bySeq.get(cell.seq);
        return {
          ...cell,
          name: cell.doc_number ?? words.row(cell.row),
          foundBy: invoice && words.number(invoice),
          effect: [words.row(cell.row), invoice && formatMoney(invoice.amount, invoice.currency)]
            .filter(Boolean)
            .join(" · "),
        };
      })}
      hasFailed={again.error !== null}
      onFix={(fixed) => again.ask([fixed])}
      onLeaveOut={again.leaveOut}
      onFind={onFind}
      above={<FailedCall error={error} onRetry={() => void refetch()} />}
      below={
        hasNextPage ? (
          <BusyButton label={words.more} isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        ) : null
      }
    />
  );
}
