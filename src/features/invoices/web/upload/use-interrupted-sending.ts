import { SENDING, type Sending } from "#features/invoices/web/upload/use-upload.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { useSession } from "#web/kit/session/session.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";

const words = uploadWords.kept;

/**
 * What became of the file that was being sent when the session ended. The server knew the user when it began, so it is
 * taken, though nothing of the page is left to say so. Null when none was under way, or when it was refused.
 */
export function useInterruptedSending(): string | null {
  const { authStatus } = useSession();
  const sent = useQueryClient().getMutationCache();
  const last = useSyncExternalStore(
    sent.subscribe,
    () => sent.findAll({ mutationKey: SENDING }).at(-1)?.state,
  );
  const isUnderWay = last?.status === "pending";
  const [wasUnderWay, setUnderWay] = useState(false);
  if (authStatus === "success" && wasUnderWay !== isUnderWay) setUnderWay(isUnderWay);
  if (!wasUnderWay || !last) return null;
  const { file, purpose } = last.variables as Sending;
  if (last.status === "pending") return words.sending(file.name);
  return last.status === "success" && purpose === "post" ? words.sent(file.name) : null;
}
