import * as z from "zod";
import type { UpsErrorKind, UpsFault } from "#integrations/ups/errors.ts";
import { code, list, text } from "#integrations/ups/wire.ts";

const errors = list(z.object({ code: code.pipe(z.string().min(1)), message: text })).refine(
  ({ length }) => length > 0,
);

/** UPS's shape of errors. */
const refusal = z.object({ response: z.object({ errors }) }).transform(({ response }) => response.errors);

/** The shape that UPS's documents draw for a refused request, without an envelope. A gateway has other codes, such as 403. */
const bareRefusal = z
  .strictObject({ errors })
  .transform((bare) => bare.errors)
  .refine((all) => all.every((error) => /^(?:\d{5,6}|[A-Z]{2,3}\d{3,4})$/.test(error.code)));

/** Finds UPS's own faults in a parsed answer; null if it has none, and so is not UPS's word. */
export function readFaults(answer: unknown, http: number): UpsFault[] | null {
  const found = refusal.safeParse(answer).data;
  return found ?? (http === 400 ? bareRefusal.safeParse(answer).data : null) ?? null;
}

/** Codes that say nothing about the request: UPS failed, and what it did before is open. */
const FAILED: ReadonlySet<string> = new Set(["10004", "20001", "120001", "190001"]);
const AUTH: ReadonlySet<string> = new Set(["10401", "250002", "250003", "251004", "UJ0001"]);
const THROTTLED = "10429";

/** Kind of a failure from UPS's own words. Without any, a failure is always `uncertain`, whatever its status. */
export function classify(http: number, faults: readonly UpsFault[]): UpsErrorKind {
  const has = (codes: ReadonlySet<string>) => faults.some((fault) => codes.has(fault.code));
  if (http >= 500 || has(FAILED)) return "uncertain";
  if (http === 401 || has(AUTH)) return "auth";
  if (http === 429 || faults.some((fault) => fault.code === THROTTLED)) return "throttled";
  return "refused";
}
