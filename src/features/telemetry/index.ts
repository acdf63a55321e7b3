export type { TelemetryCtx } from "#features/telemetry/ctx.ts";
export { telemetryRuns } from "#features/telemetry/mail-causes.ts";
export { createReportKeeper } from "#features/telemetry/keep-reports.ts";
export { removeOldRecordings } from "#features/telemetry/receive-recording.ts";
export { createFailureRecorder } from "#features/telemetry/record-failure.ts";
export { removeOldReports } from "#features/telemetry/receive-report.ts";
export { telemetryRoutes } from "#features/telemetry/routes.ts";
export { localDsn, parseDsn } from "#features/telemetry/rules.ts";
