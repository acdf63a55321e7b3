import type { UploadSummary } from "#features/invoices/contract.ts";
import type { UndoAction } from "#features/invoices/contract.ts";
import { UndoPreview } from "#features/invoices/web/undo/undo-preview.tsx";
import { UndoProgress } from "#features/invoices/web/undo/undo-progress.tsx";
import { useUndo } from "#features/invoices/web/undo/use-undo.ts";
import { undoWords as words } from "#features/invoices/web/undo/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useRef, useState } from "react";

type Props = {
  realmId: string;
  upload: Pick<UploadSummary, "id" | "filename">;
  isOpen: boolean;
  onClose: () => void;
};

/** Shows what an undo would do, starts it once confirmed, and follows it even after the dialog was closed. */
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
  const count = preview?.goes.invoices ?? 0;
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
