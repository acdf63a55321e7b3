export {
  createAuthorize,
  currentCompany,
  currentUser,
  withAudit,
  type Caller,
} from "#features/companies/authorize-call.ts";
export { connectCompany, type ConnectCtx } from "#features/companies/connect-company.ts";
export { markReconnectNeeded } from "#features/companies/connection-health/mark-reconnect.ts";
export { connectionRuns } from "#features/companies/connection-health/refresh-idle-connections.ts";
export { createTokenSource, findGrant } from "#features/companies/refresh-tokens.ts";
export { readVisitor } from "#features/companies/read-user.ts";
export { companiesRoutes, finishConnect } from "#features/companies/routes.ts";
export { isCompanyAdmin, type Company } from "#features/companies/rules.ts";
export { changeService } from "#features/companies/services.ts";
export { findInvitationPage } from "#features/companies/invitations/list-invitations.ts";
export { addMember } from "#features/companies/store-members.ts";
export { findCompany, findDefaultCompany, findTimeZone, lockCompany } from "#features/companies/store.ts";
export { changePaidService, listGrants } from "#features/companies/store-services.ts";
export { renewSeals, verifySealingKeys, type KeyFault } from "#features/companies/sealing-keys.ts";
