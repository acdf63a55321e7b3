import type { WireRequest } from "../kit/http.ts";
import { fault } from "./api-fault.ts";
import { findCompany, type Company } from "./companies.ts";
import { ACCOUNTING_SCOPE, findGrantByToken, type Grant } from "./grants.ts";
import { findUser, fullName } from "./users.ts";
import type { Simulator } from "./simulator.ts";
import type { Tally } from "./journal.ts";
import type { Fields } from "./write-context.ts";

/** An authenticated call of the Accounting API. */
export type ApiCall = {
  sim: Simulator;
  request: WireRequest;
  company: Company;
  grant: Grant;
  /** Name of the user who granted it. */
  userName: string;
  receivedAt: Date;
  tally: Tally;
  /** Seconds until queries show what this call creates. */
  hiddenS?: number | undefined;
};

/** Thrown if the bearer token is missing, unknown, expired or revoked. */
export class Unauthenticated extends Error {
  readonly token: string;
  constructor(token: string) {
    super("unauthenticated");
    this.token = token;
  }
}

/** Thrown if the token is for another company, or lacks the accounting scope. */
export class Forbidden extends Error {}

/**
 * Authenticates a call and finds its company.
 * @throws Unauthenticated
 * @throws Forbidden
 * @throws ApiFault 120 if the user is no longer an admin; 140, 150 and 6190 depending on the company's status
 */
export function authorize(
  sim: Simulator,
  request: WireRequest,
  realmId: string,
): { company: Company; grant: Grant; userName: string } {
  const token = readBearer(request);
  const grant = findGrantByToken(sim, token);
  if (!grant) throw new Unauthenticated(token);
  const company = findCompany(sim, realmId);
  if (!company || grant.realmId !== realmId || !grant.scope.split(" ").includes(ACCOUNTING_SCOPE)) {
    throw new Forbidden();
  }
  if (!company.admins.includes(grant.sub)) {
    throw fault(
      "120",
      "AuthorizationFailure: the user who connected this company has no access to it any more",
      "",
    );
  }
  refuseStatus(company);
  const user = findUser(sim, grant.sub);
  return { company, grant, userName: user ? fullName(user) : grant.sub };
}

export function readBearer(request: WireRequest): string {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
}

function refuseStatus({ status }: Company): void {
  if (status === "locked") throw fault("140", "The company is locked. Try again later.");
  if (status === "maintenance") throw fault("150", "The service is under maintenance. Try again later.");
  if (status === "subscription_expired") {
    throw fault(
      "6190",
      "Invalid Company Status : Subscription period has ended or canceled or there was a billing problem : You can't add data to QuickBooks Online because your subscription period ended.",
    );
  }
}

/** Parses the JSON body of a call. @throws ApiFault 2010 for invalid JSON */
export function readFields(request: WireRequest): Fields {
  try {
    const parsed: unknown = JSON.parse(request.body.toString("utf8"));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Fields;
  } catch {
    // Falls through to the same refusal as a body of another shape.
  }
  throw fault(
    "2010",
    "Property Name:The request body is not a JSON object specified is unsupported or invalid",
  );
}
