import { ContactForm } from "#features/legal/web/contact-form.tsx";
import { legalWords } from "#features/legal/web/words.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { PageTitle } from "#web/kit/page-title.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import Button from "@mui/material/Button";
import { useState } from "react";

const words = legalWords.contact;

/** A form that reaches the people who run the product; no sign-in needed. */
export function ContactPage() {
  const { authStatus } = useSession();
  const [sent, setSent] = useState(false);
  const announce = useAnnounce();
  const onSent = () => {
    setSent(true);
    announce(words.thanks);
  };
  return (
    <div style={{ maxWidth: "70ch" }}>
      <PageTitle>{words.title}</PageTitle>
      {sent ? (
        <>
          <p>{words.thanks}</p>
          <Button variant="outlined" onClick={() => setSent(false)}>
            {words.another}
          </Button>
        </>
      ) : authStatus === "success" || authStatus === "error" ? (
        <ContactForm onSent={onSent} />
      ) : (
        // The form is drawn once it is known whom to fill in.
        <Spinner label={kitWords.loadingAccount} height={480} />
      )}
    </div>
  );
}
