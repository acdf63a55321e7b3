import { json, type Reply, type WireRequest } from "../kit/http.ts";
import { grantOfAccessToken } from "./grants.ts";
import { findUser, type User } from "./users.ts";
import type { Simulator } from "./simulator.ts";

/** GET /v1/openid_connect/userinfo: camelCase fields, only those the scopes allow. */
export function userinfoEndpoint(sim: Simulator, request: WireRequest): Reply {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const grant = bearer === undefined ? undefined : grantOfAccessToken(sim, bearer);
  const user = grant && findUser(sim, grant.sub);
  const scopes = grant?.scope.split(" ") ?? [];
  if (!user || !scopes.includes("openid")) {
    return json(
      401,
      { error: "invalid_token" },
      { "www-authenticate": 'Bearer realm="Intuit", error="invalid_token"' },
    );
  }
  return json(200, Object.assign({ sub: user.sub }, ...scopes.map((scope) => FIELDS[scope]?.(user) ?? {})));
}

const FIELDS: Record<string, (user: User) => object> = {
  profile: ({ givenName, familyName }) => ({ givenName, familyName }),
  email: ({ email, emailVerified }) => ({ email, emailVerified }),
  phone: ({ phoneNumber }) => (phoneNumber === undefined ? {} : { phoneNumber, phoneNumberVerified: false }),
  address: ({ address }) => (address ? { address } : {}),
};
