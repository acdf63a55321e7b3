import type { UploadSummary } from "#features/invoices/contract.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { UnknownNames } from "#features/invoices/web/lazy-parts.ts";
import { useResend } from "#features/invoices/web/upload/use-resend.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { Suspense } from "react";

const words = uploadWords.results;

/** Names of an upload that the books do not have; once they are matched, the same file can be uploaded again. */
export function NamesOfUpload({ realmId, upload }: { realmId: string; upload: UploadSummary }) {
  const { file, isSending, sendAgain, failure } = useResend({ uploadId: upload.id, purpose: "post" });
  return (
    <Disclosure title={words.unknownNames} my={0.5} variant="text">
      <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
        <UnknownNames realmId={realmId} uploadId={upload.id}>
          <span>{words.uploadAgainHint}</span>
          {file ? <BusyButton label={words.uploadAgain} isBusy={isSending} onClick={sendAgain} /> : null}
        </UnknownNames>
      </Suspense>
      {failure}
    </Disclosure>
  );
}
