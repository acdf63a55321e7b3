import { AsyncLocalStorage } from "node:async_hooks";
import type { Ids } from "#platform/ids.ts";

/**
 * Connects the log lines, runs and vendor calls of one cause. Ids are those of W3C Trace Context: 32 and 16
 * lower-case hexadecimal digits.
 */
export type Trace = {
  traceId: string;
  /** Support id of the request that caused it; absent if none did. */
  reqId?: string;
  /** The run that does it; absent in a request. */
  run?: string;
};

const traces = new AsyncLocalStorage<Trace>();

/** Does work under a trace; everything it awaits and starts has it too. */
export const inTrace = <Result>(trace: Trace, work: () => Result): Result => traces.run(trace, work);

/** The trace of the work in progress; undefined outside of any. */
export const currentTrace = (): Trace | undefined => traces.getStore();

export const newTraceId = (ids: Ids): string => ids.uuid().replaceAll("-", "");

/**
 * Reads the trace of a caller. @returns null for no header and for one that is not valid
 * @see W3C Trace Context, "traceparent Header Field Values"
 */
export function readTraceId(traceparent: string | undefined): string | null {
  const [, id = "", span = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? "") ?? [];
  const isValid = /[1-9a-f]/.test(id) && /[1-9a-f]/.test(span);
  return isValid ? id : null;
}

/** Writes the header of a call under a trace. @param span new for each call */
export const toTraceparent = ({ traceId }: Trace, span: string): string => `00-${traceId}-${span}-01`;
