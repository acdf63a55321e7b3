export { findSession, peekSession, type Session } from "#features/identity/find-session.ts";
export { listDevices, signOutDevices } from "#features/identity/sign-out-devices.ts";
export { identityRoutes } from "#features/identity/routes.ts";
export { upsertUser } from "#features/identity/upsert-user.ts";
export {
  SESSION_LIFE_MS,
  AUTHORIZATION_LIFE_MS,
  connectFailedPath,
  landingPath,
  safeWorkPath,
  signInToConnect,
  type User,
} from "#features/identity/rules.ts";
export { startAuthorization, type SignInCtx } from "#features/identity/start-authorization.ts";
export { findSignedIn, findUserNames, removeSessions, setSessionRealm } from "#features/identity/store.ts";
export { withdrawGroups } from "#features/identity/withdraw-groups.ts";
