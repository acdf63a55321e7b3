import type { Reply } from "../kit/http.ts";
import { ApiFault, fault } from "./api-fault.ts";
import { apiReply, faultAnswer, throttledReply } from "./api-replies.ts";
import type { FaultRule } from "./fault-rules.ts";

/** Returns a rule's answer that replaces the request's own; undefined if the rule does not replace it. */
export function replyOfRule(
  rule: FaultRule,
  { accept = "application/json", receivedAt }: { accept: string | undefined; receivedAt: Date },
): Reply | undefined {
  switch (rule.fault) {
    case "429":
    case "429xml": {
      const { retryAfter: after, status, code } = rule;
      const format = rule.fault === "429" ? "json" : "xml";
      return throttledReply({ format, after, status, code }, receivedAt);
    }
    case "500":
    case "committed_500":
      return apiReply(faultAnswer(systemFault(), receivedAt), accept);
    case "code":
      return apiReply(faultAnswer(faultOfRule(rule), receivedAt), accept);
    case "503":
      return gatewayPage({ status: 503 });
    case "gateway":
      return gatewayPage({ status: rule.status ?? 502, page: rule.page });
    default:
      return undefined;
  }
}

/** Builds a fault with the rule's code, detail and status, e.g. code 3100 with status 500. */
export function faultOfRule({
  code = "6000",
  detail = "Asked of the simulator.",
  status,
}: FaultRule): ApiFault {
  const asked = fault(code, detail);
  return status === undefined ? asked : new ApiFault({ status, type: asked.type, errors: asked.errors });
}

/** Answer to a request that took longer than Intuit's own limit. */
export const timedOutReply = (): Reply => gatewayPage({ status: 504 });

function systemFault(): ApiFault {
  return fault(
    "10000",
    "An application error has occurred while processing your request : System Failure Error",
  );
}

/** An answer from a proxy or gateway, without Intuit's content or id. */
function gatewayPage({ status, page = "html" }: { status: number; page?: FaultRule["page"] }): Reply {
  const isBare = page === "empty" || status === 204;
  const redirects = status >= 300 && status < 400;
  return {
    status,
    headers: {
      ...(!isBare && { "content-type": "text/html" }),
      ...(redirects && { location: "https://gateway.example/sign-in" }),
    },
    body: isBare ? "" : `<html><body><h1>${status} from the gateway</h1></body></html>`,
  };
}

/** Whether an answer comes from a proxy between the caller and Intuit, which adds no Intuit id. */
export const isForeign = (rule: FaultRule | undefined): boolean =>
  rule?.fault === "gateway" || rule?.fault === "503";
