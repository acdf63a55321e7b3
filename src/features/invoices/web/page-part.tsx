import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { type ReactNode, Suspense, useEffect, useRef } from "react";

/** A part of the page that was opened by an address: the keyboard goes to it when it appears. */
export function PagePart({ children }: { children: ReactNode }) {
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => part.current?.focus(), []);
  return (
    <div ref={part} tabIndex={-1} style={{ outline: "none", scrollMarginTop: "5rem" }}>
      <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>{children}</Suspense>
    </div>
  );
}
