import type { SubscriptionRow } from "#features/billing/contract.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import type { company } from "#features/companies/contract.ts";
import { acme, type QuerySeed } from "./stage.tsx";
import { galleryWords } from "./words.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import type { Session } from "#web/kit/session/session.ts";
import type { output } from "zod";
import { unknownNamesQuery } from "#features/invoices/web/names/queries.ts";

type Details = output<typeof company>;

/** A session with a number of companies; the first is current. */
export function manyCompanies(
  count: number,
): Pick<Session, "companies" | "companyCount" | "company" | "realmId"> {
  const companies: SessionCompany[] = galleryWords.companies
    .slice(0, count)
    .map((name, index) => ({ ...acme, id: `sample-${index + 1}`, name }));
  return { companies, companyCount: count, company: companies[0] ?? null, realmId: companies[0]?.id ?? null };
}

/** Sets the server's data about Acme Tools. */
export function seedCompany(more: Partial<Details> = {}): QuerySeed {
  return {
    key: queryKeys.companies,
    data: { companies: [{ ...acme, services: [], connection: "connected", ...more }] },
  };
}

/** Sets the subscriptions of Acme Tools, bought and offered. */
export function seedSubscriptions(): QuerySeed {
  const offer = {
    interval: "month",
    grace_ends: null,
    trial_days: 0,
    service: "tracking" as const,
    is_for_sale: true,
  };
  const { tracking, unpaid } = galleryWords.sold;
  const subscriptions: SubscriptionRow[] = [
    {
      ...offer,
      ...tracking,
      subscription_id: "sub_1",
      price_id: "price_1",
      rate: 2900,
      status: "active",
      end_date: 1_797_811_200,
    },
    {
      ...offer,
      ...unpaid,
      subscription_id: "sub_2",
      price_id: "price_2",
      rate: 1900,
      status: "past_due",
      end_date: null,
      grace_ends: 1_797_811_200,
    },
    {
      ...offer,
      ...unpaid,
      subscription_id: null,
      price_id: "price_3",
      rate: 1900,
      status: "none",
      end_date: null,
      trial_days: 14,
    },
  ];
  return {
    key: queryKeys.subscriptions(acme.id),
    data: { subscriptions, payer: acme.admin, is_payer: true },
  };
}

/** A failed call. */
export const failure = new Error(galleryWords.failure);

/** Unknown names of an upload: one with similar entries in the books, one without. */
export function unknownNames(uploadId: string, version = 0): QuerySeed {
  return {
    key: unknownNamesQuery(acme.id, uploadId, version).queryKey,
    data: {
      pageParams: [0],
      pages: [
        {
          total_count: 2,
          next: null,
          names: [
            {
              kind: "customer",
              text: "Acmee",
              rows: "4, 7",
              count: 2,
              unlocks: 2,
              suggestions: [
                { id: "7", name: "Acme" },
                { id: "8", name: "Acme Tools East" },
              ],
              preselected_id: "7",
            },
            {
              kind: "item",
              text: "WIDGET-9",
              rows: "5",
              count: 1,
              unlocks: 1,
              suggestions: [],
              preselected_id: null,
            },
          ],
        },
      ],
    },
  };
}
