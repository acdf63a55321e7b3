import { STRIPE_API_VERSION } from "#integrations/stripe/client.ts";
import { redactJson } from "./redact.ts";
import type { Exchange, Reply } from "./wire.ts";

export type StripeTarget = { apiBaseUrl: string; secretKey: string };
export type StripeReply = Reply;

/** Speaks to one account, and keeps what was said: no key, no id, no name. */
export type StripeApi = {
  exchanges: Exchange[];
  call(
    method: "GET" | "POST" | "DELETE",
    path: string,
    fields?: Record<string, string>,
    options?: { key?: string; secret?: string },
  ): Promise<StripeReply>;
};

/** Ids of Stripe: a kind and letters. Names of paths have no digit or capital. */
const withoutIds = (path: string) => path.replaceAll(/[a-z]+_(?=[a-z]*[\dA-Z])\w+/g, "…");

export function createStripeApi({ apiBaseUrl, secretKey }: StripeTarget): StripeApi {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    call: async (method, path, fields = {}, { key, secret = secretKey } = {}) => {
      const url = new URL(`/v1/${path}`, apiBaseUrl);
      const form = new URLSearchParams(fields);
      if (method === "GET") url.search = form.toString();
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          "stripe-version": STRIPE_API_VERSION,
          ...(key ? { "idempotency-key": key } : {}),
        },
        ...(method === "POST" ? { body: form } : {}),
      });
      const json = (await response.json()) as Reply["json"];
      exchanges.push({
        request: `${method} ${withoutIds(path)}`,
        status: response.status,
        retryAfter: response.headers.get("retry-after"),
        body: redactJson(json, new Set()),
      });
      return { status: response.status, json, headers: response.headers };
    },
  };
}
