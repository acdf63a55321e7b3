import type { SessionCompany } from "#features/identity/contract.ts";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { postInvoices, type UploadMode, type UploadSummary } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import * as sheet from "#features/invoices/workbook/contract.ts";
import { FailedFile } from "#features/sheets/web/index.ts";
import { call } from "#web/kit/api-client.ts";
import { ApiError } from "#web/kit/api-error.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import type { ProgressEvent } from "#web/kit/progress/progress.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { sendUntilBack } from "#web/kit/send-until-back.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { useSession } from "#web/kit/session/session.ts";
import { useIsHere } from "#web/kit/use-is-here.ts";
import { warnOfLeaving } from "#web/kit/use-leave-warning.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useRef, useState } from "react";

export type SentFile = {
  file: File;
  mode: UploadMode;
};

export type SentFiles = {
  /** Files sent since the page was opened, by the id of their check or upload, to be resent. */
  byId: Map<string, SentFile>;
  /** Sets the note on the file being sent that the user sees if the session ends; null for none. */
  note: (words: string | null) => void;
};

export const SentFilesContext = createContext<SentFiles>({ byId: new Map(), note: () => undefined });

/** Purpose of sending a workbook: to post it, or only to check it. */
export type SendPurpose = "post" | "check";
export type Sending = SentFile & {
  purpose: SendPurpose;
  /** The upload whose problem rows the file contains. */
  fixes?: string;
};

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
    mutationFn: ({ file, mode, purpose, fixes }: Sending) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      sentFiles.note(kept.sending(file.name));
      const sendOnce = () => {
        // The upload continues on other pages of the app.
        const endWarning = warnOfLeaving();
        isComplete.current = false;
        moved({ kind: "started" });
        return call(purpose === "post" ? postInvoices : checkInvoices, {
          query: {
            realm_id: company?.id ?? "",
            ...(mode === "file" ? { mode } : {}),
            ...(fixes ? { fixes } : {}),
          },
          file,
          onUploadProgress: (percent) => {
            isComplete.current = percent >= 100;
            if (isComplete.current) endWarning();
            moved({ kind: "sent", percent });
          },
          signal,
        }).finally(endWarning);
      };
      return sendUntilBack(sendOnce, signal);
    },
    onSuccess: (summary, sending) => {
      moved({ kind: "finished" });
      sentFiles.byId.set(summary.id, sending);
      // A user whose session ended sees only this note.
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
      if (!isCanceled(error)) return undefined;
      // A completely received file is processed even if the request was canceled.
      const isLate = isComplete.current && purpose === "post";
      const message = isLate ? card.canceledLate(file.name) : card.cancelled;
      setCancelWords(message);
      announce(message);
      return isLate ? readAgain() : undefined;
    },
  });
  const cancelled = isCanceled(mutation.error);
  return {
    send: mutation.mutate,
    cancel: () => abort.current?.abort(),
    forget: mutation.reset,
    isSending: mutation.isPending,
    /** Message if the last file was canceled; else null. */
    cancelled: cancelled ? cancelWords : null,
    /** Name of the last file. */
    sentName: mutation.variables?.file.name ?? "",
    error: cancelled ? null : mutation.error,
    /** The last file, if it failed. */
    failed: mutation.error ? (mutation.variables ?? null) : null,
  };
}

function isCanceled(error: unknown): boolean {
  return error instanceof ApiError && error.code === "aborted";
}

type ResendInput = { uploadId: string; purpose: SendPurpose; onSent?: (id: string) => void };

/** Resends the file of a check or an upload that was sent from this page, for the current company. */
export function useResend({ uploadId, purpose, onSent }: ResendInput) {
  const { company } = useSession();
  const sent = use(SentFilesContext).byId.get(uploadId);
  const upload = useUpload(company, { moved: () => undefined, done: (_, { id }) => onSent?.(id) });
  const { send, isSending, failed, error } = upload;
  return {
    file: sent?.file,
    isSending,
    sendAgain: () => sent && send({ ...sent, purpose }),
    failure: company ? (
      <FailedFile endpoints={sheet} realmId={company.id} failed={failed} error={error} send={send} />
    ) : null,
  };
}
