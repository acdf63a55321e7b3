import type { ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { useState } from "react";

/**
 * Prints the page with every invoice of the receipt. They are read for that print alone and forgotten after it: the
 * page on the screen never holds all of a long receipt.
 */
export function usePrintAll(readAll: () => Promise<readonly ReceiptInvoice[]>) {
  const [isPreparing, setPreparing] = useState(false);
  const [printed, setPrinted] = useState<readonly ReceiptInvoice[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const print = async () => {
    setPreparing(true);
    setError(null);
    try {
      setPrinted(await readAll());
    } catch (reason) {
      setError(reason);
      return;
    } finally {
      setPreparing(false);
    }
    await drawn();
    window.addEventListener("afterprint", () => setPrinted(null), { once: true });
    window.print();
  };
  return { isPreparing, printed, error, print: () => void print() };
}

/** What was set is on the screen in the frame after the next at the latest. */
function drawn(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
}
