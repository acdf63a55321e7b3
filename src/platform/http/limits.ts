/** Limits per caller and for the duration of a request. Each process counts separately. */
export const HTTP_LIMITS = {
  /**
   * Sign-ins started and finished from one address. An office behind one address starts its day with fewer.
   */
  signInsPerMinute: 30,
  /**
   * Calls of one session or key; of one network, those without any, and apart from them those with one that is not known.
   * A page makes ten when it opens, and one a second while polling.
   */
  callsPerMinute: 600,
  /**
   * Files sent in one session, including for reading their columns. A user sends a few; a program sends one a
   * second.
   */
  uploadsPerMinute: 60,
  /** Error reports of one network. A page that fails reports a few; one that fails at every step floods. */
  reportsPerMinute: 60,
  /** Uploads by the recorder of LogRocket from one network. A page sends one every few seconds, an office has many. */
  steadyReportsPerMinute: 1_200,
  /** Events of vendors from one network. A vendor has few, and reports packages of all companies through them. */
  vendorCallsPerMinute: 6_000,
  /**
   * Change streams open in one session. A browser needs one for all its tabs, or one per tab without the Web
   * Locks API.
   */
  eventStreamsPerSession: 8,
  /** Maximum time that a change stream outlives its session. */
  checkStreamsMs: 5_000,
  /**
   * From the connection to the last header. A weak phone needs 2 s; a client that needs more wastes a socket.
   */
  headersMs: 20_000,
  /** Interval for checking connections against that limit. */
  checkConnectionsMs: 5_000,
  /** At this rate 25 MB take seven hours: slower connections don't exist, but stalled ones do. */
  slowestBody: { bytesPerSecond: 1_000, overMs: 60_000 },
  /** Longer than the minute for which proxies keep connections: the proxy must close it first. */
  keepAliveMs: 72_000,
};

/** Share of a session's calls allowed for heavy endpoints: one a second. */
export const HEAVY_SHARE = 0.1;

/** Sessions' worth of calls that one network may make in all: an office behind one address has many users. */
export const NETWORK_SESSIONS = 20;

export type HttpLimits = typeof HTTP_LIMITS;

/** Time for requests that change something to finish after SIGTERM: container platforms kill after 30 s. */
export const FINISH_CHANGES_MS = 20_000;
