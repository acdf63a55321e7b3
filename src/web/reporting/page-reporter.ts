import { boot } from "#web/kit/boot.ts";
import { classifyError } from "#web/kit/report-rules.ts";
import { consoleReporter, type ReportedUser, type Reporter } from "#web/kit/reporter.ts";
import type { Recorder } from "#web/reporting/open-recorder.ts";
import type { ReportSender } from "#web/reporting/open-sender.ts";
import { reportsRecorderFailure } from "#web/reporting/rules-recorder.ts";

/** The recorder is loaded when the page has long been usable. */
const RECORD_AFTER_MS = 10_000;

/**
 * Creates the reporter of the page, and listens for errors that nothing catches. The SDK is loaded at the first
 * report, so that a page without errors loads nothing of it; the recorder a while after a user is known.
 */
export function createPageReporter(): Reporter {
  let user: ReportedUser | null = null;
  let loading: Promise<ReportSender> | null = null;
  let recording: Promise<Recorder | null> | null = null;
  const send = async (error: unknown) => {
    if (boot.dsn === null) return;
    const project = { dsn: boot.dsn, release: boot.release };
    loading ??= import("#web/reporting/open-sender.ts").then(({ openSender }) => openSender(project));
    try {
      const id = (await loading).send(error, user);
      await (await recording)?.upload({ id, user });
    } catch {
      // Without a connection; the next report tries to load it again.
      loading = null;
    }
  };
  const onUncaught = (error: unknown) => {
    if (error instanceof Error && classifyError(error, window.location.origin) === "report") void send(error);
  };
  const nameUser = () => void recording?.then((recorder) => recorder?.identify(user));
  const record = () => {
    if (recording !== null || user === null) return;
    // Without a connection: this page is not recorded.
    recording = loadRecorder(onUncaught).catch(() => null);
    nameUser();
  };
  window.addEventListener("error", ({ error }) => onUncaught(error));
  window.addEventListener("unhandledrejection", ({ reason }) => onUncaught(reason));
  return {
    report(error) {
      const verdict = classifyError(error, window.location.origin);
      if (verdict !== "ignore") consoleReporter.report(error);
      if (verdict === "report") void send(error);
    },
    identify(next) {
      user = next;
      nameUser();
      if (user !== null) setTimeout(record, RECORD_AFTER_MS);
    },
  };
}

/** Loads the recorder that the operator chose; null if there is none. @param onFailure called with its own failures */
async function loadRecorder(onFailure: (error: unknown) => void): Promise<Recorder | null> {
  const { logRocket, recorder: sampling } = boot;
  if (logRocket !== null) {
    // No script of others where the page has the secret of a payment.
    if (window.location.pathname.startsWith("/payment-completion")) return null;
    const { openLogRocket } = await import("#web/reporting/open-logrocket.ts");
    return openLogRocket(logRocket);
  }
  if (sampling === null) return null;
  const { openRecorder } = await import("#web/reporting/open-recorder.ts");
  return openRecorder((error) => {
    if (reportsRecorderFailure(sampling, Math.random)) onFailure(error);
  });
}
