import {
  type CheckReport,
  dropCheck,
  postCheck,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { useCheckWish } from "#features/invoices/web/check/use-check-wish.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { FileQuestion } from "#features/invoices/web/columns/file-question.tsx";
import { ColumnsEditor } from "#features/invoices/web/columns/columns-editor.tsx";
import { currencyOfSum, formatMoney } from "#features/invoices/web/tables/money.ts";
import { useSentFile } from "#features/invoices/web/upload/sent-files.ts";
import { useResend } from "#features/invoices/web/upload/use-resend.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount } from "#web/kit/format.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import Box from "@mui/material/Box";
import { useMutation } from "@tanstack/react-query";

const row = { display: "flex", flexWrap: "wrap", alignItems: "flex-start", gap: 2, mt: 2 } as const;

type Props = {
  realmId: string;
  check: UploadCheck;
  onReplaced: (checkId: string) => void;
  onClose: () => void;
};

/** Posting what was checked, checking again, or leaving it. */
export function CheckActions({ realmId, check, onReplaced, onClose }: Props) {
  const announce = useAnnounce();
  const post = useCheckWish(postCheck, realmId, check);
  const drop = useMutation({
    mutationFn: () => call(dropCheck, { params: { upload_id: check.id }, query: { realm_id: realmId } }),
    onSuccess: () => {
      announce(words.dropped(check.filename));
      onClose();
    },
  });
  if (check.state === "posting" || check.state === "posted") return null;
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
        <BusyButton label={words.drop} isBusy={drop.isPending} onClick={() => drop.mutate()} />
      </Box>
      <FailedCall error={post.error ?? drop.error} />
      {check.state === "checking" ? null : (
        <Again realmId={realmId} checkId={check.id} onReplaced={onReplaced} />
      )}
    </>
  );
}

type AgainProps = { realmId: string; checkId: string; onReplaced: (checkId: string) => void };

/** Checking the same file again, as it is or with other meanings of its columns. */
function Again({ realmId, checkId, onReplaced }: AgainProps) {
  const sent = useSentFile(checkId);
  const { send, isSending, error, failed } = useResend(onReplaced);
  if (!sent) return <p data-print="never">{words.notHere}</p>;
  const sendAgain = () => send({ ...sent, purpose: "check" });
  return (
    <>
      <Box sx={row} data-print="never">
        <BusyButton label={words.again} isBusy={isSending} onClick={sendAgain} />
        <Disclosure title={words.columns} my={0}>
          <ColumnsEditor realmId={realmId} file={sent.file} onSaved={sendAgain} />
        </Disclosure>
      </Box>
      <FailedCall error={error} />
      <FileQuestion realmId={realmId} failed={failed} error={error} send={send} />
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
  const { invoices, amount } = ready;
  return words.post(
    words.invoicesOf(invoices, formatCount(invoices)),
    formatMoney(amount, currencyOfSum(currencies)),
  );
}
