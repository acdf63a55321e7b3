/** A reason as a code with parameters, and the vendor's id of the exchange. A feature makes text of it. */
export type Cause = {
  code: string;
  params: Readonly<Record<string, string | number | null>>;
  tid: string | null;
};

/** The vendor's answer to a write that was done. `id` is the vendor's own of the object it made, null when it made none. */
export type WriteAnswer = { id: string | null; facts: Readonly<Record<string, unknown>>; tid: string | null };

/** Evidence about one write, from one call or one search of the vendor's data. */
export type Evidence =
  /** There is nothing new: a run has just taken the write up. */
  | { kind: "nothing" }
  /** The vendor confirmed it. */
  | { kind: "accepted"; answer: WriteAnswer }
  /** The vendor refused it in its own words. */
  | { kind: "refused"; cause: Cause }
  /** The vendor says that its data are not as the write expects: a number is taken, a version is old. */
  | { kind: "conflict"; cause: Cause }
  /** It was surely not done: throttled, or it never reached the vendor. */
  | { kind: "notDone"; cause: Cause }
  /** It may have been done: silence, an outage, a page of a proxy in between. */
  | { kind: "inDoubt"; cause: Cause }
  /** A search found it, and it is surely ours. */
  | { kind: "found"; answer: WriteAnswer }
  /** A search shows that it cannot be done: its object is foreign or was changed by others. */
  | { kind: "excluded"; cause: Cause }
  /** A search shows something that may be it. */
  | { kind: "similar"; cause: Cause }
  /** A search shows nothing that may be it. */
  | { kind: "absent" };
