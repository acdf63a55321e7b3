export { applyUserCommand } from "#features/identity/block-user.ts";
export { startAuthorization, type SignInCtx } from "#features/identity/authorization.ts";
export { listDevices, signOutDevices } from "#features/identity/devices.ts";
export { identityRoutes } from "#features/identity/routes.ts";
export {
  SESSION_LIFE_MS,
  AUTHORIZATION_LIFE_MS,
  connectFailedPath,
  landingPath,
  safeWorkPath,
  signInToConnect,
  type User,
} from "#features/identity/rules.ts";
export { findSession, peekSession, sessionOfLimits, type Session } from "#features/identity/sessions.ts";
export { upsertUser, withdrawGroups } from "#features/identity/sign-in-user.ts";
export { listOperators } from "#features/identity/store.ts";
export { findUserNames, listUsers, removeSessions, setSessionRealm } from "#features/identity/store.ts";
