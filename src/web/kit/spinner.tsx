import { useShownBusy } from "#web/kit/use-shown-busy.ts";
import CircularProgress from "@mui/material/CircularProgress";
import type { ReactNode } from "react";

type Props = { isBusy: boolean; label: string; children?: ReactNode };

/** What is waited for, in its place a named spinner: one that has appeared stays long enough to be seen. */
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

/** A named spinner, centered in a place of a fixed height; a quick answer makes no flash of it. */
export const Spinner = ({ label }: { label: string }) => <Loading isBusy label={label} />;
