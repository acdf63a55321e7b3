import { createHash } from "node:crypto";
import * as z from "zod";
import type { Clock } from "#platform/clock.ts";
import type { UpsConfig } from "#integrations/ups/config.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import { exchange, type UpsPlace } from "#integrations/ups/exchange.ts";

/** Tokens of one authorization, good for a user's UPS ID. Both are opaque texts; never log them. */
export type UpsTokens = {
  accessToken: string;
  accessExpiresAt: Date;
  /** Good once: a refresh answers the next one. */
  refreshToken: string;
  refreshExpiresAt: Date;
};

const OAUTH = "/security/v1/oauth";
const TIMEOUT_MS = 30_000;

/** UPS writes every number as a text. */
const seconds = z.coerce.number().int().positive();
const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: seconds,
  refresh_token: z.string().min(1),
  refresh_token_expires_in: seconds,
});

/** UPS has one code for a client and for a token that it doesn't accept; its text says which. */
const isAppRefused = (error: unknown): error is UpsError =>
  error instanceof UpsError &&
  error.kind === "auth" &&
  error.faults.some(({ code, message }) => code === "10401" && /client/i.test(message));

type Deps = UpsPlace & { clock: Clock };

/** Hashes a verifier to its challenge, which UPS gets before it gives a code. */
export const hashVerifier = (verifier: string): string =>
  createHash("sha256").update(verifier).digest("base64url");

/**
 * Connecting UPS accounts, by PKCE: a code is good only with the verifier of the request that it answers. Nothing here is repeated after a failure: codes and refresh tokens work once. Failures are
 * UpsErrors; `auth` or `refused` means that the code or the token is no longer good.
 * @see UPS's OAuthAuthCode document
 */
export function createUpsSignIn(config: UpsConfig, deps: Deps) {
  const { clientId, clientSecret, redirectUri } = config;
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  const ask = async (
    path: string,
    form: Record<string, string>,
    { authorization }: { authorization?: string } = {},
  ): Promise<UpsTokens> => {
    // Counted from before the request, so that the end is not set too late.
    const askedAt = deps.clock.now().getTime();
    const call = {
      path: `${OAUTH}${path}`,
      ...(authorization ? { authorization } : {}),
      body: new URLSearchParams(form),
      timeoutMs: TIMEOUT_MS,
    };
    const answer = await exchange(deps, call, tokenAnswer).catch((error: unknown) => {
      // Only a call that carries the secret can say that it is refused.
      throw authorization && isAppRefused(error)
        ? new UpsError({ kind: "app", http: error.http, faults: error.faults })
        : error;
    });
    return {
      accessToken: answer.access_token,
      accessExpiresAt: new Date(askedAt + answer.expires_in * 1000),
      refreshToken: answer.refresh_token,
      refreshExpiresAt: new Date(askedAt + answer.refresh_token_expires_in * 1000),
    };
  };
  return {
    /** Address where the user signs in to UPS and allows us to use their account. */
    authorizeUrl: (state: string, verifier: string): string => {
      const url = new URL(`${OAUTH}/authorize`, config.baseUrl);
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "read",
        state,
        code_challenge: hashVerifier(verifier),
      }).toString();
      return url.href;
    },

    /** UPS takes the verifier in place of the app's secret, and refuses both together. */
    exchangeCode: (code: string, verifier: string): Promise<UpsTokens> =>
      ask("/token", {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        client_id: clientId,
        code_verifier: verifier,
      }),

    refresh: (refreshToken: string): Promise<UpsTokens> =>
      ask("/refresh", { grant_type: "refresh_token", refresh_token: refreshToken }, { authorization }),
  };
}
