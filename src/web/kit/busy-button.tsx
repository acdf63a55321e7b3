import { FailedCall } from "#web/kit/failed-call.tsx";
import { useShownBusy } from "#web/kit/spinner.tsx";
import { LinkButton } from "#web/kit/text-link.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Button, { type ButtonProps } from "@mui/material/Button";
import CircularProgress from "@mui/material/CircularProgress";
import type { MouseEvent, Ref } from "react";

type Props = Pick<ButtonProps, "color" | "type" | "size" | "disabled" | "sx" | "startIcon"> & {
  /** A link among links has no other look. */
  variant?: ButtonProps["variant"] | "link";
  label: string;
  /** Distinguishes it from buttons with the same label; for screen readers only. */
  detail?: string | undefined;
  isBusy: boolean;
  onClick?: () => void;
  ref?: Ref<HTMLButtonElement>;
};

/**
 * A button for slow actions. While busy it keeps its width and focus, and ignores a second click; after a
 * failure it works again.
 */
export function BusyButton({ label, detail, isBusy, onClick, variant = "outlined", ...look }: Props) {
  const isSpinning = useShownBusy(isBusy);
  const shared = {
    "aria-busy": isBusy,
    ...(isBusy ? { "aria-disabled": true } : {}),
    onClick: (event: MouseEvent) => {
      // A second click must not send the form again.
      if (isBusy) event.preventDefault();
      else onClick?.();
    },
    children: (
      <>
        <span style={isSpinning ? { opacity: 0 } : undefined}>{label}</span>
        {detail ? <span style={visuallyHidden}>&nbsp;{detail}</span> : null}
        {isSpinning ? (
          <CircularProgress aria-hidden="true" color="inherit" size={20} sx={{ position: "absolute" }} />
        ) : null}
      </>
    ),
  };
  return variant === "link" ? (
    <LinkButton type="button" {...shared} />
  ) : (
    <Button {...look} variant={variant} {...shared} />
  );
}

type TriedProps = Props & {
  /** The last failure, shown beside the button. */
  error: unknown;
};

/** A busy button that shows its own failures beside it. */
export function SubmitButton({ error, ...button }: TriedProps) {
  return (
    <div style={{ display: "inline-flex", flexWrap: "wrap", alignItems: "center", columnGap: 12 }}>
      <BusyButton {...button} />
      <FailedCall title={null} error={button.isBusy ? null : error} />
    </div>
  );
}
