import { json, type Reply } from "../kit/http.ts";
import type { Simulator } from "./simulator.ts";

/** Discovery document: like Intuit's, it lists no API scopes, no PKCE and no nonce. */
export function discoveryDocument(sim: Simulator): Reply {
  const at = (path: string) => `${sim.publicUrl}${path}`;
  return json(200, {
    issuer: sim.issuer,
    authorization_endpoint: at("/connect/oauth2"),
    token_endpoint: at("/oauth2/v1/tokens/bearer"),
    userinfo_endpoint: at("/v1/openid_connect/userinfo"),
    revocation_endpoint: at("/v2/oauth2/tokens/revoke"),
    jwks_uri: at("/op/v1/jwks"),
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid", "email", "profile", "address", "phone"],
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    claims_supported: ["aud", "exp", "iat", "iss", "realmid", "sub"],
  });
}
