export { findSession, peekSession, type Session } from "#features/identity/find-session.ts";
export { identityRoutes } from "#features/identity/routes.ts";
export { rememberPerson } from "#features/identity/remember-person.ts";
export { SESSION_LIFE_MS, TRIP_LIFE_MS, type Person } from "#features/identity/rules.ts";
export { startTrip, type SignInCtx } from "#features/identity/start-trip.ts";
export { setSessionRealm } from "#features/identity/store.ts";
