import { ApiError } from "#web/kit/api-error.ts";
import type { ReportedUser } from "#web/kit/reporter.ts";
import {
  BrowserClient,
  dedupeIntegration,
  defaultStackParser,
  linkedErrorsIntegration,
  makeFetchTransport,
  Scope,
} from "@sentry/react";

/** Sends errors to our own server, which keeps them or passes them on. */
export type ReportSender = {
  /** @returns the report's id */
  send(error: unknown, user: ReportedUser | null): string;
};

/** Opens the SDK without what it collects by itself: clicks, addresses, console lines and headers may quote contents. */
export function openSender({ dsn, release }: { dsn: string; release: string }): ReportSender {
  const client = new BrowserClient({
    dsn,
    tunnel: "/telemetry/errors",
    release,
    environment: "production",
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [dedupeIntegration(), linkedErrorsIntegration()],
    sendClientReports: false,
    beforeSend: ({ breadcrumbs: _clicks, request: _request, extra: _extra, ...event }) => event,
  });
  client.init();
  return {
    send(error, user) {
      const scope = new Scope();
      scope.setClient(client);
      scope.setTransactionName(window.location.pathname);
      scope.setTag("branch", "main");
      if (error instanceof ApiError) {
        scope.setTag("call", error.call);
        scope.setTag("status", error.status);
        scope.setTag("request_id", error.requestId);
      }
      scope.setUser(user && { ...user });
      return scope.captureException(error);
    },
  };
}
