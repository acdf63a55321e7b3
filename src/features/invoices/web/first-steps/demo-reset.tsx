import { resetDemo } from "#features/admin/contract.ts";
import { stepWords as words } from "#features/invoices/web/first-steps/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { takeFocus } from "#web/kit/focus.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

/** Puts the demo back, after saying what goes. */
export function DemoReset() {
  const [asked, setAsked] = useState(false);
  const reset = useMutation({
    mutationFn: () => call(resetDemo, {}),
    // Everything the page knows is of before.
    onSuccess: () => window.location.assign("/app/"),
  });
  if (!asked) {
    return (
      <Button variant="outlined" onClick={() => setAsked(true)}>
        {words.reset}
      </Button>
    );
  }
  return (
    <div role="group" aria-label={words.reset}>
      <p style={{ marginTop: 0 }}>{words.resetQuestion}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2 }}>
        <BusyButton
          label={words.resetNow}
          variant="contained"
          color="cancel"
          isBusy={reset.isPending}
          onClick={reset.mutate}
        />
        {/* The button that asked is gone, so focus goes to the harmless answer. */}
        <Button ref={takeFocus} variant="outlined" onClick={() => setAsked(false)}>
          {words.keep}
        </Button>
      </Box>
      <FailedCall title={words.resetError} error={reset.error} />
    </div>
  );
}
