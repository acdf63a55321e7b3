import type { UploadSummary } from "#features/invoices/contract.ts";
import { UndoDialog } from "#features/invoices/web/undo/lazy-undo-dialog.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import Button from "@mui/material/Button";
import { Undo2 } from "lucide-react";
import { Suspense, useState } from "react";

const words = uploadWords.results;

type Props = {
  realmId: string;
  upload: Pick<UploadSummary, "id" | "filename">;
  /** Whether the upload has anything to undo. The dialog stays while the undo it started takes just that away. */
  isUndoable: boolean;
  /** `text` in a line of other actions, `action` in an `ActionList`. */
  look: "text" | "action";
};

/** Opens what undoing an upload would do. Nothing is undone before it is confirmed there. */
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
        aria-label={words.undoOf(upload.filename)}
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
