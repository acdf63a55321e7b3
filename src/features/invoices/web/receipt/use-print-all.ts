import { useEffect, useState } from "react";

type Pages = {
  /** Pages read so far. */
  pageCount: number;
  hasNextPage: boolean;
  fetchNextPage: () => Promise<{ isError: boolean }>;
};

/** Prints the page once every invoice of the receipt is on it. */
export function usePrintAll({ pageCount, hasNextPage, fetchNextPage }: Pages) {
  const [isPreparing, setPreparing] = useState(false);
  useEffect(() => {
    if (!isPreparing) return;
    if (hasNextPage) {
      void fetchNextPage().then(({ isError }) => {
        if (isError) setPreparing(false);
      });
      return;
    }
    setPreparing(false);
    window.print();
    // Each page that has come asks for the next.
  }, [isPreparing, pageCount, hasNextPage, fetchNextPage]);
  return { isPreparing, print: () => setPreparing(true) };
}
