import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { ReceiptSection } from "#features/invoices/web/receipt/lazy-receipt.ts";
import { CheckReport } from "#features/invoices/web/review/check-report.tsx";
import { checkQuery } from "#features/invoices/web/review/queries.ts";
import { reviewWords as words } from "#features/invoices/web/review/words.ts";
import { ALL, receiptQuery } from "#features/invoices/web/receipt/queries.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useSession } from "#web/kit/session/session.ts";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

type Props = {
  realmId: string;
  checkId: string;
  /** True for invoices that were typed: a user who leaves goes on typing, and finds what the check found. */
  isTyped: boolean;
  /** Called with the new check's id after the same file was checked again. */
  onReplaced: (checkId: string) => void;
  onPosted: (uploadId: string) => void;
  onClose: () => void;
};

/** Review of a workbook before it is posted: questions, problems, every invoice, and the button that posts them. */
export function ReviewSection({ realmId, checkId, isTyped, onReplaced, onPosted, onClose }: Props) {
  const { data: check, error, isPending, refetch } = useQuery(checkQuery(realmId, checkId));
  useCheckAnnouncements(realmId, check, onPosted);
  const title = words.title(check?.filename ?? "…");
  return (
    <Box component="section" aria-label={title}>
      <ReviewHead title={title} report={check?.report ?? null} />
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {check ? (
          <>
            <CheckState check={check} />
            <CheckReport
              realmId={realmId}
              check={check}
              isTyped={isTyped}
              onReplaced={onReplaced}
              onClose={onClose}
            />
          </>
        ) : (
          <Button variant="outlined" onClick={onClose}>
            {words.close}
          </Button>
        )}
      </Loading>
    </Box>
  );
}

function ReviewHead({ title, report }: { title: string; report: UploadCheck["report"] }) {
  const { company } = useSession();
  return (
    <PageHead
      title={title}
      documentTitle={uploadWords.documentTitle(boot.product)}
      crumb={{ to: "/app/", parent: uploadWords.title(boot.product), here: words.crumb }}
      mark="on"
    >
      {describeBefore(report)} <strong>{company?.name}</strong>.
    </PageHead>
  );
}

function describeBefore(report: UploadCheck["report"]): string {
  if (!report || report.skipped.invoices === 0) return words.nothingYet;
  const [skipped, all] = [report.skipped.invoices, report.total.invoices];
  return skipped === all ? words.allBefore : words.someBefore(skipped, all);
}

function CheckState({ check }: { check: UploadCheck }) {
  if (check.state === "waiting") return <Notice tone="amber">{check.reason || words.waiting}</Notice>;
  if (check.state === "failed") return <ErrorBlock message={check.reason || words.failed} role="group" />;
  if (check.changes.length === 0) return null;
  return (
    <Notice tone="amber" title={words.changesTitle}>
      <ul style={{ margin: "8px 0" }}>
        {check.changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {words.changesCure}
    </Notice>
  );
}

/** Announces the end of a check; after posting, refetches the list of uploads and opens the upload. */
function useCheckAnnouncements(
  realmId: string,
  check: UploadCheck | undefined,
  onPosted: (uploadId: string) => void,
) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (!check) return;
    if (announced.current === check.state) return;
    announced.current = check.state;
    // A check may be done before it is first read.
    if (check.state === "checked") announce(describeResult(check));
    if (check.state === "posting") void ReceiptSection.load();
    if (check.state === "failed") announce(check.reason || words.failed, "assertive");
    if (check.state !== "posted") return;
    announce(words.posted(check.filename));
    for (const part of ["list", "waiting"])
      void queries.invalidateQueries({ queryKey: [...queryKeys.invoices(realmId), part] });
    // The review stays until the receipt can replace it. A receipt that can't be read shows its error on its
    // own page.
    void Promise.all([
      queries.prefetchInfiniteQuery(receiptQuery(realmId, check.id, ALL)),
      ReceiptSection.load(),
    ])
      .catch(() => undefined)
      .finally(() => onPosted(check.id));
  }, [check, realmId, announce, queries, onPosted]);
}

function describeResult({ filename, report, changes }: UploadCheck): string {
  if (changes.length > 0) return words.changesTitle;
  return words.checked(filename, report?.ready.invoices ?? 0, report?.rejected.invoices ?? 0);
}
