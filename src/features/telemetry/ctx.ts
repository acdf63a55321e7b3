import type { KeepReport } from "#features/telemetry/keep-reports.ts";
import type { LogRocket } from "#integrations/logrocket/client.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";

/** Address of a project of error reports, as in the DSN of Sentry's SDKs. */
export type Dsn = { text: string; publicKey: string; envelopeUrl: string };

export type TelemetryCtx = Ctx & {
  /** The project that pages name; envelopes of any other are refused. */
  dsn: Dsn;
  release: string;
  /** Name of the product on the pages that it draws. */
  product: string;
  /** Way to a server of the operator's own; null if reports are kept in our database. */
  forward: OutboundFetch | null;
  /** Way to LogRocket; null if pages aren't recorded there. */
  logRocket: LogRocket | null;
  /** Stores a report in our database. */
  keepReport: KeepReport;
};
