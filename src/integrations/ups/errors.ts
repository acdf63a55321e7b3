export type UpsErrorKind =
  /** UPS's own verdict: the request can't be done as it is. */
  | "refused"
  /** The access token, the code or the refresh token is no longer good. */
  | "auth"
  /** The client id or the secret of this installation is refused: no fault of a user's connection. */
  | "app"
  | "throttled"
  /** Nothing was done: the request did not get there. */
  | "network"
  /** Not a response from UPS itself: the request may have been done. */
  | "uncertain";

/** One entry of UPS's list of errors. */
export type UpsFault = { code: string; message: string };

type Init = {
  kind: UpsErrorKind;
  http?: number | null;
  faults?: readonly UpsFault[];
  numbers?: readonly string[];
  message?: string;
  cause?: unknown;
};

/** Every failure of a call to UPS. The message holds codes only, since it reaches logs; UPS's texts are in `faults`. */
export class UpsError extends Error {
  readonly kind: UpsErrorKind;
  /** Status of the answer, null when there was none. */
  readonly http: number | null;
  declare readonly faults: readonly UpsFault[];
  /** Numbers of packages and shipments that an answer names that can't be used: they may have been made. */
  readonly numbers: readonly string[];

  constructor({ kind, http = null, faults = [], numbers = [], message, cause }: Init) {
    const about = message ?? `code ${faults.map(({ code }) => code).join(", ")}`;
    super(http === null ? `${about} (${kind})` : `UPS answered ${http}: ${about} (${kind})`, { cause });
    this.name = "UpsError";
    this.kind = kind;
    this.http = http;
    this.numbers = numbers;
    // Not enumerable: messages may quote names and addresses, which must not reach the log.
    Object.defineProperty(this, "faults", { value: faults, enumerable: false });
  }
}
