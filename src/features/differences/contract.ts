import { endpoint } from "#contract/endpoint.ts";
import { adminCall } from "#features/companies/contract.ts";
import * as z from "zod";

const difference = z.object({
  vendor: z.enum(["ups", "stripe", "quickbooks"]),
  sentence: z.string(),
  /** The one thing to do about it. */
  cure: z.string(),
  found_at: z.iso.datetime(),
});
export type Difference = z.output<typeof difference>;

export const listDifferences = endpoint({
  ...adminCall,
  method: "GET",
  path: "/api/v1/company/differences",
  summary:
    "Lists the differences from UPS, Stripe, and QuickBooks that the daily comparison found, newest first",
  response: z.object({ differences: z.array(difference) }),
});
