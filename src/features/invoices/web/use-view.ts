import { clearNotice } from "#web/kit/clear-notice.ts";
import { useIsHere } from "#web/kit/use-is-here.ts";
import { useCallback } from "react";
import { useSearchParams } from "react-router";

/**
 * Parts of the Upload page that an address can open: `/app/?check={id}`, `?receipt={id}`, `?form=1`,
 * `?names=1`.
 */
export type ViewPart = "check" | "receipt" | "form" | "names";

/** Reads the part of the page from the address, and changes it. */
export function useView() {
  const [params, setParams] = useSearchParams();
  const isHere = useIsHere();
  const change = (part: ViewPart, value: string | null) => {
    if (!isHere()) return;
    setParams((before) => {
      const next = clearNotice(before);
      if (value === null) next.delete(part);
      else {
        next.set(part, value);
        // Each part fills the page.
        if (part === "check") next.delete("receipt");
        if (part === "receipt") next.delete("check");
      }
      return next;
    });
  };
  return {
    checkId: params.get("check"),
    receiptId: params.get("receipt"),
    form: params.has("form"),
    names: params.has("names"),
    open: (part: ViewPart, value: string) => change(part, value),
    close: (part: ViewPart) => change(part, null),
    /**
     * Replaces one part by another, in the history too, so that the back button does not lead to a part that
     * is gone.
     */
    replace: (part: ViewPart, by: ViewPart, value: string) =>
      setParams(
        (before) => {
          const next = clearNotice(before);
          next.delete(part);
          next.set(by, value);
          return next;
        },
        { replace: true },
      ),
    /** Removes the notice that the company was just connected, once invoices were posted. */
    clearNotice: () => {
      if (isHere()) setParams(clearNotice, { replace: true });
    },
    closeAll: useCallback(() => setParams({}), [setParams]),
  };
}
