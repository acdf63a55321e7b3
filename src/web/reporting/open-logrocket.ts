import { LOGROCKET_PATH } from "#features/telemetry/contract.ts";
import { boot } from "#web/kit/boot.ts";
import type { ReportedUser } from "#web/kit/reporter.ts";
import { BLOCKED, hideAddress } from "#web/reporting/hide-contents.ts";
import type { Recorder } from "#web/reporting/open-recorder.ts";
import setup from "logrocket/setup.js";

/** Attributes that may quote documents. LogRocket takes a list of those it hides, not of those it keeps. */
const HIDDEN_ATTRIBUTES =
  "alt aria-controls aria-describedby aria-description aria-label aria-labelledby aria-valuetext content data-head download for href id label name placeholder src srcset title value".split(
    " ",
  );

/**
 * Has LogRocket record the page for an app, as far as our own recorder would: without what the page says. Its package queues
 * at most 1,000 calls until its script has arrived, and reports a quarter of its own faults for apps of one prefix.
 */
export function openLogRocket(appId: string): Recorder {
  // Complete, because it is also used in a worker, which has no address of its own.
  const ours = `${window.location.origin}${LOGROCKET_PATH}`;
  const logRocket = setup({ sdkServer: ours, ingestServer: ours });
  logRocket.init(appId, {
    release: boot.release,
    shouldCaptureIP: false,
    // Lines of the console and messages of errors may quote documents. Errors are reported to our own server.
    console: { isEnabled: false },
    shouldDetectExceptions: false,
    network: {
      requestSanitizer: ({ reqId, method, url }) => ({ reqId, method, url: hideAddress(url), headers: {} }),
      responseSanitizer: ({ reqId, method, status }) => ({
        reqId,
        method,
        status: status ?? null,
        headers: {},
      }),
    },
    browser: { urlSanitizer: hideAddress },
    dom: {
      textSanitizer: true,
      inputSanitizer: true,
      imageSanitizer: true,
      hideSelectors: BLOCKED,
      hiddenAttributes: HIDDEN_ATTRIBUTES,
      disablePageTitles: true,
    },
  });
  return {
    identify(user: ReportedUser | null) {
      if (user === null) logRocket.startNewSession();
      else logRocket.identify(user.username, { name: user.name, email: user.email });
    },
    upload({ id }) {
      logRocket.track("Error report", { id });
      return Promise.resolve();
    },
  };
}
