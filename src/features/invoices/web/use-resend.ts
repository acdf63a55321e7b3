import { useUpload } from "#features/invoices/web/use-upload.ts";
import { useSession } from "#web/kit/session/session.ts";

/** Sends a file that was sent before once more, for the current company. @param done called with the new id */
export function useResend(done: (id: string) => void) {
  const { company } = useSession();
  return useUpload(company, { moved: () => undefined, done: (_, { id }) => done(id) });
}
