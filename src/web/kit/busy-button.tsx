import { FailedCall } from "#web/kit/failed-call.tsx";
import { useShownBusy } from "#web/kit/use-shown-busy.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Button, { type ButtonProps } from "@mui/material/Button";
import CircularProgress from "@mui/material/CircularProgress";
import type { Ref } from "react";

type Props = Pick<ButtonProps, "variant" | "color" | "type" | "size" | "disabled" | "sx" | "startIcon"> & {
  label: string;
  /** What distinguishes it from buttons with the same label; read out, not seen. */
  detail?: string | undefined;
  isBusy: boolean;
  onClick?: () => void;
  ref?: Ref<HTMLButtonElement>;
};

/**
 * A button for what takes a while. Busy, it keeps its width and the keyboard's focus, and a second click does nothing;
 * after a failure it works again.
 */
export function BusyButton({ label, detail, isBusy, onClick, variant = "outlined", ...look }: Props) {
  const isSpinning = useShownBusy(isBusy);
  return (
    <Button
      {...look}
      variant={variant}
      aria-busy={isBusy}
      {...(isBusy ? { "aria-disabled": true } : {})}
      onClick={(event) => {
        // What a button sends would be sent twice.
        if (isBusy) event.preventDefault();
        else onClick?.();
      }}
    >
      <span style={isSpinning ? { opacity: 0 } : undefined}>{label}</span>
      {detail ? <span style={visuallyHidden}>&nbsp;{detail}</span> : null}
      {isSpinning ? (
        <CircularProgress aria-hidden="true" color="inherit" size={20} sx={{ position: "absolute" }} />
      ) : null}
    </Button>
  );
}

type TriedProps = Props & {
  /** What went wrong the last time, shown beside the button. */
  error: unknown;
};

/** A busy button with its own failures beside it. */
export function TriedButton({ error, ...button }: TriedProps) {
  return (
    <div style={{ display: "inline-flex", flexWrap: "wrap", alignItems: "center", columnGap: 12 }}>
      <BusyButton {...button} />
      <FailedCall title={null} error={button.isBusy ? null : error} />
    </div>
  );
}
