import { createLabels } from "#features/labels/contract.ts";
import { pdfName } from "#features/labels/web/rules.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { call, type ReceivedDocument } from "#web/kit/api-client.ts";
import { ApiError } from "#web/kit/api-error.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useProgress } from "#web/kit/progress/progress.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { saveDocument } from "#web/kit/save-document.ts";
import { warnOfLeaving } from "#web/kit/use-leave-warning.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

/** Labels that were made of a file: the document, under the name it was saved with, and its upload. */
export type MadeLabels = { uploadId: string; received: ReceivedDocument & { filename: string } };

/** A file to make labels of; `good` leaves rows with errors out. */
export type SentLabels = { file: File; rows: "all" | "good" };

/** Sends a sheet of labels and saves what comes back. */
export function useLabelUpload(realmId: string, onMade: (made: MadeLabels) => void) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const [progress, move] = useProgress();
  const abort = useRef<AbortController | null>(null);
  const mutation = useMutation({
    mutationFn: ({ file, rows }: SentLabels) => {
      abort.current = new AbortController();
      const endWarning = warnOfLeaving();
      move({ kind: "started" });
      return call(createLabels, {
        query: rows === "all" ? {} : { rows },
        file,
        onUploadProgress: (percent) => move({ kind: "sent", percent }),
        signal: abort.current.signal,
      }).finally(endWarning);
    },
    onSuccess: (received, { file }) => {
      move({ kind: "finished" });
      const filename = pdfName(received.filename, file.name);
      saveDocument({ ...received, filename }, filename);
      if (received.of) onMade({ uploadId: received.of, received: { ...received, filename } });
      return queries.invalidateQueries({ queryKey: queryKeys.labels(realmId) });
    },
    onError: (error) => {
      move({ kind: "failed" });
      if (isCancelled(error)) announce(labelWords.upload.cancelled);
    },
  });
  const isStopped = isCancelled(mutation.error);
  return {
    progress,
    send: mutation.mutate,
    cancel: () => abort.current?.abort(),
    forget: mutation.reset,
    isSending: mutation.isPending,
    isStopped,
    error: isStopped ? null : mutation.error,
    /** What was sent last, as long as it failed. */
    failed: mutation.error && !isStopped ? (mutation.variables ?? null) : null,
    sentName: mutation.variables?.file.name ?? "",
  };
}

const isCancelled = (error: unknown): boolean => error instanceof ApiError && error.code === "aborted";
