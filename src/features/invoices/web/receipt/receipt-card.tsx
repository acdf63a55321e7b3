import { downloadProblemRows } from "#features/invoices/contract.ts";
import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { ReceiptInvoices, ReceiptTotals } from "#features/invoices/web/receipt/lazy-parts.ts";
import { readAllInvoices, receiptQuery } from "#features/invoices/web/receipt/queries.ts";
import { ReceiptBand } from "#features/invoices/web/receipt/receipt-band.tsx";
import { usePrintAll } from "#features/invoices/web/receipt/use-print-all.ts";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { UndoButton } from "#features/invoices/web/undo/undo-button.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { ProblemRowsDownload } from "#features/sheets/web/index.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";

type Props = { realmId: string; uploadId: string; onClose: () => void };

/** The receipt of an upload: what was read, what became of it, what QuickBooks answered, and every invoice. */
export function ReceiptCard({ realmId, uploadId, onClose }: Props) {
  const query = useInfiniteQuery(receiptQuery(realmId, uploadId));
  const printing = usePrintAll(() => readAllInvoices(realmId, uploadId));
  const { data, error } = query;
  const head = data?.pages[0];
  return (
    <Box component="section" aria-label={words.title(head?.filename ?? "…")}>
      <ReceiptHead receipt={head} />
      <FailedCall
        error={error}
        onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
      />
      <Skeleton isBusy={query.isPending} label={words.loading} rows={8}>
        {head ? (
          <>
            <ReceiptBand receipt={head} onClose={onClose} />
            <FailedCall error={printing.error} />
            <Columns
              beside={
                <>
                  <BusyButton label={words.print} isBusy={printing.isPreparing} onClick={printing.print} />
                  {head.rejected.invoices + head.stopped.invoices > 0 ? (
                    <ProblemRowsDownload
                      fileName={head.filename}
                      fetchDocument={() =>
                        call(downloadProblemRows, {
                          params: { upload_id: uploadId },
                          query: { realm_id: realmId },
                        })
                      }
                    />
                  ) : null}
                  <UndoButton
                    realmId={realmId}
                    upload={{ id: uploadId, filename: head.filename }}
                    isUndoable={isUndoable(head)}
                  />
                  {isUndoable(head) ? <p>{words.undoHint}</p> : null}
                </>
              }
            >
              <Suspense fallback={<Spinner label={words.loading} />}>
                <ReceiptTotals receipt={head} />
              </Suspense>
            </Columns>
            <Suspense fallback={<Spinner label={words.loading} />}>
              <ReceiptInvoices
                invoices={data.pages.flatMap(({ invoices }) => invoices)}
                printed={printing.printed}
                count={head.read.invoices}
              />
            </Suspense>
          </>
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
      </Skeleton>
    </Box>
  );
}

function ReceiptHead({ receipt }: { receipt: Receipt | undefined }) {
  const title = receipt ? words.outcomeOf(receipt) : words.title("…");
  return (
    <PageHead
      title={title}
      documentTitle={uploadWords.documentTitle(boot.product)}
      crumb={{ to: "/app/", parent: uploadWords.title(boot.product), here: receipt?.filename ?? "…" }}
      {...(receipt?.agrees && receipt.finished_at !== null ? { mark: "done" as const } : {})}
    >
      {receipt ? words.truthOf(receipt) : null}
    </PageHead>
  );
}

/** The totals, and behind a line what else can be done. */
function Columns({ beside, children }: { beside: ReactNode; children: ReactNode }) {
  return (
    <Box
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 18rem" },
        columnGap: 8,
        mt: 4,
      }}
    >
      <div>{children}</div>
      <Box
        data-print="never"
        sx={{
          display: "flex",
          flexDirection: { xs: "row", md: "column" },
          flexWrap: "wrap",
          alignItems: "flex-start",
          alignContent: "flex-start",
          gap: 1.5,
          borderLeft: { xs: 0, md: 1 },
          borderColor: { md: "divider" },
          pl: { xs: 0, md: 4 },
          typography: "body2",
          color: "text.secondary",
        }}
      >
        {beside}
      </Box>
    </Box>
  );
}

function isUndoable({ posted, open }: Receipt): boolean {
  return posted.invoices > 0 && open.invoices === 0;
}
