/** One entry of a fault as sent; `element` is omitted, empty or a name depending on the code. */
export type FaultError = { Message: string; Detail: string; code: string; element?: string };

/** A refusal of the Accounting API. */
export class ApiFault extends Error {
  readonly status: number;
  readonly type: string;
  readonly errors: FaultError[];

  constructor(init: { status: number; type: string; errors: FaultError[] }) {
    super(init.errors[0]?.Detail ?? init.type);
    this.status = init.status;
    this.type = init.type;
    this.errors = init.errors;
  }
}

/**
 * Creates a fault by its code. The message is Intuit's own; the element is as recorded (omitted for 500,
 * 2010, 4000 to 4002; empty for object and business errors; a name for field errors).
 */
export function fault(code: string, detail: string, element?: string): ApiFault {
  const error: FaultError = { Message: MESSAGES[code] ?? "Error", Detail: detail, code };
  if (element !== undefined) error.element = element;
  else if (!WITHOUT_ELEMENT.has(code)) error.element = "";
  return new ApiFault({
    status: STATUS[code] ?? 400,
    type: TYPE[code] ?? "ValidationFault",
    errors: [error],
  });
}

export const missing = (name: string) =>
  fault("2020", `Required parameter ${name} is missing in the request`, name);

export const notFound = () =>
  fault(
    "610",
    "Object Not Found : Something you're trying to use has been made inactive. Check the fields with accounts, customers, items, vendors or employees.",
  );

const WITHOUT_ELEMENT = new Set(["500", "2010", "4000", "4001", "4002"]);
const STATUS: Record<string, number> = { "120": 403, "10000": 500, "3001": 429 };
const TYPE: Record<string, string> = {
  "120": "AuthorizationFault",
  "130": "SystemFault",
  "140": "SystemFault",
  "150": "SystemFault",
  "3001": "SERVICE",
  "10000": "SystemFault",
  "500": "ValidationFault",
};

const MESSAGES: Record<string, string> = {
  "100": "General Authentication Error",
  "110": "OAuth Authentication Error",
  "120": "Authorization Failure",
  "130": "Company is not on this cluster",
  "140": "Company is locked",
  "150": "Service is under maintenance",
  "500": "Unsupported Operation",
  "600": "Duplicate Request ID",
  "610": "Object Not Found",
  "1040": "Batch size exceeded",
  "2010": "Request has invalid or unsupported property",
  "2020": "Required param missing, need to supply the required value for the API",
  "2030": "Invalid ID",
  "2040": "Invalid String. Unsupported characters",
  "2050": "String length is either shorter or longer than supported by specification",
  "2060": "Invalid Date format",
  "2090": "Invalid Number",
  "2170": "Invalid Enumeration",
  "2210": "Invalid Email Address format",
  "2220": "Invalid Currency Type",
  "2500": "Invalid Reference Id",
  "3001": "message=ThrottleExceeded; errorCode=003001; statusCode=429",
  "4000": "Error parsing query",
  "4001": "Invalid query",
  "4002": "Error processing query",
  "5010": "Stale Object Error",
  "5020": "Permission Denied Error",
  "5030": "Feature Not Supported Error",
  "6000": "A business validation error has occurred while processing your request",
  "6030": "Attachment file size exceeds the limit",
  "6040": "Invalid attachment metadata",
  "6041": "Unsupported attachment file type",
  "6050": "Attachment link type is not supported",
  "6070": "Amount calculation incorrect in the request",
  "6090": "Discount line is invalid",
  "6100": "Invalid line tax code",
  "6140": "Duplicate Document Number Error",
  "6170": "Invalid transaction tax detail",
  "6190": "Invalid Company Status",
  "6200": "Account Period Closed",
  "6210": "Account Period Closed, Cannot Update Through Services API",
  "6240": "Duplicate Name Exists Error",
  "6250": "Customer is missing or inactive",
  "6270": "Transaction date is before the inventory start date",
  "6420": "Email address is required",
  "6540": "Deposited Transaction cannot be changed",
  "10000": "An application error has occurred while processing your request",
};
