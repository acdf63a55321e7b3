import { boot } from "#web/kit/boot.ts";
import { judgeError } from "#web/kit/report-rules.ts";
import { consoleReporter, type ReportedUser, type Reporter } from "#web/kit/reporter.ts";
import type { ReportSender } from "#web/reporting/open-sender.ts";

/**
 * Creates the reporter of the page, and listens for errors that nothing catches. The SDK is loaded at the first
 * report, so that a page without errors loads nothing of it.
 */
export function createPageReporter(): Reporter {
  let user: ReportedUser | null = null;
  let loading: Promise<ReportSender> | null = null;
  const send = async (error: unknown) => {
    if (boot.dsn === null) return;
    const project = { dsn: boot.dsn, release: boot.release };
    loading ??= import("#web/reporting/open-sender.ts").then(({ openSender }) => openSender(project));
    try {
      (await loading).send(error, user);
    } catch {
      // Without a connection; the next report tries to load it again.
      loading = null;
    }
  };
  const onUncaught = (error: unknown) => {
    if (error instanceof Error && judgeError(error, window.location.origin) === "report") void send(error);
  };
  window.addEventListener("error", ({ error }) => onUncaught(error));
  window.addEventListener("unhandledrejection", ({ reason }) => onUncaught(reason));
  return {
    report(error) {
      const verdict = judgeError(error, window.location.origin);
      if (verdict !== "ignore") consoleReporter.report(error);
      if (verdict === "report") void send(error);
    },
    identify(next) {
      user = next;
    },
  };
}
