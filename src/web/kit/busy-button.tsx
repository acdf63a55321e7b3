import { messageOf } from "#web/kit/api-error.ts";
import { useShownBusy } from "#web/kit/use-shown-busy.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import CircularProgress from "@mui/material/CircularProgress";

type Props = {
  label: string;
  /** What tells it from buttons with the same label; heard, not seen. */
  detail?: string | undefined;
  isBusy: boolean;
  /** What went wrong the last time, shown beside the button. */
  error: unknown;
  onClick: () => void;
};

/**
 * A button for what takes a while. Busy, it keeps its width and the keyboard's focus, and a second click does nothing;
 * after a failure it works again.
 */
export function BusyButton({ label, detail, isBusy, error, onClick }: Props) {
  const isSpinning = useShownBusy(isBusy);
  const message = isBusy ? null : messageOf(error);
  return (
    <Box component="span" sx={{ display: "inline-flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
      <Button
        variant="outlined"
        aria-busy={isBusy}
        {...(isBusy ? { "aria-disabled": true } : {})}
        onClick={() => (isBusy ? undefined : onClick())}
      >
        <span style={isSpinning ? { opacity: 0 } : undefined}>{label}</span>
        {detail ? <span style={visuallyHidden}>&nbsp;{detail}</span> : null}
        {isSpinning ? (
          <CircularProgress aria-hidden="true" color="inherit" size={20} sx={{ position: "absolute" }} />
        ) : null}
      </Button>
      {message ? (
        <Box
          component="span"
          role="alert"
          sx={(theme) => ({
            px: 1,
            py: 0.5,
            borderRadius: 1,
            overflowWrap: "anywhere",
            color: theme.vars?.palette.status.red.text,
            backgroundColor: theme.vars?.palette.status.red.fill,
          })}
        >
          {message}
        </Box>
      ) : null}
    </Box>
  );
}
