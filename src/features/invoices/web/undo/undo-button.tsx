import type { UploadSummary } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import Button from "@mui/material/Button";
import { Undo2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";

const words = uploadWords.results;

/** Loaded when it is first opened. */
export const UndoDialog = lazy(async () => ({
  default: (await import("#features/invoices/web/undo/undo-dialog.tsx")).UndoDialog,
}));

type Props = {
  realmId: string;
  upload: Pick<UploadSummary, "id" | "filename">;
  /** Whether the upload has invoices to undo. An open dialog stays when its own undo makes this false. */
  isUndoable: boolean;
  /** `text` among inline actions, `action` in an `ActionList`. */
  look: "text" | "action";
};

/** Opens the undo dialog. Nothing is undone before the user confirms there. */
export function UndoButton({ realmId, upload, isUndoable, look }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const open = () => {
    setOpen(true);
    setOpened(true);
  };
  if (!isUndoable && !wasOpened) return null;
  return (
    <>
      <Button
        variant="text"
        {...(look === "text" ? { size: "small" } : { startIcon: <Icon of={Undo2} size="small" /> })}
        aria-haspopup="dialog"
        aria-label={words.undoLabel(upload.filename)}
        onClick={open}
        data-print="never"
      >
        {words.undo}
      </Button>
      {wasOpened ? (
        <Suspense>
          <UndoDialog realmId={realmId} upload={upload} isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
