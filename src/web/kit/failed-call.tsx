import { copyText } from "#web/kit/copy-text.ts";
import { isUnanswered, errorMessage, supportId } from "#web/kit/api-error.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { focusHeading } from "#web/kit/focus.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import Button from "@mui/material/Button";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { useAnnounce } from "#web/kit/live-region.tsx";
import Box from "@mui/material/Box";

type Props = {
  /** The call's error; without one, nothing is shown. */
  error: unknown;
  /** Null for a message beside its control. */
  title?: string | null;
  /** For calls made by the page itself; a failed user action has its own button. */
  onRetry?: () => void;
};

/**
 * Explains why a call failed and the next step: retry, and for a server error the support id and a contact
 * link.
 */
export function FailedCall({ error, title = kitWords.errorTitle, onRetry }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [isRetried, setRetried] = useState(false);
  // Keeps focus from being lost when this disappears.
  useLayoutEffect(() => () => void (place.current?.contains(document.activeElement) && focusHeading()), []);
  const message = errorMessage(error);
  const id = supportId(error);
  if (message === null && !onRetry) return null;
  const retry = () => {
    setRetried(true);
    // The button disappears while waiting for the answer; focus stays in place.
    place.current?.focus();
    onRetry?.();
  };
  return (
    <div ref={place} tabIndex={-1} data-in-place={onRetry ? true : undefined} style={{ outline: "none" }}>
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

const words = kitWords.support;

/** Address of the contact page with the support id filled in. */
export const contactAddress = (supportId: string | null): string =>
  supportId ? `/contact/?${new URLSearchParams({ support_id: supportId })}` : "/contact/";

/** Id for looking up a failure, with a copy button; if copying is not allowed, the id is selected instead. */
export function SupportId({ id, children }: { id: string; children?: ReactNode }) {
  const announce = useAnnounce();
  const shown = useRef<HTMLElement>(null);
  const [note, setNote] = useState<string | null>(null);
  const copy = async () => {
    const isCopied = await copyText(id);
    if (!isCopied && shown.current) window.getSelection()?.selectAllChildren(shown.current);
    const outcome = isCopied ? words.copied : words.selected;
    setNote(outcome);
    announce(outcome);
  };
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 2, rowGap: 1, mt: 1.5 }}>
      <span>
        {words.label}{" "}
        <span ref={shown} style={{ overflowWrap: "anywhere" }}>
          {id}
        </span>
      </span>
      <Button variant="outlined" onClick={() => void copy()}>
        {words.copy}
      </Button>
      {children}
      {note ? <span aria-hidden="true">{note}</span> : null}
    </Box>
  );
}
