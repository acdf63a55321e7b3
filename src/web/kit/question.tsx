import { BusyButton } from "#web/kit/busy-button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";

type Props = {
  title: string;
  /** Label of the button that changes nothing, which has the focus. */
  keep: string;
  confirm: string;
  change: () => Promise<unknown>;
  /** Announced after the change. */
  done: string;
  /** Keys of the queries that are read again then. */
  changed: readonly QueryKey[];
  onClose: () => void;
  /** Consequences of the change. */
  children: ReactNode;
};

/** Asks before a change that can't be undone, makes it, and stays open until it has succeeded. */
export function Question({ title, keep, confirm, change, done, changed, onClose, children }: Props) {
  const first = useRef<HTMLButtonElement>(null);
  const announce = useAnnounce();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: change,
    onSuccess: async () => {
      announce(done);
      await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
      onClose();
    },
  });
  return (
    <Dialog title={title} first={first} onClose={onClose}>
      {children}
      <FailedCall error={error} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mt: 3 }}>
        <Button ref={first} variant="outlined" onClick={onClose}>
          {keep}
        </Button>
        <BusyButton label={confirm} variant="contained" isBusy={isPending} onClick={() => mutate()} />
      </Box>
    </Dialog>
  );
}
