import type { UndoAction, UploadSummary } from "#features/invoices/contract.ts";
import { startUndo, type UndoRun } from "#features/invoices/undo/contract.ts";
import { isAtWork, undoQuery } from "#features/invoices/web/undo/queries.ts";
import { LeftTable, UndoPreview } from "#features/invoices/web/undo/undo-preview.tsx";
import { undoWords as words } from "#features/invoices/web/undo/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

type Props = {
  realmId: string;
  upload: Pick<UploadSummary, "id" | "filename">;
  isOpen: boolean;
  onClose: () => void;
};

/** Previews an undo, starts it once confirmed, and follows it even after the dialog closes. */
export function UndoDialog({ realmId, upload, isOpen, onClose }: Props) {
  const keepButton = useRef<HTMLButtonElement>(null);
  const [action, setAction] = useState<UndoAction>("void");
  const undo = useUndo({ realmId, uploadId: upload.id, isOpen });
  const { status, preview, followed, lastRun, start } = undo;
  const close = () => {
    undo.leave();
    onClose();
  };
  const confirm = () => start.mutate(action, { onSuccess: () => keepButton.current?.focus() });
  if (!isOpen) return null;
  const count = preview?.to_undo.invoices ?? 0;
  return (
    <Dialog title={words.title(upload.filename)} first={keepButton} onClose={close}>
      {status.isPending ? <Spinner label={words.loading} /> : null}
      <FailedCall error={status.error} onRetry={() => void status.refetch()} />
      {followed ? <UndoProgress run={followed} /> : null}
      {preview ? (
        <UndoPreview preview={preview} lastRun={lastRun} action={action} onAction={setAction} />
      ) : null}
      <FailedCall error={start.error} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mt: 2 }}>
        <Button ref={keepButton} variant="outlined" onClick={close}>
          {count > 0 ? words.keep : words.close}
        </Button>
        {count > 0 ? (
          <BusyButton
            label={words.confirm(action, count)}
            variant="contained"
            color="cancel"
            disabled={status.isFetching}
            isBusy={start.isPending}
            onClick={confirm}
          />
        ) : null}
      </Box>
    </Dialog>
  );
}

/** Progress or result of an undo. */
function UndoProgress({ run }: { run: UndoRun }) {
  const { undone, skipped } = run;
  if (isAtWork(run.state)) {
    const working = words.working(run.action, undone.invoices, skipped.invoices);
    return (
      <>
        {run.state === "paused" ? null : <Spinner label={working} />}
        <p>{working}</p>
        <p>{run.sentence}</p>
        <p>{words.continues}</p>
      </>
    );
  }
  return (
    <>
      <p>{run.sentence}</p>
      <LeftTable title={words.leftTitle} invoices={run.left} total={skipped.invoices} />
    </>
  );
}

type UndoOf = { realmId: string; uploadId: string; isOpen: boolean };

/** Loads the preview of an undo, starts it, and follows one that was started here or is in progress. */
function useUndo({ realmId, uploadId, isOpen }: UndoOf) {
  const queries = useQueryClient();
  const { queryKey, ...options } = undoQuery(realmId, uploadId);
  const [startedId, setStartedId] = useState<string | null>(null);
  const status = useQuery({ queryKey, ...options, enabled: isOpen || startedId !== null });
  const start = useMutation({
    mutationFn: (action: UndoAction) =>
      call(startUndo, { params: { upload_id: uploadId }, query: { realm_id: realmId }, body: { action } }),
    onSuccess: ({ run }) => {
      setStartedId(run.id);
      queries.setQueryData(queryKey, { preview: null, run });
    },
  });
  const { preview, run } = status.data ?? { preview: null, run: null };
  const isOurs = run !== null && run.id === startedId;
  useUndoAnnouncement(realmId, isOurs ? run : null);
  const followed = isOurs || isAtWork(run?.state) ? run : null;
  return {
    status,
    start,
    /** Undo in progress or started here; no preview is shown meanwhile. */
    followed,
    preview: followed ? null : preview,
    lastRun: run,
    /** Called when the dialog closes; a running undo is still followed. */
    leave: () => {
      if (!isAtWork(run?.state)) setStartedId(null);
    },
  };
}

/** Announces the end of an undo, and refetches the uploads and the receipt. */
function useUndoAnnouncement(realmId: string, run: UndoRun | null) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (!run || isAtWork(run.state) || announced.current === run.id) return;
    announced.current = run.id;
    announce(run.sentence);
    for (const part of ["list", "results", "receipt", "waiting"]) {
      void queries.invalidateQueries({ queryKey: [...queryKeys.invoices(realmId), part] });
    }
  }, [run, realmId, announce, queries]);
}
