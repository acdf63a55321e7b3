/** Which failures of the recorder itself are reported; `rate` is the share, from 0 to 1. */
export type RecorderSampling = { appId: string; prefix: string; rate: number };

/**
 * Tells a refusal of the browser from a failure of the recorder, which wraps calls of the page such as `insertRule`: a style
 * library tries rules that only other browsers know, and catches the refusal itself.
 */
export const isRefusalToPage = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "SyntaxError";

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
