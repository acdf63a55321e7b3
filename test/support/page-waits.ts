import { configure, getConfig } from "@testing-library/react";

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

/** The library says this to itself only; its types leave it out. */
const isWaiting = (): boolean => Reflect.get(getConfig(), "_disableExpensiveErrorDiagnostics") === true;
