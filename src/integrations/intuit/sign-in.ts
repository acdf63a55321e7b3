import * as client from "openid-client";
import * as z from "zod";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { OutboundFetch } from "#platform/outbound/allowed-hosts.ts";
import type { IntuitConfig } from "#integrations/intuit/config.ts";
import { createDiscovery, SIGN_IN_TIMEOUT_MS } from "#integrations/intuit/discovery.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { answeredError, signInError } from "#integrations/intuit/sign-in-errors.ts";

/**
 * Grant of a consent. The realm came from the browser: verify it by reading the company before trusting it.
 */
export type IntuitGrant = { tokens: TokenSet; sub: string; realmId: string | null };

const SCOPES = {
  "sign-in": "openid profile email",
  connect: "openid profile email com.intuit.quickbooks.accounting",
};

type Deps = { fetch: OutboundFetch; clock: Clock; log: Log };

/**
 * Creates the client for signing in with Intuit and connecting companies. Nothing here is retried after a
 * failure: codes and refresh tokens work once. Failures are IntuitErrors; `reconnect` means that the
 * authorization has ended.
 */
export function createIntuitSignIn(config: IntuitConfig, deps: Deps) {
  const discovered = createDiscovery(config, deps);

  async function step<T>(
    { consumes }: { consumes: boolean },
    work: (server: client.Configuration) => Promise<T>,
  ): Promise<T> {
    // Discovery changes nothing at Intuit, unlike the step itself.
    const server = await discovered().catch((error: unknown) => {
      throw signInError(error, { consumes: false });
    });
    try {
      return await work(server);
    } catch (error) {
      throw signInError(error, { consumes });
    }
  }

  return {
    /** Returns Intuit's page where the user signs in, and picks a company when connecting. */
    authorizeUrl: ({ state, scopes }: { state: string; scopes: keyof typeof SCOPES }): Promise<string> =>
      step({ consumes: false }, async (server) => {
        const parameters = { redirect_uri: config.redirectUri, scope: SCOPES[scopes], state };
        return client.buildAuthorizationUrl(server, parameters).href;
      }),

    /**
     * Exchanges the code that Intuit sent through the browser, checking state, signature, audience and
     * issuer.
     * @throws IntuitError `auth` if the answer is forged, stale or a refusal; `reconnect` if the code was
     * already used
     */
    exchangeCode: (callbackUrl: URL, expectedState: string): Promise<IntuitGrant> =>
      step({ consumes: true }, async (server) => {
        const askedAt = deps.clock.now();
        // Behind a proxy our own address may look different; Intuit compares it with the registered one.
        const address = new URL(config.redirectUri);
        address.search = callbackUrl.search;
        const answer = await client.authorizationCodeGrant(server, address, {
          expectedState,
          idTokenExpected: true,
        });
        const claims = answer.claims();
        if (!claims) throw new IntuitError({ kind: "auth", message: "no id_token" });
        const realmId = callbackUrl.searchParams.get("realmId");
        assertSameRealm(realmId, claims);
        return { tokens: readTokenSet(answer, askedAt), sub: claims.sub, realmId };
      }),

    /** Reads the user's name and e-mail. Match users by `sub`; never accept an unverified e-mail. */
    userinfo: (accessToken: string, sub: string): Promise<z.output<typeof userinfoAnswer>> =>
      step({ consumes: false }, async (server) =>
        userinfoAnswer.parse(await client.fetchUserInfo(server, accessToken, sub)),
      ),

    /**
     * Renews the tokens. Only one process may do so at a time and must store the answer before using it.
     * @throws IntuitError `reconnect` if the token is no longer valid, `uncertain` if it may be used up
     */
    refresh: (refreshToken: string): Promise<TokenSet> =>
      step({ consumes: true }, async (server) => {
        const askedAt = deps.clock.now();
        return readTokenSet(await client.refreshTokenGrant(server, refreshToken), askedAt);
      }),

    /** Revokes the authorization of a token at Intuit. */
    revoke: (token: string): Promise<void> =>
      step({ consumes: false }, (server) => revoke(config, deps, { server, token })),
  };
}

export type IntuitSignIn = ReturnType<typeof createIntuitSignIn>;

/** The field names are Intuit's own, not those of OpenID Connect. */
const userinfoAnswer = z.object({
  sub: z.string().min(1),
  givenName: z.string().default(""),
  familyName: z.string().default(""),
  email: z.string().default(""),
  emailVerified: z.boolean().default(false),
});

/** The id_token may name the realm, in either spelling; it must then equal the browser's. */
function assertSameRealm(realmId: string | null, claims: Record<string, unknown>): void {
  const signed = claims["realmid"] ?? claims["realmId"];
  if (realmId && typeof signed === "string" && signed && signed !== realmId) {
    throw new IntuitError({ kind: "auth", message: "the realm of the address is not the signed one" });
  }
}

/** Sent without openid-client, which sends a form, because Intuit requires JSON here. */
async function revoke(
  config: IntuitConfig,
  { fetch }: Deps,
  { server, token }: { server: client.Configuration; token: string },
): Promise<void> {
  const address = server.serverMetadata().revocation_endpoint;
  if (!address) throw new IntuitError({ kind: "bug", message: "no revocation endpoint" });
  const credentials = Buffer.from(`${config.clientId}:${config.clientSecret}`).toString("base64");
  const response = await fetch(address, {
    method: "POST",
    headers: {
      authorization: `Basic ${credentials}`,
      "content-type": "application/json",
      accept: "application/json",
    },
    body: JSON.stringify({ token }),
    timeoutMs: SIGN_IN_TIMEOUT_MS,
  });
  await response.body?.cancel();
  if (!response.ok)
    throw answeredError(
      response,
      { consumes: false },
      response.status === 400 ? "invalid_grant" : "not_revoked",
    );
}

/** Tokens of one authorization. Both are opaque texts; never log them. */
export type TokenSet = {
  accessToken: string;
  accessExpiresAt: Date;
  refreshToken: string;
  /**
   * When the authorization ends without a refresh, and when it ends in any case; null if Intuit does not say.
   */
  idleEndsAt: Date | null;
  hardEndsAt: Date | null;
};

const seconds = z.coerce.number().int().positive();

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: seconds,
  x_refresh_token_expires_in: seconds.optional().catch(undefined),
  x_refresh_token_hard_expires_in: seconds.optional().catch(undefined),
});

/**
 * Reads the token endpoint's answer.
 * @param askedAt time before the request, so that the end is not set too late
 * @throws z.ZodError if a token or the end is missing
 */
export function readTokenSet(answer: unknown, askedAt: Date): TokenSet {
  const { access_token, refresh_token, expires_in, ...ends } = tokenAnswer.parse(answer);
  const after = (count: number) => new Date(askedAt.getTime() + count * 1000);
  const known = (count: number | undefined) => (count === undefined ? null : after(count));
  return {
    accessToken: access_token,
    accessExpiresAt: after(expires_in),
    refreshToken: refresh_token,
    idleEndsAt: known(ends.x_refresh_token_expires_in),
    hardEndsAt: known(ends.x_refresh_token_hard_expires_in),
  };
}
