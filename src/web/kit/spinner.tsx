import CircularProgress from "@mui/material/CircularProgress";
import { type ReactNode, useEffect, useRef, useState } from "react";

type Props = { isBusy: boolean; label: string; children?: ReactNode };

/** Shows its children, or a named spinner while busy; once shown, it stays long enough to be seen. */
export function Loading({ isBusy, label, children }: Props) {
  const isShown = useShownBusy(isBusy);
  if (!isBusy && !isShown) return children;
  return (
    <div
      aria-busy="true"
      style={{ display: "flex", justifyContent: "center", alignItems: "center", height: 104 }}
    >
      {isShown ? <CircularProgress aria-label={label} /> : null}
    </div>
  );
}

/** A named spinner, centered in a fixed height; not shown for a quick answer. */
export const Spinner = ({ label }: { label: string }) => <Loading isBusy label={label} />;

/** A quick answer shows no spinner; once shown, it stays long enough to be seen. */
const SHOW_AFTER_MS = 200;
const SHOW_AT_LEAST_MS = 400;

/** Whether to show a busy state: after 200 ms, and then for at least 400 ms. */
export function useShownBusy(isBusy: boolean): boolean {
  const [isShown, setShown] = useState(false);
  const since = useRef(0);
  useEffect(() => {
    if (isBusy === isShown) return undefined;
    const shownMs = performance.now() - since.current;
    const wait = isBusy ? SHOW_AFTER_MS : Math.max(0, SHOW_AT_LEAST_MS - shownMs);
    const timer = setTimeout(() => {
      since.current = performance.now();
      setShown(isBusy);
    }, wait);
    return () => clearTimeout(timer);
  }, [isBusy, isShown]);
  return isShown;
}
