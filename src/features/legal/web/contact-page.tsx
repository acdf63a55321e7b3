import { ContactForm } from "#features/legal/web/contact-form.tsx";
import { legalWords } from "#features/legal/web/words.ts";
import { useHeadingFocus } from "#web/kit/focus.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { Sheet } from "#web/kit/card.tsx";
import Button from "@mui/material/Button";
import { useState } from "react";

const words = legalWords.contact;

/** Contact page, without sign-in. */
export function ContactPage() {
  const [sent, setSent] = useState(false);
  const announce = useAnnounce();
  useHeadingFocus(sent ? "thanks" : "form");
  const onSent = () => {
    setSent(true);
    announce(words.thanks);
  };
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <Sheet>
        {sent ? (
          <>
            <p>{words.thanks}</p>
            <Button variant="outlined" onClick={() => setSent(false)}>
              {words.another}
            </Button>
          </>
        ) : (
          <ContactForm onSent={onSent} />
        )}
      </Sheet>
    </>
  );
}
