import { downloadProblemRows } from "#features/invoices/contract.ts";
import type { Receipt, ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { ALL, readAllInvoices, receiptQuery } from "#features/invoices/web/receipt/queries.ts";
import { countProblems, FixReceipt, ReceiptBand } from "#features/invoices/web/receipt/receipt-band.tsx";
import { ReceiptInvoices } from "#features/invoices/web/receipt/receipt-invoices.tsx";
import { ReceiptTotals } from "#features/invoices/web/receipt/receipt-totals.tsx";
import { isReading } from "#features/invoices/web/receipt/rules.ts";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { UndoButton } from "#features/invoices/web/undo/undo-button.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { ProblemRowsDownload } from "#features/sheets/web/index.ts";
import { call } from "#web/kit/api-client.ts";
import { booksAddress, boot } from "#web/kit/boot.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { ActionList } from "#web/kit/lists.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { ExternalLink, Printer } from "lucide-react";
import type { ReactNode } from "react";

type Props = { realmId: string; uploadId: string; onClose: () => void };

/** Receipt of an upload: the invoices read, posted and stored in QuickBooks, with every invoice. */
export function ReceiptSection({ realmId, uploadId, onClose }: Props) {
  const query = useInfiniteQuery(receiptQuery(realmId, uploadId, ALL));
  const printing = usePrintAll(() => readAllInvoices(realmId, uploadId));
  const head = query.data?.pages[0];
  return (
    <Box component="section" aria-label={words.title(head?.filename ?? "…")}>
      <ReceiptHead receipt={head} />
      {head?.finished_at === null ? <ReconnectNotice /> : null}
      <FailedCall error={query.error} onRetry={() => void query.refetch()} />
      <Skeleton isBusy={query.isPending} label={words.loading} rows={8}>
        {head ? (
          <>
            <ReceiptBand receipt={head}>
              <Button
                variant={isOpen(head) || countProblems(head) > 0 ? "outlined" : "contained"}
                data-main
                onClick={onClose}
              >
                {isOpen(head) ? words.back : words.another}
              </Button>
              <FixReceipt receipt={head} />
            </ReceiptBand>
            <FailedCall error={printing.error} />
            {isReading(head) ? null : (
              <>
                <Columns
                  beside={
                    <Actions
                      realmId={realmId}
                      receipt={head}
                      print={
                        <BusyButton
                          label={words.print}
                          variant="text"
                          startIcon={<Icon of={Printer} size="small" />}
                          isBusy={printing.isPreparing}
                          onClick={printing.print}
                        />
                      }
                    />
                  }
                >
                  <ReceiptTotals receipt={head} />
                </Columns>
                <ReceiptInvoices realmId={realmId} receipt={head} printed={printing.printed} />
              </>
            )}
          </>
        ) : null}
      </Skeleton>
    </Box>
  );
}

/** Other actions on the upload; undo comes last. */
function Actions({ realmId, receipt, print }: { realmId: string; receipt: Receipt; print: ReactNode }) {
  const { upload_id: id, filename, rejected, stopped, posted } = receipt;
  const books = posted.invoices > 0 ? booksAddress(realmId) : null;
  return (
    <>
      <ActionList>
        {books ? (
          <Button
            variant="text"
            component="a"
            href={books}
            startIcon={<Icon of={ExternalLink} size="small" />}
          >
            {words.books}
          </Button>
        ) : null}
        {print}
        {rejected.invoices + stopped.invoices > 0 ? (
          <ProblemRowsDownload
            fileName={filename}
            look="action"
            fetchDocument={() =>
              call(downloadProblemRows, { params: { upload_id: id }, query: { realm_id: realmId } })
            }
          />
        ) : null}
        <UndoButton
          realmId={realmId}
          upload={{ id, filename }}
          isUndoable={isUndoable(receipt)}
          look="action"
        />
      </ActionList>
      {isUndoable(receipt) ? <p>{words.undoHint}</p> : null}
    </>
  );
}

function ReceiptHead({ receipt }: { receipt: Receipt | undefined }) {
  const title = receipt ? words.heading(receipt) : words.title("…");
  return (
    <PageHead
      title={title}
      documentTitle={uploadWords.documentTitle(boot.product)}
      crumb={{ to: "/app/", parent: uploadWords.title(boot.product), here: receipt?.filename ?? "…" }}
      {...(receipt?.agrees && receipt.finished_at !== null ? { mark: "done" as const } : {})}
    >
      {receipt ? words.verdict(receipt) : null}
    </PageHead>
  );
}

/** The totals, with the other actions beside them. */
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

const isOpen = ({ open }: Receipt): boolean => open.invoices > 0;

function isUndoable(receipt: Receipt): boolean {
  return receipt.posted.invoices > 0 && !isOpen(receipt);
}

/**
 * Prints the page with every invoice of the receipt. They are read for printing and dropped afterwards: the
 * page on screen never holds all invoices of a long receipt.
 */
function usePrintAll(readAll: () => Promise<readonly ReceiptInvoice[]>) {
  const { mutate, reset, isPending, data, error } = useMutation({ mutationFn: readAll, gcTime: 0 });
  const print = async () => {
    // The invoices are on the screen by the frame after the next.
    await new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    });
    window.addEventListener("afterprint", reset, { once: true });
    window.print();
  };
  return {
    isPreparing: isPending,
    printed: data ?? null,
    error,
    print: () => mutate(undefined, { onSuccess: () => void print() }),
  };
}
