import { MAX_REASON } from "#features/admin/contract.ts";
import type { ListRow } from "#features/admin/lists/contract.ts";
import type { RowAction } from "#features/admin/web/columns.ts";
import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { Dialog } from "#web/kit/dialog.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

const words = adminWords.reason;

/**
 * Actions of a row, side by side where there is room, destructive ones on a line below. An error message below an action
 * doesn't squeeze the other columns.
 */
export const Actions = styled("div")(({ theme }) => ({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  columnGap: 16,
  "& > .MuiButton-root, & > div > .MuiButton-root": {
    minWidth: 0,
    margin: "0 -4px",
    padding: "2px 4px",
    whiteSpace: "nowrap",
  },
  "& > div:has(> .MuiButton-colorError)": { flexBasis: "100%" },
  [theme.breakpoints.up("md")]: { maxWidth: "12rem" },
}));

/** The changes that a row offers. Each asks for its reason in a dialog. */
export function RowActions({ row, actions }: { row: ListRow; actions: readonly RowAction[] }) {
  const [chosen, choose] = useState<RowAction | null>(null);
  return (
    <>
      {actions
        .filter(({ isOffered }) => isOffered(row))
        .map((action) => (
          <Button
            key={action.label}
            variant="text"
            size="small"
            {...(action.isDestructive ? { color: "error" as const } : {})}
            onClick={() => choose(action)}
          >
            <span>{action.label}</span>
            <span style={visuallyHidden}>&nbsp;{row.key}</span>
          </Button>
        ))}
      {chosen ? <ReasonDialog row={row} action={chosen} onClose={() => choose(null)} /> : null}
    </>
  );
}

function ReasonDialog({ row, action, onClose }: { row: ListRow; action: RowAction; onClose: () => void }) {
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => action.change(row, reason),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: [ADMIN_KEY] }),
  });
  return (
    <Dialog title={action.label} first={field} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate();
        }}
      >
        <p style={{ marginTop: 0 }}>{action.question(row)}</p>
        <TextInput
          ref={field}
          label={words.label}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          maxLength={MAX_REASON}
          required
        />
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, mt: 3 }}>
          <SubmitButton
            type="submit"
            variant="contained"
            label={action.label}
            isBusy={isPending}
            error={error}
          />
          <Button variant="text" onClick={onClose}>
            {words.cancel}
          </Button>
        </Box>
      </form>
    </Dialog>
  );
}
