import { dropCheck, postCheck, type UploadCheck } from "#features/invoices/check/contract.ts";
import { reviewInvoicesQuery, useCheckCommand } from "#features/invoices/web/review/queries.ts";
import { reviewWords as words } from "#features/invoices/web/review/words.ts";
import { formatSum, sumAmounts } from "#features/invoices/web/tables/money.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { counted, formatCount } from "#web/kit/format.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { type Figure, SummaryBand } from "#web/kit/summary-band.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQuery } from "@tanstack/react-query";

type Props = {
  realmId: string;
  check: UploadCheck;
  isTyped: boolean;
  onClose: () => void;
};

/** Invoices of the file and those ready to post, with the buttons that post them or leave the review. */
export function CheckDecision({ realmId, check, isTyped, onClose }: Props) {
  const announce = useAnnounce();
  const figures = useFigures(realmId, check);
  const post = useCheckCommand(postCheck, realmId, check);
  const drop = useMutation({
    mutationFn: () => call(dropCheck, { params: { upload_id: check.id }, query: { realm_id: realmId } }),
    onSuccess: () => {
      announce(words.dropped(check.filename));
      onClose();
    },
  });
  const { state } = check;
  const isAtWork = state === "checking" || state === "posting";
  // A check at work cannot be dropped, and the form marks the cells of one that is kept. A check that is only left is
  // posted by nothing, and removed when it is old.
  const isKept = isTyped || isAtWork;
  const toPost = state !== "failed" && state !== "waiting" && canPostAny(check) ? check.report : null;
  return (
    <>
      <SummaryBand
        label={words.totalsLabel(check.filename)}
        figures={figures} // The receipt continues this bar.
        {...(state === "posting" ? { progress: { label: words.posting(check.filename), percent: 0 } } : {})}
      >
        <BusyButton
          label={isTyped ? words.edit : words.drop}
          variant="text"
          isBusy={drop.isPending}
          onClick={isKept ? onClose : () => drop.mutate()}
        />
        {state === "posting" ? (
          <Box component="span" data-main sx={{ typography: "body2", color: "text.secondary" }}>
            {words.postingNow}
          </Box>
        ) : toPost ? (
          <span data-main style={{ display: "grid" }}>
            <BusyButton
              label={words.post(
                counted(toPost.ready.invoices, "invoice"),
                formatSum(toPost.ready.amount, toPost.currencies),
              )}
              variant="contained"
              isBusy={post.isPending || isAtWork}
              onClick={post.mutate}
            />
          </span>
        ) : null}
      </SummaryBand>
      <FailedCall error={post.error ?? drop.error} />
      {state === "checking" && !check.report ? <p>{words.checking(check.filename)}</p> : null}
      {state === "checked" && !toPost ? <p>{explainNothing(check)}</p> : null}
    </>
  );
}

/** Invoices by what they still need; the first figure also counts those uploaded before. */
function useFigures(realmId: string, check: UploadCheck): Figure[] {
  const { report } = check;
  const { data } = useQuery({ ...reviewInvoicesQuery(realmId, check), enabled: report !== null });
  if (!report) return [];
  const { total, ready, skipped, currencies } = report;
  const left = check.left_out.length;
  const all = total.invoices + left;
  const posted = data?.invoices.filter((invoice) => invoice.state === "posted") ?? [];
  const open = (["answer", "fix"] as const).flatMap((state) => {
    const invoices = data?.invoices.filter((invoice) => invoice.state === state) ?? [];
    if (invoices.length === 0) return [];
    const note = state === "answer" ? { note: formatSum(sumAmounts(invoices), currencies) } : {};
    return [{ ...OPEN[state], value: formatCount(invoices.length), ...note }];
  });
  return [
    {
      label: words.figures.file,
      value: formatCount(all),
      note: words.figures.note(all, { skipped: skipped.invoices - posted.length, left }),
    },
    ...(posted.length > 0
      ? [
          {
            label: words.figures.posted,
            value: formatCount(posted.length),
            note: formatSum(sumAmounts(posted), currencies),
          },
        ]
      : []),
    {
      label: words.figures.ready,
      value: formatCount(ready.invoices),
      note: formatSum(ready.amount, currencies),
      mark: "green",
    },
    ...open,
  ];
}

const OPEN = {
  answer: { label: words.figures.answer, mark: "amber" },
  fix: { label: words.figures.fix, mark: "red" },
} as const;

function canPostAny({ mode, report }: UploadCheck): boolean {
  if (!report || report.ready.invoices === 0) return false;
  return mode === "invoice" || report.rejected.invoices === 0;
}

function explainNothing({ report }: UploadCheck): string {
  if (report && report.rejected.invoices > 0) return words.unanswered;
  return report && report.skipped.invoices > 0 ? words.nothingLeft : words.nothing;
}
