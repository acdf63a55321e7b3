type AppErrorInit = {
  status: number;
  code: string;
  detail: string;
  retryAfterSeconds?: number;
  cause?: unknown;
};

/**
 * A failure reported to the caller: `detail` is shown to users, `code` is for programs. Anything else thrown
 * is a bug.
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, code, detail, retryAfterSeconds, cause }: AppErrorInit) {
    super(detail, { cause });
    this.name = "AppError";
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const badRequest = (code: string, detail: string) => new AppError({ status: 400, code, detail });
export const forbidden = (code: string, detail: string) => new AppError({ status: 403, code, detail });
export const notFound = (detail: string) => new AppError({ status: 404, code: "not_found", detail });
export const conflict = (code: string, detail: string) => new AppError({ status: 409, code, detail });

/** Refuses a vendor's event, with the status that the vendor expects. */
export const notSigned = (status: 400 | 401) =>
  new AppError({
    status,
    code: "not_signed",
    detail: "The event's signature isn't valid. Check that the webhook has the same secret on both sides.",
  });

export const unreadableAddress = () =>
  badRequest("invalid_address", "The address of the request couldn't be read. Check it.");

export const signInRequired = () =>
  new AppError({
    status: 401,
    code: "sign_in_required",
    detail: "You must sign in with Intuit to access the app.",
  });
