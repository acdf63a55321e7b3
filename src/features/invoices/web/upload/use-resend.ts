import { type Sending, useUpload } from "#features/invoices/web/upload/use-upload.ts";
import { useSession } from "#web/kit/session/session.ts";

/** Sends a file that was sent before once more, for the current company. @param done called with the new id */
export function useResend(done: (id: string) => void) {
  const { company } = useSession();
  const upload = useUpload(company, { moved: () => undefined, done: (_, { id }) => done(id) });
  const send = (sending: Sending) => upload.send({ ...sending, file: sending.latest?.() ?? sending.file });
  return { ...upload, send };
}
