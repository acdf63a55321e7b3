import { FailedFile } from "#features/sheets/web/index.ts";
import * as sheet from "#features/invoices/workbook/contract.ts";
import { SentFilesContext } from "#features/invoices/web/upload/sent-files.ts";
import { type SendPurpose, type Sending, useUpload } from "#features/invoices/web/upload/use-upload.ts";
import { useSession } from "#web/kit/session/session.ts";
import { use } from "react";

type Asked = { uploadId: string; purpose: SendPurpose; onSent?: (id: string) => void };

/** The file of a check or an upload that was sent from this page, and sending it once more for the current company. */
export function useResend({ uploadId, purpose, onSent }: Asked) {
  const { company } = useSession();
  const sent = use(SentFilesContext).byId.get(uploadId);
  const upload = useUpload(company, { moved: () => undefined, done: (_, { id }) => onSent?.(id) });
  const send = (sending: Sending) => upload.send({ ...sending, file: sending.latest?.() ?? sending.file });
  const { isSending, failed, error } = upload;
  return {
    file: sent?.file,
    isTyped: sent?.latest !== undefined,
    isSending,
    sendAgain: () => sent && send({ ...sent, purpose }),
    failure: company ? (
      <FailedFile endpoints={sheet} realmId={company.id} failed={failed} error={error} send={send} />
    ) : null,
  };
}
