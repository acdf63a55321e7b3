import type { UploadSummary } from "#features/invoices/contract.ts";
import { startUndo, type UndoAction } from "#features/invoices/undo/contract.ts";
import { isAtWork, undoQuery } from "#features/invoices/web/undo/queries.ts";
import { UndoPreview } from "#features/invoices/web/undo/undo-preview.tsx";
import { UndoProgress } from "#features/invoices/web/undo/undo-progress.tsx";
import { useUndoNews } from "#features/invoices/web/undo/use-undo-news.ts";
import { undoWords as words } from "#features/invoices/web/undo/words.ts";
import { call } from "#web/kit/api-client.ts";
import { messageOf } from "#web/kit/api-error.ts";
import { Dialog } from "#web/kit/dialog.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { formatCount } from "#web/kit/format.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

type Props = {
  realmId: string;
  upload: Pick<UploadSummary, "id" | "filename">;
  isOpen: boolean;
  onClose: () => void;
};

/** Shows what an undo would do, starts it once confirmed, and follows it even after the dialog was closed. */
export function UndoDialog({ realmId, upload, isOpen, onClose }: Props) {
  const queries = useQueryClient();
  const { queryKey, ...options } = undoQuery(realmId, upload.id);
  const [startedId, setStartedId] = useState<string | null>(null);
  const status = useQuery({ queryKey, ...options, enabled: isOpen || startedId !== null });
  const [action, setAction] = useState<UndoAction>("void");
  const keepButton = useRef<HTMLButtonElement>(null);
  const start = useMutation({
    mutationFn: () =>
      call(startUndo, { params: { upload_id: upload.id }, query: { realm_id: realmId }, body: { action } }),
    onSuccess: ({ run }) => {
      setStartedId(run.id);
      queries.setQueryData(queryKey, { preview: null, run });
      keepButton.current?.focus();
    },
  });
  const { preview, run } = status.data ?? { preview: null, run: null };
  useUndoNews(realmId, run?.id === startedId ? run : null);
  const isFollowing = run !== null && (run.id === startedId || isAtWork(run.state));
  const close = () => {
    if (!isAtWork(run?.state)) setStartedId(null);
    onClose();
  };
  if (!isOpen) return null;
  const count = preview?.goes.invoices ?? 0;
  return (
    <Dialog title={words.title(upload.filename)} first={keepButton} onClose={close}>
      {status.isPending ? <Spinner label={words.loading} /> : null}
      <ErrorBlock message={messageOf(status.error)} role="group" />
      {isFollowing ? <UndoProgress run={run} /> : null}
      {!isFollowing && preview ? (
        <UndoPreview preview={preview} lastRun={run} action={action} onAction={setAction} />
      ) : null}
      <ErrorBlock message={messageOf(start.error)} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mt: 2 }}>
        <Button ref={keepButton} variant="outlined" onClick={close}>
          {!isFollowing && count > 0 ? words.keep : words.close}
        </Button>
        {!isFollowing && count > 0 ? (
          <Button
            variant="contained"
            color="cancel"
            disabled={start.isPending || status.isFetching}
            onClick={() => start.mutate()}
          >
            {words.confirm(action, words.invoices(count, formatCount(count)))}
          </Button>
        ) : null}
      </Box>
    </Dialog>
  );
}
