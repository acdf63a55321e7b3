import type { Params } from "../facts.ts";
import type { FaultCode } from "./faults.ts";

/** A value that no X12 document can hold: too long, of another form, or with a delimiter or control character in it. */
export class NotWritable extends Error {
  override name = "NotWritable";
  readonly code: FaultCode;
  /** Segment and element, such as BEG and 3, with the value. */
  readonly params: Params;
  constructor(code: FaultCode, params: Params) {
    super(`${code} ${JSON.stringify(params)}`);
    this.code = code;
    this.params = params;
  }
}
