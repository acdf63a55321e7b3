/**
 * An error thrown by a thread's `run`. Its class is lost in the transfer, so its name, code and parameters
 * are kept.
 */
export class ThreadError extends Error {
  override name = "ThreadError";
  readonly thrown: string;
  readonly code: string | undefined;
  readonly params: unknown;

  constructor(reply: { thrown: string; code: string | undefined; params: unknown; message: string }) {
    super(reply.message);
    this.thrown = reply.thrown;
    this.code = reply.code;
    this.params = reply.params;
  }
}

/** The thread was ended because it used too much time or memory. */
export class ThreadOverLimit extends Error {
  override name = "ThreadOverLimit";
  readonly limit: "processor time" | "memory";

  constructor(limit: "processor time" | "memory") {
    super(`A thread took too much ${limit}.`);
    this.limit = limit;
  }
}

/** Nothing is wrong with the work: the queue is full, or the machine gave the thread no time. */
export class ThreadsBusy extends Error {
  override name = "ThreadsBusy";
  override message = "Too many threads are waiting for the processor.";
}
