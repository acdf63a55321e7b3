import CircularProgress from "@mui/material/CircularProgress";
import { useEffect, useState } from "react";

/** Nothing appears before this, so that a quick answer makes no flash. */
const SHOW_AFTER_MS = 200;

/** A named spinner, centred in a place of a fixed height (px). */
export function Spinner({ label, height = 104 }: { label: string; height?: number }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" style={{ display: "flex", justifyContent: "center", alignItems: "center", height }}>
      {shown ? <CircularProgress aria-label={label} /> : null}
    </div>
  );
}
