import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { readAllInvoices, receiptQuery } from "#features/invoices/web/receipt/queries.ts";
import { ReceiptInvoices } from "#features/invoices/web/receipt/receipt-invoices.tsx";
import { ReceiptTotals } from "#features/invoices/web/receipt/receipt-totals.tsx";
import { usePrintAll } from "#features/invoices/web/receipt/use-print-all.ts";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { UndoButton } from "#features/invoices/web/undo/undo-button.tsx";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useInfiniteQuery } from "@tanstack/react-query";

type Props = { realmId: string; uploadId: string; onClose: () => void };

/** The receipt of an upload: what was read, what became of it, what QuickBooks answered, and every invoice. */
export function ReceiptCard({ realmId, uploadId, onClose }: Props) {
  const query = useInfiniteQuery(receiptQuery(realmId, uploadId));
  const printing = usePrintAll(() => readAllInvoices(realmId, uploadId));
  const { data, error } = query;
  const head = data?.pages[0];
  return (
    <Card title={words.title(head?.filename ?? "…")}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mb: 2 }} data-print="never">
        <Button variant="outlined" onClick={onClose}>
          {words.back}
        </Button>
        {head ? (
          <>
            <Button variant="outlined" disabled={printing.isPreparing} onClick={printing.print}>
              {printing.isPreparing ? words.printing : words.print}
            </Button>
            <UndoButton
              realmId={realmId}
              upload={{ id: uploadId, filename: head.filename }}
              isUndoable={isUndoable(head)}
            />
          </>
        ) : null}
      </Box>
      <FailedCall
        error={error}
        onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
      />
      <FailedCall error={printing.error} />
      <Loading isBusy={query.isPending} label={words.loading}>
        {head ? <ReceiptTotals receipt={head} /> : null}
        {head ? (
          <ReceiptInvoices
            invoices={data.pages.flatMap(({ invoices }) => invoices)}
            printed={printing.printed}
            count={head.read.invoices}
          />
        ) : null}
        {query.hasNextPage ? (
          <div data-print="never">
            <BusyButton
              label={words.more}
              isBusy={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            />
          </div>
        ) : null}
      </Loading>
    </Card>
  );
}

function isUndoable({ posted, open }: Receipt): boolean {
  return posted.invoices > 0 && open.invoices === 0;
}
