import { browserTimers, createAnnouncer } from "#web/kit/announcer.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";

/** `passing`: politely, and not at all once something newer is to be said. */
export type Politeness = "polite" | "passing" | "assertive";
type Announce = (text: string, politeness?: Politeness) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

/** Announces something to assistive technology without moving focus. */
export function useAnnounce(): Announce {
  return use(AnnounceContext);
}

/** The two live regions of the page, present from the start so that every message is announced. */
export function LiveRegions({ children }: { children: ReactNode }) {
  const [polite, setPolite] = useState("");
  const [assertive, setAssertive] = useState("");
  const announcers = useMemo(
    () => ({
      polite: createAnnouncer(browserTimers, (text) => setPolite((last) => differing(text, last))),
      assertive: createAnnouncer(browserTimers, (text) => setAssertive((last) => differing(text, last))),
    }),
    [],
  );
  const announce = useCallback<Announce>(
    (text, politeness = "polite") =>
      announcers[politeness === "assertive" ? "assertive" : "polite"].announce(text, {
        passing: politeness === "passing",
      }),
    [announcers],
  );
  useEffect(
    () => () => {
      announcers.polite.stop();
      announcers.assertive.stop();
    },
    [announcers],
  );
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" style={visuallyHidden}>
        {polite}
      </div>
      <div aria-live="assertive" style={visuallyHidden}>
        {assertive}
      </div>
    </AnnounceContext>
  );
}

// The same words twice would not be a change of the region, so nothing would be announced.
function differing(text: string, last: string): string {
  return text === last ? `${text}\u00a0` : text;
}
