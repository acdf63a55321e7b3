import { isUnanswered, errorMessage, supportId } from "#web/kit/api-error.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { focusHeading } from "#web/kit/focus.ts";
import { contactAddress, SupportId } from "#web/kit/support-id.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import Button from "@mui/material/Button";
import { useLayoutEffect, useRef, useState } from "react";

type Props = {
  /** What the call threw; nothing is shown without it. */
  error: unknown;
  /** None for a message beside what it is about. */
  title?: string | null;
  /** For what was asked for by the page itself; a failure of what the user did has its own retry button. */
  onRetry?: () => void;
};

/** Why a call failed and what to do: try again, and after a failure of ours the support id and the way to us. */
export function FailedCall({ error, title = kitWords.errorTitle, onRetry }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isRetried, setRetried] = useState(false);
  // With it the keyboard would be nowhere.
  useLayoutEffect(() => () => void (place.current?.contains(document.activeElement) && focusHeading()), []);
  const message = errorMessage(error);
  const id = supportId(error);
  if (message === null && !onRetry) return null;
  const retry = () => {
    setRetried(true);
    // The button goes while the answer is awaited; the keyboard stays before what will come.
    place.current?.focus();
    onRetry?.();
  };
  return (
    <div ref={place} tabIndex={-1} style={{ outline: "none" }}>
      <ErrorBlock title={title} message={message} role={onRetry && !isRetried ? "group" : "alert"}>
        {isUnanswered(error) ? <p style={{ margin: "4px 0 0" }}>{kitWords.networkCure}</p> : null}
        {onRetry ? (
          <Button variant="outlined" onClick={retry} sx={{ mt: 1.5 }}>
            {kitWords.tryAgain}
          </Button>
        ) : null}
        {id ? (
          <SupportId id={id}>
            <PlainLink href={contactAddress(id)} style={{ color: "inherit" }}>
              {kitWords.support.contact}
            </PlainLink>
          </SupportId>
        ) : null}
      </ErrorBlock>
    </div>
  );
}
