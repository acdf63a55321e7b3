import { pino } from "pino";
import { expect, test } from "vitest";
import { classifyFaults, classifyForeign } from "#integrations/intuit/classify.ts";
import { wasNotSent } from "#platform/outbound/was-not-sent.ts";
import { IntuitError, type IntuitFault } from "#integrations/intuit/errors.ts";
import { readJsonFaults, readXmlFaults } from "#integrations/intuit/read-faults.ts";

const TOKEN = "eyJlbmMiOiJBMTI4Q0JDLUhTMjU2In0..secret-part.x_y";

test("the usual fault is read with all its errors, even without an element", () => {
  const body = {
    Fault: {
      Error: [
        {
          Message: "Required param missing",
          Detail: "Required parameter Line is missing",
          code: "2020",
          element: "Line",
        },
        {
          Message: "Invalid Reference Id",
          Detail: "Names element id 999 not found",
          code: "2500",
          element: "",
        },
        { Message: "Unsupported", Detail: "Property Name:x", code: 2010 },
      ],
      type: "ValidationFault",
    },
  };
  expect(readJsonFaults(body, [])).toEqual([
    {
      code: "2020",
      element: "Line",
      message: "Required param missing",
      detail: "Required parameter Line is missing",
      type: "ValidationFault",
    },
    {
      code: "2500",
      element: "",
      message: "Invalid Reference Id",
      detail: "Names element id 999 not found",
      type: "ValidationFault",
    },
    {
      code: "2010",
      element: "",
      message: "Unsupported",
      detail: "Property Name:x",
      type: "ValidationFault",
    },
  ]);
});

test("the lower-case fault of a 401 is read, and the token it quotes is removed", () => {
  const message = "message=AuthenticationFailed; errorCode=003200; statusCode=401";
  const body = {
    warnings: null,
    fault: {
      error: [{ message, detail: `Token expired: ${TOKEN}`, code: "3200", element: null }],
      type: "AUTHENTICATION",
    },
    time: 1_601_391_072_830,
  };
  const faults = readJsonFaults(body, [TOKEN]);
  expect(faults).toEqual([
    { code: "3200", element: "", message, detail: "Token expired: [secret]", type: "AUTHENTICATION" },
  ]);
  expect(classifyFaults(faults ?? [], 401)).toBe("auth");
});

test("a token unknown to us is removed too", () => {
  const body = { Fault: { Error: [{ Message: "m", Detail: `bad ${TOKEN} and RT1-77-H0-abc`, code: "1" }] } };
  expect(readJsonFaults(body, [])?.[0]?.detail).toBe("bad [secret] and [secret]");
});

test.each([
  ["Call with plain-secret failed", "Call with [secret] failed"],
  ["Token revoked: 0aB9-xyz", "Token revoked: [secret]"],
  ["access_token=0aB9-xyz is not valid", "access_token=[secret] is not valid"],
  ["The item Token Ring 4: blue is inactive", "The item Token Ring 4: blue is inactive"],
  ["Names element id 999 not found", "Names element id 999 not found"],
])("%s reads %s", (detail, redacted) => {
  const body = { Fault: { Error: [{ Message: "m", Detail: detail, code: "1" }] } };
  expect(readJsonFaults(body, ["plain-secret"])?.[0]?.detail).toBe(redacted);
});

test("a throttle in XML is read", () => {
  const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <IntuitResponse xmlns="http://schema.intuit.com/finance/v3" time="2015-07-06T11:13:57Z"><Fault type="SERVICE">
    <Error code="3001"><Message>message=ThrottleExceeded; errorCode=003001; statusCode=429</Message>
    <Detail>You &amp; the app have sent too many requests.</Detail></Error></Fault></IntuitResponse>`;
  const faults = readXmlFaults(xml, []);
  expect(faults).toEqual([
    {
      code: "3001",
      element: "",
      message: "message=ThrottleExceeded; errorCode=003001; statusCode=429",
      detail: "You & the app have sent too many requests.",
      type: "SERVICE",
    },
  ]);
  expect(classifyFaults(faults ?? [], 429)).toBe("throttled");
  expect(classifyFaults(faults ?? [], 403)).toBe("throttled");
});

test.each([
  [null],
  ["text"],
  [[]],
  [{}],
  [{ Fault: null }],
  [{ Fault: { Error: "x" } }],
  [{ Invoice: { Id: "1" } }],
])("%j is not a fault", (body) => {
  expect(readJsonFaults(body, [])).toBeNull();
});

const fault = (code: string, detail = "", type = ""): IntuitFault => ({
  code,
  element: "",
  message: "",
  detail,
  type,
});

test.each([
  ["6140", 400, "duplicateDoc"],
  ["6240", 400, "duplicateName"],
  ["5010", 400, "stale"],
  ["610", 400, "notFound"],
  ["2500", 400, "badReference"],
  ["6250", 400, "badReference"],
  ["6210", 400, "closedBooks"],
  ["6190", 400, "subscription"],
  ["5020", 400, "plan"],
  ["5030", 400, "plan"],
  ["120", 403, "reconnect"],
  ["120", 400, "reconnect"],
  ["120", 500, "system"],
  ["3100", 403, "reconnect"],
  ["3100", 500, "system"],
  ["6000", 503, "system"],
  ["130", 400, "environment"],
  ["140", 400, "system"],
  ["500", 400, "system"],
  ["3200", 401, "auth"],
  ["99", 401, "auth"],
  ["99", 403, "permission"],
  ["99", 404, "system"],
  ["99", 400, "system"],
  ["10100", 400, "system"],
  ["2999", 404, "bug"],
  ["99", 429, "throttled"],
  ["600", 400, "uncertain"],
  ["4000", 400, "bug"],
  ["10000", 500, "system"],
  ["150", 400, "system"],
  ["2050", 400, "validation"],
  ["6999", 400, "validation"],
  ["99", 503, "system"],
] as const)("code %s with status %i means %s", (code, http, kind) => {
  expect(classifyFaults([fault(code)], http)).toBe(kind);
});

test.each([
  ["99", "SystemFault", 400, "system"],
  ["6999", "SystemFault", 400, "system"],
  ["99", "SystemFault", 403, "system"],
  ["99", "ValidationFault", 400, "validation"],
  ["6140", "SystemFault", 400, "duplicateDoc"],
] as const)("code %s in a %s with status %i means %s", (code, type, http, kind) => {
  expect(classifyFaults([fault(code, "", type)], http)).toBe(kind);
});

test("a system failure together with a refusal leaves in doubt what was done, in either order", () => {
  expect(classifyFaults([fault("2500"), fault("10000")], 400)).toBe("system");
  expect(classifyFaults([fault("99", "", "SystemFault"), fault("6140")], 400)).toBe("system");
  expect(classifyFaults([fault("2050"), fault("6140")], 400)).toBe("duplicateDoc");
});

test("a spent month is distinguished from a busy minute by its text", () => {
  expect(classifyFaults([fault("3001", "Monthly CorePlus quota exceeded")], 429)).toBe("quota");
});

test("an outage that gives its status only in its message is still an outage", () => {
  const said = (message: string) => ({ ...fault("120"), message });
  expect(classifyFaults([said("message=InternalServerError; errorCode=000120; statusCode=500")], 403)).toBe(
    "system",
  );
  expect(
    classifyFaults([said("message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403")], 403),
  ).toBe("reconnect");
});

test("from an answer that is not Intuit's, nothing is read but whether to wait", () => {
  expect([302, 400, 401, 402, 403, 404, 407, 413, 429, 451, 502].map(classifyForeign)).toEqual([
    ...Array.from({ length: 8 }, () => "network"),
    "throttled",
    "network",
    "system",
  ]);
});

test.each([
  [{ Fault: { Error: [{ Message: "Forbidden", Detail: "by policy 7" }] } }],
  [{ fault: { faultstring: "Rate limit", detail: { errorcode: "policies.ratelimit" } } }],
  [{ Fault: { Error: [] } }],
])("%j has no code, so it is not a fault of Intuit's", (body) => {
  expect(readJsonFaults(body, [])).toBeNull();
});

test("an XML error page that is not Intuit's is not a fault", () => {
  expect(
    readXmlFaults("<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>", []),
  ).toBeNull();
});

const failed = (code: string, syscall?: string) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code, syscall }) });

test.each([
  ["ECONNREFUSED", "connect"],
  ["EHOSTUNREACH", "connect"],
  ["ENETUNREACH", "connect"],
  ["ENOTFOUND", "getaddrinfo"],
  ["EAI_AGAIN", "getaddrinfo"],
  ["UND_ERR_CONNECT_TIMEOUT"],
  ["CERT_HAS_EXPIRED"],
])("%s while the connection is opened proves that nothing was sent", (code, syscall?: string) => {
  expect(wasNotSent(failed(code, syscall))).toBe(true);
});

test.each([["ECONNRESET", "read"], ["EHOSTUNREACH", "read"], ["ENETUNREACH", "write"], ["UND_ERR_SOCKET"]])(
  "%s on an open connection (%s) proves nothing",
  (code, syscall?: string) => {
    expect(wasNotSent(failed(code, syscall))).toBe(false);
  },
);

test("a call is only known as not sent if each address that was tried says so", () => {
  const tried = (...syscalls: string[]) =>
    new TypeError("fetch failed", {
      cause: new AggregateError(syscalls.map((syscall) => failed("EHOSTUNREACH", syscall).cause)),
    });
  expect([tried("connect", "connect"), tried("connect", "read"), tried()].map(wasNotSent)).toEqual([
    true,
    false,
    false,
  ]);
  expect(wasNotSent(new DOMException("The operation timed out.", "TimeoutError"))).toBe(false);
  expect(wasNotSent(new TypeError("fetch failed"))).toBe(false);
});

test("a logged error has code, kind and tid, and no customer's name", () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const error = new IntuitError({
    kind: "badReference",
    http: 400,
    tid: "1-abc",
    faults: [fault("2500", "Ann O'Hara")],
  });
  log.warn({ err: error }, "refused");
  expect(lines.join("")).toContain('"tid":"1-abc"');
  expect(lines.join("")).toContain("code 2500 (badReference)");
  expect(lines.join("")).not.toContain("Hara");
  expect(error.faults[0]?.detail).toBe("Ann O'Hara");
});
