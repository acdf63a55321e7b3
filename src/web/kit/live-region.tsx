import { createAnnouncer } from "#web/kit/announcer.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";

/** `passing`: politely, and not at all once something newer is to be said. */
type Politeness = "polite" | "passing" | "assertive";
type Announce = (text: string, politeness?: Politeness) => void;

const AnnounceContext = createContext<Announce>(() => undefined);

/** Announces something to assistive technology without moving focus. */
export function useAnnounce(): Announce {
  return use(AnnounceContext);
}

/** The two live regions of the page, present from the start so that every message is announced. */
export function LiveRegions({ children }: { children: ReactNode }) {
  const [polite, announcePolitely] = useRegion();
  const [assertive, announceAtOnce] = useRegion();
  const announce = useCallback<Announce>(
    (text, politeness) => {
      if (politeness === "assertive") announceAtOnce(text);
      else announcePolitely(text, { passing: politeness === "passing" });
    },
    [announcePolitely, announceAtOnce],
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

function useRegion() {
  const [shown, setShown] = useState("");
  // The same words twice would not be a change of the region, so nothing would be announced.
  const [{ announce, stop }] = useState(() =>
    createAnnouncer((text) => setShown((last) => (text === last ? `${text}\u00a0` : text))),
  );
  useEffect(() => stop, [stop]);
  return [shown, announce] as const;
}
