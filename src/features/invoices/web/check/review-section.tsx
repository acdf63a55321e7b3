import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { CheckReport } from "#features/invoices/web/check/check-report.tsx";
import { checkQuery } from "#features/invoices/web/check/queries.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { Card } from "#web/kit/card.tsx";
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
  /** It takes the page, with a heading of its own; else it is a section below what is typed. */
  isPage: boolean;
  /** Called with the id of the new check when the same file is checked again. */
  onReplaced: (checkId: string) => void;
  onPosted: (uploadId: string) => void;
  onClose: () => void;
};

/** A workbook checked against the books: what is asked, what is wrong, every invoice, and one button that posts them. */
export function ReviewSection({ realmId, checkId, isPage, onReplaced, onPosted, onClose }: Props) {
  const { data: check, error, isPending, refetch } = useQuery(checkQuery(realmId, checkId));
  useCheckNews(realmId, check, onPosted);
  const title = words.title(check?.filename ?? "…");
  const content = (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {check ? (
          <>
            <CheckState check={check} />
            <CheckReport realmId={realmId} check={check} onReplaced={onReplaced} onClose={onClose} />
          </>
        ) : (
          <Button variant="outlined" onClick={onClose}>
            {words.close}
          </Button>
        )}
      </Loading>
    </>
  );
  if (!isPage) return <Card title={title}>{content}</Card>;
  return (
    <Box component="section" aria-label={title}>
      <ReviewHead title={title} />
      {content}
    </Box>
  );
}

function ReviewHead({ title }: { title: string }) {
  const { company } = useSession();
  return (
    <PageHead
      title={title}
      documentTitle={uploadWords.documentTitle(boot.product)}
      crumb={{ to: "/app/", parent: uploadWords.title(boot.product), here: words.crumb }}
      mark="on"
    >
      {words.nothingYet} <strong>{company?.name}</strong>.
    </PageHead>
  );
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

/** Says how a check ends; once it is posted the list of uploads is read again and the page goes on to it. */
function useCheckNews(realmId: string, check: UploadCheck | undefined, onPosted: (uploadId: string) => void) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (!check) return;
    if (announced.current === check.state) return;
    announced.current = check.state;
    // A check may be done before the first look at it.
    if (check.state === "checked") announce(resultOf(check));
    if (check.state === "failed") announce(check.reason || words.failed, "assertive");
    if (check.state !== "posted") return;
    announce(words.posted(check.filename));
    void queries.invalidateQueries({ queryKey: [...queryKeys.invoices(realmId), "list"] });
    onPosted(check.id);
  }, [check, realmId, announce, queries, onPosted]);
}

function resultOf({ filename, report, changes }: UploadCheck): string {
  if (changes.length > 0) return words.changesTitle;
  return words.checked(filename, report?.ready.invoices ?? 0, report?.rejected.invoices ?? 0);
}
