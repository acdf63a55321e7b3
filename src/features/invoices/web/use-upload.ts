import type { SessionCompany } from "#features/identity/contract.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { ApiError } from "#web/kit/api-error.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import type { ProgressEvent } from "#web/kit/progress/progress.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { realmStore } from "#web/kit/session/realm-store.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

type Listeners = { moved: (event: ProgressEvent) => void; done: () => void };

/** Sends a workbook for a company; `cancel` stops the request. */
export function useUpload(company: SessionCompany | null, { moved, done }: Listeners) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const abort = useRef<AbortController | null>(null);
  const mutation = useMutation({
    mutationFn: (file: File) => {
      abort.current = new AbortController();
      moved({ kind: "started" });
      return call(postInvoices, {
        query: { realm_id: company?.id ?? "" },
        file,
        onUploadProgress: (percent) => moved({ kind: "sent", percent }),
        signal: abort.current.signal,
      });
    },
    onSuccess: (_, file) => {
      moved({ kind: "finished" });
      done();
      if (company && realmStore.get() !== company.id) {
        announce(uploadWords.card.notForThisCompany(file.name, company.name));
      }
      return queries.invalidateQueries({ queryKey: queryKeys.invoices(company?.id ?? null) });
    },
    onError: (error) => {
      moved({ kind: "failed" });
      if (isCancelled(error)) announce(uploadWords.card.cancelled);
    },
  });
  const cancelled = isCancelled(mutation.error);
  return {
    send: mutation.mutate,
    cancel: () => abort.current?.abort(),
    forget: mutation.reset,
    isSending: mutation.isPending,
    cancelled,
    error: cancelled ? null : mutation.error,
  };
}

function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.code === "aborted";
}
