import { json, type Reply } from "../kit/http.ts";

/** A refusal in UPS's own words. */
export class UpsFault extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The one shape of UPS's errors. */
export const refusal = (status: number, code: string, message: string): Reply =>
  json(status, { response: { errors: [{ code, message }] } });

/**
 * A list as the version in the address has it: an object where it holds one entry, an array from v2403 on.
 * @param version such as "v2409"
 */
export const listIn = <Entry>(
  version: string,
  entries: readonly Entry[],
): readonly Entry[] | Entry | undefined =>
  Number(version.slice(1)) >= 2403 || entries.length > 1 ? entries : entries[0];
