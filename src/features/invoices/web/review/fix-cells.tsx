import type { UploadCheck } from "#features/invoices/check/contract.ts";
import type { ListKind } from "#features/books/names/contract.ts";
import { hasUnknownNames, listSearchQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords } from "#features/invoices/web/names/words.ts";
import { reviewErrorsQuery, reviewInvoicesQuery } from "#features/invoices/web/review/queries.ts";
import type { Again } from "#features/invoices/web/review/use-check-again.ts";
import { invoiceWords as words } from "#features/invoices/web/review/words.ts";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import { type CellInput, WrongCells } from "#features/sheets/web/review.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ComboField } from "#web/kit/combo-field.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useSearch } from "#web/kit/use-search.ts";
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

/** Fields that name an entry of QuickBooks. */
const KINDS: Readonly<Record<string, ListKind>> = {
  customer: "customer",
  item: "item",
  terms: "term",
  className: "class",
  location: "department",
};

type NameCellProps = Omit<CellInput, "field"> & { realmId: string; kind: ListKind };

/** A cell for a name of QuickBooks, which is searched while it is typed. */
function NameCell({ realmId, kind, label, value, onType, onChoose, onBlur }: NameCellProps) {
  const [, setText, text] = useSearch();
  const { data } = useQuery(listSearchQuery({ realmId, kind, text }));
  const entries = text === "" ? [] : (data?.entries ?? []);
  return (
    <ComboField
      label={label}
      placeholder={namesWords.search(namesWords.lists[kind])}
      text={value}
      options={entries.map(({ id, name }) => ({ value: id, label: name }))}
      empty={text !== "" && data?.entries.length === 0 ? namesWords.noHit : null}
      onType={(typed) => {
        onType(typed);
        setText(typed);
      }}
      onChoose={(option) => onChoose(option.label)}
      onBlur={onBlur}
    />
  );
}

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
          name: cell.doc_number ?? words.row(cell.place),
          foundBy: invoice && words.number(invoice),
          effect: [words.row(cell.place), invoice && formatMoney(invoice.amount, invoice.currency)]
            .filter(Boolean)
            .join(" · "),
        };
      })}
      hasFailed={again.error !== null}
      onFix={(fixed) => again.ask([fixed])}
      onLeaveOut={again.leaveOut}
      onFind={onFind}
      drawField={({ field, ...input }) => {
        const kind = KINDS[field];
        return kind ? <NameCell realmId={realmId} kind={kind} {...input} /> : null;
      }}
      above={<FailedCall error={error} onRetry={() => void refetch()} />}
      below={
        hasNextPage ? (
          <BusyButton label={words.more} isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        ) : null
      }
    />
  );
}
