import {
  type CheckReport,
  dropCheck,
  postCheck,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { useCheckCommand } from "#features/invoices/web/check/use-check-command.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { reviewInvoicesQuery } from "#features/invoices/web/review/queries.ts";
import { currencyOfSum, formatMoney, sumOf } from "#features/invoices/web/tables/money.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { counted, formatCount } from "#web/kit/format.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { type Figure, SummaryBand } from "#web/kit/summary-band.tsx";
import { useMutation, useQuery } from "@tanstack/react-query";

type Props = { realmId: string; check: UploadCheck; onClose: () => void };

/** What is in the file and what would be posted, with the button that posts it; or leaving it. */
export function CheckDecision({ realmId, check, onClose }: Props) {
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
  // What is being checked cannot be dropped, only left; nobody posts it, and it is removed by its age.
  const isAtWork = state === "checking" || state === "posting";
  const toPost = state !== "failed" && state !== "waiting" && canPostAny(check) ? check.report : null;
  return (
    <>
      <SummaryBand label={words.totalsOf(check.filename)} figures={figures} {...progressOf(check)}>
        <BusyButton
          label={words.drop}
          variant="text"
          isBusy={drop.isPending}
          onClick={isAtWork ? onClose : () => drop.mutate()}
        />
        {toPost ? (
          <span data-main style={{ display: "grid" }}>
            <BusyButton
              label={postWord(toPost)}
              variant="contained"
              isBusy={post.isPending || isAtWork}
              onClick={post.mutate}
            />
          </span>
        ) : null}
      </SummaryBand>
      <FailedCall error={post.error ?? drop.error} />
      {isAtWork ? <p>{words[state](check.filename)}</p> : null}
      {state === "checked" && !toPost ? <p>{nothingWord(check)}</p> : null}
    </>
  );
}

/** The bar that the receipt goes on with is there from the first moment. */
const progressOf = ({ state, filename }: UploadCheck) =>
  state === "posting" ? { progress: { label: words.posting(filename), percent: 0 } } : {};

/** Invoices by what is left to do for them; those uploaded before are noted beside the first figure. */
function useFigures(realmId: string, check: UploadCheck): Figure[] {
  const { report } = check;
  const { data } = useQuery({ ...reviewInvoicesQuery(realmId, check), enabled: report !== null });
  if (!report) return [];
  const { total, ready, skipped, currencies } = report;
  const money = (amount: string) => formatMoney(amount, currencyOfSum(currencies));
  const open = (["answer", "fix"] as const).flatMap((state) => {
    const those = data?.invoices.filter((invoice) => invoice.state === state) ?? [];
    if (those.length === 0) return [];
    const note = state === "answer" ? { note: money(sumOf(those)) } : {};
    return [{ ...OPEN[state], value: formatCount(those.length), ...note }];
  });
  return [
    {
      label: words.figures.file,
      value: formatCount(total.invoices),
      note:
        skipped.invoices > 0 ? words.figures.before(skipped.invoices) : words.figures.unit(total.invoices),
    },
    {
      label: words.figures.ready,
      value: formatCount(ready.invoices),
      note: money(ready.amount),
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

function nothingWord({ report }: UploadCheck): string {
  if (report && report.rejected.invoices > 0) return words.unanswered;
  return report && report.skipped.invoices > 0 ? words.nothingLeft : words.nothing;
}

function postWord({ ready, currencies }: CheckReport): string {
  return words.post(counted(ready.invoices, "invoice"), formatMoney(ready.amount, currencyOfSum(currencies)));
}
