import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { focusHeading } from "#web/kit/focus.ts";
import { useCommand } from "#web/kit/query-client.ts";
import { radii } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { type QueryKey } from "@tanstack/react-query";
import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useRef } from "react";
import { createPortal } from "react-dom";

const Frame = styled("dialog")(({ theme }) => ({
  width: "min(48rem, calc(100vw - 32px))",
  maxHeight: "calc(100dvh - 32px)",
  boxSizing: "border-box",
  overflow: "auto",
  padding: 24,
  border: "1px solid",
  borderColor: (theme.vars ?? theme).palette.divider,
  borderRadius: radii.panel,
  color: (theme.vars ?? theme).palette.text.primary,
  boxShadow: "var(--shadow)",
  backgroundColor: (theme.vars ?? theme).palette.background.raised,
  "&::backdrop": { backgroundColor: "rgb(0 0 0 / 55%)" },
  [theme.breakpoints.down("sm")]: { padding: 16 },
}));

type Props = {
  title: string;
  /** The element that takes focus when the dialog opens. */
  first: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
};

/**
 * The browser's own modal dialog: keeps focus inside, closes on Escape and returns focus to its opener. It is
 * at the end of the page, so that it inherits no styles from its opener. Material UI's costs 6.5 kB for the same.
 */
export function Dialog({ title, first, onClose, children }: Props) {
  const frame = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = frame.current;
    const opener = document.activeElement;
    dialog?.showModal();
    first.current?.focus();
    return () => {
      dialog?.close();
      // A dialog that was removed from the page can't return focus on its own; its opener may be gone too.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else focusHeading();
    };
  }, [first]);
  // Otherwise the browser would close it first and report later, losing a request to reopen in between.
  const cancelled = (event: SyntheticEvent) => {
    if (event.target !== frame.current) return;
    event.preventDefault();
    onClose();
  };
  // A browser may close it without a cancel event. After the cleanup above, the dialog is open again or
  // gone.
  const closed = () => (frame.current?.open ? undefined : onClose());
  return createPortal(
    <Frame ref={frame} aria-labelledby={id} onCancel={cancelled} onClose={closed}>
      <h2 id={id} style={{ marginTop: 0, overflowWrap: "anywhere" }}>
        {title}
      </h2>
      {children}
    </Frame>,
    document.body,
  );
}

type QuestionProps = {
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
export function Question({ title, keep, confirm, change, done, changed, onClose, children }: QuestionProps) {
  const first = useRef<HTMLButtonElement>(null);
  const { mutate, isPending, error } = useCommand(change, { done, changed });
  return (
    <Dialog title={title} first={first} onClose={onClose}>
      {children}
      <FailedCall error={error} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mt: 3 }}>
        <Button ref={first} variant="outlined" onClick={onClose}>
          {keep}
        </Button>
        <BusyButton
          label={confirm}
          variant="contained"
          isBusy={isPending}
          onClick={() => mutate(undefined, { onSuccess: onClose })}
        />
      </Box>
    </Dialog>
  );
}
