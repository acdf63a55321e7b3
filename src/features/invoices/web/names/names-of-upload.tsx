import type { UploadSummary } from "#features/invoices/contract.ts";
import { FileQuestion } from "#features/sheets/web/index.ts";
import * as sheet from "#features/invoices/workbook/contract.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { UnknownNames } from "#features/invoices/web/lazy-parts.ts";
import { useSentFile } from "#features/invoices/web/upload/sent-files.ts";
import { useResend } from "#features/invoices/web/upload/use-resend.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { Suspense } from "react";

const words = uploadWords.results;

/** Names of an upload that the books do not have; once they are matched, the same file can be uploaded again. */
export function NamesOfUpload({ realmId, upload }: { realmId: string; upload: UploadSummary }) {
  const sent = useSentFile(upload.id);
  const { send, isSending, error, failed } = useResend(() => undefined);
  return (
    <Disclosure title={words.unknownNames}>
      <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
        <UnknownNames realmId={realmId} uploadId={upload.id}>
          <span>{words.uploadAgainHint}</span>
          {sent ? (
            <BusyButton
              label={words.uploadAgain}
              isBusy={isSending}
              onClick={() => send({ ...sent, purpose: "post" })}
            />
          ) : null}
        </UnknownNames>
      </Suspense>
      <FailedCall error={error} />
      <FileQuestion endpoints={sheet} realmId={realmId} failed={failed} error={error} send={send} />
    </Disclosure>
  );
}
