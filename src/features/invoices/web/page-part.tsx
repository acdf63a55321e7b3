import { errorMessage } from "#web/kit/api-error.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { useReporter } from "#web/kit/reporter.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import Button from "@mui/material/Button";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { ErrorBoundary } from "react-error-boundary";

/**
 * A part of the page that its address opened. Focus moves to it when it appears, unless the user is typing or chose it
 * by a tab (`isQuiet`). If a release has replaced its code and it cannot be loaded, the rest of the page stays with
 * the text typed there.
 */
export function PagePart({ isQuiet = false, children }: { isQuiet?: boolean; children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null);
  const reporter = useReporter();
  useEffect(() => {
    if (part.current && !isQuiet && !isTextField(document.activeElement)) focusPart(part.current);
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

/** Focuses a part and scrolls its heading to the top: a part grows while it loads. */
function focusPart(part: HTMLElement) {
  const { top } = part.getBoundingClientRect();
  part.focus({ preventScroll: true });
  if (top < 0 || top > window.innerHeight / 2) part.scrollIntoView({ block: "start" });
}

/** Whether the user may be typing in the field: a part that appears late must not take the next keystroke. */
function isTextField(element: Element | null): boolean {
  return element?.matches("input:not([type=radio], [type=checkbox], [type=file]), textarea") ?? false;
}
