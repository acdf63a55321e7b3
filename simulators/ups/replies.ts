import { json, type Reply } from "../kit/http.ts";

/** One fault that UPS found, with its code. */
export type Problem = { code: string; message: string };

/** A refusal in UPS's own words, with every fault that was found. */
export class UpsFault extends Error {
  readonly status: number;
  readonly code: string;
  readonly problems: readonly Problem[];

  constructor(status: number, code: string, message: string, others: readonly Problem[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = [{ code, message }, ...others];
  }
}

/** @throws UpsFault with status 400 when there is a problem */
export function refuseIfAny([first, ...others]: readonly Problem[]): void {
  if (first) throw new UpsFault(400, first.code, first.message, others);
}

/** The only shape of UPS's errors. */
export const refusal = (status: number, errors: readonly Problem[]): Reply =>
  json(status, { response: { errors } });

/**
 * A list as in the version in the address: an object where it holds one entry, an array from v2403 on.
 * @param version such as "v2409"
 */
export const listIn = <Entry>(
  version: string,
  entries: readonly Entry[],
): readonly Entry[] | Entry | undefined =>
  Number(version.slice(1)) >= 2403 || entries.length > 1 ? entries : entries[0];
