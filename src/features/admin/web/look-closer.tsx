import type { ListRow } from "#features/admin/lists/contract.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { playRecording } from "#features/telemetry/contract.ts";
import { Dialog } from "#web/kit/dialog.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useRef, useState } from "react";

/** Shows where an error happened; nothing if its reports don't say. */
export function StackButton({ row: { key, title, stack } }: { row: ListRow<"errors"> }) {
  const words = adminWords.errors;
  const [isOpen, setOpen] = useState(false);
  const close = useRef<HTMLButtonElement>(null);
  if (stack === "") return null;
  const onClose = () => setOpen(false);
  return (
    <>
      <Button variant="text" size="small" onClick={() => setOpen(true)}>
        <span>{words.open}</span>
        <span style={visuallyHidden}>&nbsp;{key}</span>
      </Button>
      {isOpen ? (
        <Dialog title={words.stack} first={close} onClose={onClose}>
          <Box sx={{ overflowWrap: "anywhere" }}>{title}</Box>
          <Box
            component="pre"
            sx={{ typography: "caption", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
          >
            {stack}
          </Box>
          <Button ref={close} variant="outlined" onClick={onClose}>
            {words.close}
          </Button>
        </Dialog>
      ) : null}
    </>
  );
}

/** Leads to the page that plays a recording. */
export function PlayLink({ row: { key } }: { row: ListRow<"recordings"> }) {
  return (
    <Button
      variant="text"
      size="small"
      href={playRecording.path.replace(":recording_id", key.replaceAll("-", ""))}
    >
      <span>{adminWords.recordings.play}</span>
      <span style={visuallyHidden}>&nbsp;{key}</span>
    </Button>
  );
}
