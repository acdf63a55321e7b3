/** A reason as a code with parameters, and the vendor's id of the call. Features convert it to text. */
export type Cause = {
  code: string;
  params: Readonly<Record<string, string | number | null>>;
  tid: string | null;
};

/**
 * The vendor's answer to a completed write. `id` is the vendor's id of the created object, null if none was
 * created.
 */
export type WriteAnswer = { id: string | null; facts: Readonly<Record<string, unknown>>; tid: string | null };

/** Evidence about one write, from one call or one search of the vendor's data. */
export type Evidence =
  /** Nothing new: a run has just taken over the write. */
  | { kind: "nothing" }
  /** The vendor confirmed it. */
  | { kind: "accepted"; answer: WriteAnswer }
  /** The vendor refused it explicitly. */
  | { kind: "refused"; cause: Cause }
  /**
   * The vendor reports that its data differ from what the write expects: a number is taken, a version is old.
   */
  | { kind: "conflict"; cause: Cause }
  /** Certainly not done: throttled, or it never reached the vendor. */
  | { kind: "notDone"; cause: Cause }
  /** It may have been done: no answer, an outage, or an answer from a proxy. */
  | { kind: "inDoubt"; cause: Cause }
  /** A search found it, and it is certainly ours. */
  | { kind: "found"; answer: WriteAnswer }
  /** A search shows that it cannot be done: its object belongs to others or was changed by them. */
  | { kind: "excluded"; cause: Cause }
  /** A search found something that may be it. */
  | { kind: "similar"; cause: Cause }
  /** A search found nothing that may be it. */
  | { kind: "absent" }
  /** The vendor refuses the search. */
  | { kind: "unsearchable" };
