import type { WireRequest } from "../kit/http.ts";

/** A call of the control interface with its JSON body. */
export type Control = { request: WireRequest; body: Record<string, unknown> };

/** A wrong use of the control interface; its text goes back with status 400. */
export class ControlError extends Error {}
