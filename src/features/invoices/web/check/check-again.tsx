import type { UploadCheck } from "#features/invoices/check/contract.ts";
import { checkWords as words } from "#features/invoices/web/check/words.ts";
import type { Again } from "#features/invoices/web/review/use-check-again.ts";
import { ColumnsEditor } from "#features/sheets/web/index.ts";
import * as sheet from "#features/invoices/workbook/contract.ts";
import { useResend } from "#features/invoices/web/upload/use-resend.tsx";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import Box from "@mui/material/Box";

const row = { display: "flex", flexWrap: "wrap", alignItems: "flex-start", gap: 2, mt: 2 } as const;

type Props = {
  realmId: string;
  check: UploadCheck;
  stored: Again;
  onReplaced: (checkId: string) => void;
};

/**
 * Checking the same file again, as it is or with other meanings of its columns. The server has the file of a check that is
 * done; what is typed may have changed since, and is sent.
 */
export function CheckAgain({ realmId, check, stored, onReplaced }: Props) {
  const sent = useResend({ uploadId: check.id, purpose: "check", onSent: onReplaced });
  if (check.state === "posting" || check.state === "posted") return null;
  const isStored = (check.state === "checked" || check.state === "checking") && !sent.isTyped;
  if (!isStored && !sent.file) return <p data-print="never">{words.notHere}</p>;
  const isBusy = sent.isSending || stored.isBusy;
  const again = isStored ? () => stored.ask() : sent.sendAgain;
  return (
    <>
      <Box sx={row} data-print="never">
        <BusyButton label={words.again} isBusy={isBusy} onClick={again} />
        {sent.file ? (
          <Disclosure title={words.columns} my={0}>
            <ColumnsEditor endpoints={sheet} realmId={realmId} file={sent.file} onSaved={again} />
          </Disclosure>
        ) : null}
      </Box>
      {sent.failure}
    </>
  );
}
