import { BusyButton } from "#web/kit/busy-button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type ReactNode, useRef } from "react";

type Props = {
  title: string;
  /** Label of the button that changes nothing, which has the focus. */
  keep: string;
  confirm: string;
  isBusy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
  /** Consequences of the change. */
  children: ReactNode;
};

/** Asks before a change that can't be undone, and stays open until it has succeeded. */
export function Question({ title, keep, confirm, isBusy, error, onConfirm, onClose, children }: Props) {
  const first = useRef<HTMLButtonElement>(null);
  return (
    <Dialog title={title} first={first} onClose={onClose}>
      {children}
      <FailedCall error={error} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mt: 3 }}>
        <Button ref={first} variant="outlined" onClick={onClose}>
          {keep}
        </Button>
        <BusyButton label={confirm} variant="contained" isBusy={isBusy} onClick={onConfirm} />
      </Box>
    </Dialog>
  );
}
