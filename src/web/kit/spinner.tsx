import { useShownBusy } from "#web/kit/use-shown-busy.ts";
import CircularProgress from "@mui/material/CircularProgress";
import type { ReactNode } from "react";

type Props = { label: string; height?: number };

/** A named spinner, centred in a place of a fixed height (px); a quick answer makes no flash of it. */
export function Spinner({ label, height }: Props) {
  return <Place label={label} height={height} isShown={useShownBusy(true)} />;
}

/** What is waited for, in its place a spinner: one that has appeared stays long enough to be seen. */
export function Loading({ isBusy, children, ...place }: Props & { isBusy: boolean; children: ReactNode }) {
  const isShown = useShownBusy(isBusy);
  return isBusy || isShown ? <Place {...place} isShown={isShown} /> : children;
}

function Place({
  label,
  height = 104,
  isShown,
}: {
  label: string;
  height?: number | undefined;
  isShown: boolean;
}) {
  return (
    <div aria-busy="true" style={{ display: "flex", justifyContent: "center", alignItems: "center", height }}>
      {isShown ? <CircularProgress aria-label={label} /> : null}
    </div>
  );
}
