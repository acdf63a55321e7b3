import type { SessionCompany } from "#features/identity/contract.ts";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { postInvoices, type UploadSummary } from "#features/invoices/contract.ts";
import { type SentFile, SentFilesContext } from "#features/invoices/web/upload/sent-files.ts";
import { warnOfLeaving } from "#web/kit/use-leave-warning.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { ApiError } from "#web/kit/api-error.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import type { ProgressEvent } from "#web/kit/progress/progress.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { useIsHere } from "#web/kit/use-is-here.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { use, useRef, useState } from "react";

/** What a workbook is sent for: to be posted, or only to be checked. */
export type SendPurpose = "post" | "check";
export type Sending = SentFile & { purpose: SendPurpose };

const { card, kept } = uploadWords;

type Listeners = {
  moved: (event: ProgressEvent) => void;
  done: (sent: Sending, summary: UploadSummary) => void;
};

/** Sends a workbook for a company; `cancel` stops the request. */
export function useUpload(company: SessionCompany | null, { moved, done }: Listeners) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const sentFiles = use(SentFilesContext);
  const isHere = useIsHere();
  const abort = useRef<AbortController | null>(null);
  const isComplete = useRef(false);
  const [cancelWords, setCancelWords] = useState("");
  const readAgain = () => queries.invalidateQueries({ queryKey: queryKeys.invoices(company?.id ?? null) });
  const mutation = useMutation({
    mutationFn: ({ file, mode, purpose }: Sending) => {
      abort.current = new AbortController();
      isComplete.current = false;
      // Bytes are sent on whatever page of the app the user goes to meanwhile.
      const endWarning = warnOfLeaving();
      moved({ kind: "started" });
      sentFiles.note(kept.sending(file.name));
      return call(purpose === "post" ? postInvoices : checkInvoices, {
        query: { realm_id: company?.id ?? "", ...(mode === "file" ? { mode } : {}) },
        file,
        onUploadProgress: (percent) => {
          isComplete.current = percent >= 100;
          if (isComplete.current) endWarning();
          moved({ kind: "sent", percent });
        },
        signal: abort.current.signal,
      }).finally(endWarning);
    },
    onSuccess: (summary, sending) => {
      moved({ kind: "finished" });
      sentFiles.byId.set(summary.id, sending);
      // Nothing of the page is left to say so to users whose session ended.
      sentFiles.note(isHere() || sending.purpose === "check" ? null : kept.sent(sending.file.name));
      done(sending, summary);
      if (company && realmStore.get() !== company.id) {
        announce(card.notForThisCompany(sending.file.name, company.name));
      }
      return sending.purpose === "check" ? undefined : readAgain();
    },
    onError: (error, { file, purpose }) => {
      moved({ kind: "failed" });
      sentFiles.note(null);
      if (!isCancelled(error)) return undefined;
      // What is there already is worked on, whether or not anybody waits for the answer.
      const isLate = isComplete.current && purpose === "post";
      const said = isLate ? card.cancelledLate(file.name) : card.cancelled;
      setCancelWords(said);
      announce(said);
      return isLate ? readAgain() : undefined;
    },
  });
  const cancelled = isCancelled(mutation.error);
  return {
    send: mutation.mutate,
    cancel: () => abort.current?.abort(),
    forget: mutation.reset,
    isSending: mutation.isPending,
    /** What to say of the cancelling; null when what was sent last was not cancelled. */
    cancelled: cancelled ? cancelWords : null,
    /** Of what was sent last. */
    sentName: mutation.variables?.file.name ?? "",
    error: cancelled ? null : mutation.error,
    /** What was sent last, as long as it failed. */
    failed: mutation.error ? (mutation.variables ?? null) : null,
  };
}

function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.code === "aborted";
}
