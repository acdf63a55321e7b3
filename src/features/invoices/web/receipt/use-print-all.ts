import type { ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { useMutation } from "@tanstack/react-query";

/**
 * Prints the page with every invoice of the receipt. They are read for that print alone and forgotten after it: the
 * page on the screen never holds all of a long receipt.
 */
export function usePrintAll(readAll: () => Promise<readonly ReceiptInvoice[]>) {
  const { mutate, reset, isPending, data, error } = useMutation({ mutationFn: readAll, gcTime: 0 });
  const print = async () => {
    await drawn();
    window.addEventListener("afterprint", reset, { once: true });
    window.print();
  };
  return {
    isPreparing: isPending,
    printed: data ?? null,
    error,
    print: () => mutate(undefined, { onSuccess: () => void print() }),
  };
}

/** What was read is on the screen in the frame after the next at the latest. */
function drawn(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
}
