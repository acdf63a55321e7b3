import { failure } from "../samples.ts";
import { olive, Stage } from "../stage.tsx";
import { galleryWords } from "../words.ts";
import { Dialog } from "#web/kit/dialog.tsx";
import { FallbackScreen } from "#web/kit/fallback-screen.tsx";
import { signedOutSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import Button from "@mui/material/Button";
import { useRef, useState } from "react";

/** In place of a page that cannot be drawn. */
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

/** In place of a closed page: while the session loads, for a guest, and when the session cannot be read. */
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
