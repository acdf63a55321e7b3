import type { Variables } from "#platform/config/schema.ts";

/** Who turned recording off must not find it at a vendor. */
export const recorderChecks = (variables: Partial<Variables>): [boolean, string][] => [
  [
    variables.RECORDER === false && Boolean(variables.LOGROCKET_APP_ID),
    "RECORDER is false and LOGROCKET_APP_ID is set: set RECORDER to true to record pages at LogRocket, or leave LOGROCKET_APP_ID empty.",
  ],
];

/** Reads our own recorder of pages, and the share of its failures that is reported; null if it records nothing. */
export function readRecorder(variables: Variables) {
  if (!variables.RECORDER || variables.LOGROCKET_APP_ID !== undefined) return null;
  return {
    appId: variables.RECORDER_APP_ID,
    sampledPrefix: variables.RECORDER_SAMPLED_PREFIX,
    sampleRate: variables.RECORDER_SAMPLE_RATE,
  };
}

/** Reads our app at LogRocket and LogRocket's addresses; null if pages aren't recorded there. */
export function readLogRocket(variables: Variables) {
  if (variables.LOGROCKET_APP_ID === undefined) return null;
  return {
    appId: variables.LOGROCKET_APP_ID,
    scriptOrigin: variables.LOGROCKET_SCRIPT_ORIGIN,
    ingestOrigin: variables.LOGROCKET_INGEST_ORIGIN,
  };
}
