import { errorMessage } from "#web/kit/api-error.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { useReporter } from "#web/kit/reporter.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import Button from "@mui/material/Button";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { ErrorBoundary } from "react-error-boundary";

/**
 * A part of the page that was opened by an address: the focus goes to it when it appears, unless the user is typing or
 * chose it by a tab (`isQuiet`).
 * When it cannot be loaded, because a release has replaced it, the rest of the page stays with what was typed there.
 */
export function PagePart({ isQuiet = false, children }: { isQuiet?: boolean; children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null);
  const reporter = useReporter();
  useEffect(() => {
    if (part.current && !isQuiet && !isTextField(document.activeElement)) goTo(part.current);
  }, [isQuiet]);
  return (
    <div ref={part} tabIndex={-1} style={{ outline: "none", scrollMarginTop: "5rem" }}>
      <ErrorBoundary
        onError={(error) => reporter.report(error)}
        fallbackRender={({ error }) => (
          <ErrorBlock title={kitWords.fallback.title} message={errorMessage(error)}>
            <Button variant="outlined" onClick={() => window.location.reload()} sx={{ mt: 1.5 }}>
              {kitWords.fallback.reload}
            </Button>
          </ErrorBlock>
        )}
      >
        <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>{children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** What grows when it is read must not stand with its head at the foot of the screen. */
function goTo(part: HTMLElement) {
  const { top } = part.getBoundingClientRect();
  part.focus({ preventScroll: true });
  if (top < 0 || top > window.innerHeight / 2) part.scrollIntoView({ block: "start" });
}

/** A part may appear late, when what it waited for is answered: the next letter must not be lost then. */
function isTextField(element: Element | null): boolean {
  return element?.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea") ?? false;
}
