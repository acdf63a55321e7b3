import { useState } from "react";

type Page = { hasNextPage: boolean; isError: boolean };
type Pages = { hasNextPage: boolean; fetchNextPage: () => Promise<Page> };

/** Prints the page once every invoice of the receipt is on it. */
export function usePrintAll({ hasNextPage, fetchNextPage }: Pages) {
  const [isPreparing, setPreparing] = useState(false);
  const print = async () => {
    setPreparing(true);
    for (let isMore = hasNextPage; isMore;) {
      const page = await fetchNextPage();
      isMore = page.hasNextPage && !page.isError;
    }
    setPreparing(false);
    await drawn();
    window.print();
  };
  return { isPreparing, print: () => void print() };
}

/** What has come is on the screen in the frame after the next at the latest. */
function drawn(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
}
