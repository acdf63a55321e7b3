import { cleanup, configure, getConfig } from "@testing-library/react";
import { afterEach } from "vitest";

const { getElementError } = getConfig();

configure({
  // A busy machine draws late.
  asyncUtilTimeout: 20_000,
  // Who waits for something asks again and again: the document is printed when the wait ends without result, not each time.
  getElementError: (message, container) =>
    isWaiting()
      ? Object.assign(new Error(message ?? ""), { name: "TestingLibraryElementError" })
      : getElementError(message, container),
});

// The next file's tests would find the page that the last test left.
afterEach(cleanup);

/** The library says this to itself only; its types leave it out. */
const isWaiting = (): boolean => Reflect.get(getConfig(), "_disableExpensiveErrorDiagnostics") === true;
