import { makeLabels, newUploadId, type SentLabels } from "#features/labels/web/gs1/make-labels.ts";
import type { PrintForm } from "#features/labels/web/print-choices.tsx";
import { labelUploadQuery } from "#features/labels/web/queries.ts";
import { pdfName } from "#features/labels/web/rules.ts";
import { labelWords } from "#features/labels/web/words.ts";
import type { ReceivedDocument } from "#web/kit/api-client.ts";
import { ApiError } from "#web/kit/api-error.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useProgress } from "#web/kit/progress/progress.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { sendUntilBack } from "#web/kit/send-until-back.ts";
import { saveDocument } from "#web/kit/documents.ts";
import { warnOfLeaving } from "#web/kit/use-leave-warning.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

/** Labels made from a file: the upload, and the saved document with its name. */
export type MadeLabels = {
  uploadId: string;
  /** Null if it was lost in transit. */
  received: (ReceivedDocument & { filename: string }) | null;
  /** Print choices that differ from the company's settings. */
  form: Partial<PrintForm>;
  /** Whether the same rows became labels before. */
  isAgain: boolean;
};

/** Code of a refusal for faults in rows, which the review lists. */
export const ROW_PROBLEMS = "row_problems";

/** A file with errors; `at` differs when the same file is sent again. */
export type ToReview = { file: File; at: number };

/** Uploads a sheet of labels and saves the document. */
export function useLabelUpload(realmId: string, onMade: (made: MadeLabels) => void) {
  const queries = useQueryClient();
  const [progress, move] = useProgress();
  const abort = useRef<AbortController | null>(null);
  const canceling = useCanceling(realmId);
  const [toReview, setToReview] = useState<ToReview | null>(null);
  const mutation = useMutation({
    mutationFn: (sent: SentLabels) => {
      const { signal } = (abort.current = new AbortController());
      const uploadId = newUploadId();
      const onUploadProgress = (percent: number) => {
        canceling.sent(percent);
        move({ kind: "sent", percent });
      };
      const sendOnce = () => {
        canceling.sent(0);
        const endWarning = warnOfLeaving();
        move({ kind: "started" });
        return makeLabels(sent, { uploadId, onUploadProgress, signal, realmId }).finally(endWarning);
      };
      return sendUntilBack(sendOnce, signal);
    },
    onSuccess: async ({ uploadId, received }, { file, choices }) => {
      const { profile: _, prefix: __, ...form } = choices;
      move({ kind: "finished" });
      setToReview(null);
      const named = received && { ...received, filename: pdfName(received.filename, file.name) };
      if (named) saveDocument(named, named.filename);
      await queries.invalidateQueries({
        queryKey: queryKeys.labels(realmId),
        // The review would send the file once more.
        predicate: (query) => query.queryKey[2] !== "review",
      });
      if (uploadId === undefined) return;
      const prints = await queries.fetchQuery(labelUploadQuery(realmId, uploadId)).then(
        ({ labels }) => labels?.prints ?? 1,
        // The card reads them itself and reports a failure.
        () => 1,
      );
      onMade({ uploadId, received: named, form, isAgain: prints > 1 });
    },
    onError: (error, { file }) => {
      move({ kind: "failed" });
      if (error instanceof ApiError && error.code === ROW_PROBLEMS)
        setToReview((before) => (before?.file === file ? before : { file, at: Date.now() }));
      if (isCanceled(error)) canceling.end();
    },
  });
  const isStopped = isCanceled(mutation.error);
  return {
    progress,
    send: mutation.mutate,
    cancel: () => abort.current?.abort(),
    /** Clears the error; with `all`, the file under review too. */
    forget: ({ all }: { all: boolean }) => {
      mutation.reset();
      if (all) setToReview(null);
    },
    /** A file with errors, until another one is chosen. */
    toReview,
    isSending: mutation.isPending,
    /** Text after a cancel; null if the last upload was not canceled. */
    canceled: isStopped ? canceling.text : null,
    error: isStopped ? null : mutation.error,
    /** The last upload if it failed. */
    failed: mutation.error && !isStopped ? (mutation.variables ?? null) : null,
    sentName: mutation.variables?.file.name ?? "",
  };
}

/** Cancels an upload; a sheet received before the cancel still becomes labels. */
function useCanceling(realmId: string) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const isComplete = useRef(false);
  const [text, setText] = useState("");
  return {
    text,
    sent: (percent: number) => {
      isComplete.current = percent >= 100;
    },
    end: () => {
      const words = isComplete.current ? labelWords.upload.canceledLate : labelWords.upload.canceled;
      setText(words);
      announce(words);
      if (isComplete.current) void queries.invalidateQueries({ queryKey: queryKeys.labels(realmId) });
    },
  };
}

const isCanceled = (error: unknown): boolean => error instanceof ApiError && error.code === "aborted";
