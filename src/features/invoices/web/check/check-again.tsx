import { checkWords as words } from "#features/invoices/web/check/words.ts";
import { ColumnsEditor, FileQuestion } from "#features/sheets/web/index.ts";
import * as sheet from "#features/invoices/workbook/contract.ts";
import { useSentFile } from "#features/invoices/web/upload/sent-files.ts";
import { useResend } from "#features/invoices/web/upload/use-resend.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import Box from "@mui/material/Box";

const row = { display: "flex", flexWrap: "wrap", alignItems: "flex-start", gap: 2, mt: 2 } as const;

type Props = { realmId: string; checkId: string; onReplaced: (checkId: string) => void };

/** Checking the same file again, as it is or with other meanings of its columns. */
export function CheckAgain({ realmId, checkId, onReplaced }: Props) {
  const sent = useSentFile(checkId);
  const { send, isSending, error, failed } = useResend(onReplaced);
  if (!sent) return <p data-print="never">{words.notHere}</p>;
  const sendAgain = () => send({ ...sent, purpose: "check" });
  return (
    <>
      <Box sx={row} data-print="never">
        <BusyButton label={words.again} isBusy={isSending} onClick={sendAgain} />
        <Disclosure title={words.columns} my={0}>
          <ColumnsEditor endpoints={sheet} realmId={realmId} file={sent.file} onSaved={sendAgain} />
        </Disclosure>
      </Box>
      <FailedCall error={error} />
      <FileQuestion endpoints={sheet} realmId={realmId} failed={failed} error={error} send={send} />
    </>
  );
}
