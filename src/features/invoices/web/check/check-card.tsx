import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { CheckAgain } from "#features/invoices/web/check/check-again.tsx";
import { CheckDecision } from "#features/invoices/web/check/check-decision.tsx";
import { CheckReport } from "#features/invoices/web/check/check-report.tsx";
import { checkQuery } from "#features/invoices/web/check/queries.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { Card } from "#web/kit/card.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { Loading, Spinner } from "#web/kit/spinner.tsx";
import Button from "@mui/material/Button";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useEffect, useRef } from "react";

/** States in which the same file may be checked again. */
const AGAIN: ReadonlySet<UploadCheck["state"]> = new Set(["waiting", "checked", "failed"]);

type Props = {
  realmId: string;
  checkId: string;
  /** Called with the id of the new check when the same file is checked again. */
  onReplaced: (checkId: string) => void;
  onPosted: (uploadId: string) => void;
  onClose: () => void;
};

/** A workbook checked against the books: what it found, and from here one click posts exactly that. */
export function CheckCard({ realmId, checkId, onReplaced, onPosted, onClose }: Props) {
  const { data: check, error, isPending, refetch } = useQuery(checkQuery(realmId, checkId));
  useCheckNews(realmId, check, onPosted);
  return (
    <Card title={words.title(check?.filename ?? "…")}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {check ? <CheckState check={check} /> : null}
        {check ? (
          <>
            <CheckReport realmId={realmId} check={check}>
              <CheckDecision realmId={realmId} check={check} onClose={onClose} />
            </CheckReport>
            {AGAIN.has(check.state) ? (
              <CheckAgain realmId={realmId} check={check} onReplaced={onReplaced} />
            ) : null}
          </>
        ) : (
          <Button variant="outlined" onClick={onClose}>
            {words.close}
          </Button>
        )}
      </Loading>
    </Card>
  );
}

function CheckState({ check }: { check: UploadCheck }) {
  if (check.state === "checking" || check.state === "posting") {
    const label = words[check.state](check.filename);
    return (
      <>
        <p>{label}</p>
        <Spinner label={label} />
      </>
    );
  }
  if (check.state === "waiting") return <Notice tone="amber">{check.reason || words.waiting}</Notice>;
  if (check.state === "failed") return <ErrorBlock message={check.reason || words.failed} role="group" />;
  if (check.changes.length === 0) return null;
  return (
    <Notice tone="amber">
      <strong>{words.changesTitle}</strong>
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
