/** Limits of one caller, and of the time of an exchange. Each process counts for itself. */
export const HTTP_LIMITS = {
  /** Sign-ins started, and ended, from one address. An office behind one address starts its day with fewer. */
  signInsPerMinute: 30,
  /** Calls of one session, or of an address without one. A page makes ten when it opens, and one a second while it waits. */
  callsPerMinute: 600,
  /** Files sent in one session, looking at their columns included. A user sends a few; a program sends one a second. */
  uploadsPerMinute: 60,
  /** Streams of changes open in one session. A browser needs one for all its tabs, or one for each tab without locks. */
  eventStreamsPerSession: 8,
  /** A stream of changes outlives its session by this at most. */
  checkStreamsMs: 5_000,
  /** From the connection to the last header. A weak phone needs 2 s; a client that needs more holds a socket for nothing. */
  headersMs: 20_000,
  /** How often connections are looked at for that. */
  checkConnectionsMs: 5_000,
  /** 25 MB come in seven hours at this rate: slower lines do not exist, and connections that stand still do. */
  slowestBody: { bytesPerSecond: 1_000, overMs: 60_000 },
  /** Longer than the minute for which proxies keep a connection: the one that ends it first must be the proxy. */
  keepAliveMs: 72_000,
};

/** The part of a session's calls that may be of endpoints that are declared as heavy: one a second. */
export const HEAVY_SHARE = 0.1;

export type HttpLimits = typeof HTTP_LIMITS;

/** Requests that change something may finish for so long after SIGTERM: container platforms wait 30 s before they kill. */
export const FINISH_CHANGES_MS = 20_000;
