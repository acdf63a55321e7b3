import { failure } from "../samples.ts";
import { olive, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";
import { Dialog } from "#web/kit/dialog.tsx";
import { FallbackScreen } from "#web/kit/fallback-screen.tsx";
import { signedOutSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/gates.tsx";
import Button from "@mui/material/Button";
import { useRef, useState } from "react";

/** The screen in place of a failed page. */
export function Fallback() {
  return <FallbackScreen error={failure} />;
}

/** The frame of all dialogs. */
export function DialogSection() {
  const close = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return null;
  return (
    <Dialog title={galleryWords.sections.dialog} first={close} onClose={() => setOpen(false)}>
      <p>{galleryWords.dialog.text}</p>
      <Button ref={close} variant="outlined" onClick={() => setOpen(false)}>
        {galleryWords.dialog.close}
      </Button>
    </Dialog>
  );
}

/** The sign-in gate: while the session loads, for a guest, and after a failed read. */
export function Gates() {
  return (
    <>
      {[
        { ...signedOutSession, authStatus: "loading" as const },
        { ...signedOutSession, authStatus: "error" as const },
        { ...olive, authStatus: "error" as const, authError: failure },
      ].map((session) => (
        <Stage key={`${session.authStatus} ${session.email}`} session={session}>
          <SignInGate>{null}</SignInGate>
        </Stage>
      ))}
    </>
  );
}
