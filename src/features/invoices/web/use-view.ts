import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** Parts of the Upload page that an address can name: `/app/?check={id}`, `?receipt={id}`, `?form=1`, `?names=1`. */
const PARTS = ["check", "receipt", "form", "names"] as const;
export type ViewPart = (typeof PARTS)[number];

/** What the address asks the page to show, and ways to change that. */
export function useView() {
  const [params, setParams] = useSearchParams();
  const change = (part: ViewPart, value: string | null) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === null) next.delete(part);
      else next.set(part, value);
      return next;
    });
  const closeAll = useCallback(
    () =>
      setParams((before) => {
        const next = new URLSearchParams(before);
        for (const part of PARTS) next.delete(part);
        return next;
      }),
    [setParams],
  );
  return {
    checkId: params.get("check"),
    receiptId: params.get("receipt"),
    form: params.has("form"),
    names: params.has("names"),
    open: (part: ViewPart, value = "1") => change(part, value),
    close: (part: ViewPart) => change(part, null),
    closeAll,
  };
}
