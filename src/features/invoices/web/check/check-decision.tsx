import {
  type CheckReport,
  dropCheck,
  postCheck,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { useCheckCommand } from "#features/invoices/web/check/use-check-command.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { currencyOfSum, formatMoney } from "#features/invoices/web/tables/money.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import Box from "@mui/material/Box";
import { useMutation } from "@tanstack/react-query";

const row = { display: "flex", flexWrap: "wrap", alignItems: "flex-start", gap: 2, mt: 2 } as const;

type Props = {
  realmId: string;
  check: UploadCheck;
  onClose: () => void;
};

/** Posting what was checked, or leaving it. */
export function CheckDecision({ realmId, check, onClose }: Props) {
  const announce = useAnnounce();
  const post = useCheckCommand(postCheck, realmId, check);
  const drop = useMutation({
    mutationFn: () => call(dropCheck, { params: { upload_id: check.id }, query: { realm_id: realmId } }),
    onSuccess: () => {
      announce(words.dropped(check.filename));
      onClose();
    },
  });
  if (check.state === "posting" || check.state === "posted") return null;
  // What is being checked cannot be dropped, only left; nobody posts it, and it is removed by its age.
  const isAtWork = check.state === "checking";
  const toPost = check.state === "checked" && canPostAny(check) ? check.report : null;
  return (
    <>
      {check.state === "checked" && !toPost ? <p>{nothingWord(check)}</p> : null}
      <Box sx={row} data-print="never">
        {toPost ? (
          <BusyButton
            label={postWord(toPost)}
            variant="contained"
            isBusy={post.isPending}
            onClick={post.mutate}
          />
        ) : null}
        <BusyButton
          label={words.drop}
          isBusy={drop.isPending}
          onClick={isAtWork ? onClose : () => drop.mutate()}
        />
      </Box>
      <FailedCall error={post.error ?? drop.error} />
    </>
  );
}

function canPostAny({ mode, report }: UploadCheck): boolean {
  if (!report || report.ready.invoices === 0) return false;
  return mode === "invoice" || report.rejected.invoices === 0;
}

function nothingWord({ report }: UploadCheck): string {
  const onlySkipped = report && report.skipped.invoices > 0 && report.rejected.invoices === 0;
  return onlySkipped ? words.nothingLeft : words.nothing;
}

function postWord({ ready, currencies }: CheckReport): string {
  return words.post(ready.invoices, formatMoney(ready.amount, currencyOfSum(currencies)));
}
