/** Which failures of the recorder itself are reported; `rate` is the share, from 0 to 1. */
export type RecorderSampling = { appId: string; prefix: string; rate: number };

/**
 * Decides whether a failure of the recorder is reported: always, but only a share where the app id begins with
 * the prefix. @param random from 0 to 1
 */
export function reportsRecorderFailure(
  { appId, prefix, rate }: RecorderSampling,
  random: () => number,
): boolean {
  return !appId.startsWith(prefix) || random() < rate;
}
