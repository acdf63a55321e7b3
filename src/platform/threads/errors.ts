/** An error that a thread's `run` threw. Its class does not survive the way out, so its name, code and parameters are kept. */
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

/** The thread was ended: it took more of the machine than one may. */
export class ThreadOverLimit extends Error {
  override name = "ThreadOverLimit";
  readonly limit: "processor time" | "memory";

  constructor(limit: "processor time" | "memory") {
    super(`A thread took too much ${limit}.`);
    this.limit = limit;
  }
}

/** Nothing is wrong with the work: too much waits already, or the machine gave the thread no time. */
export class ThreadsBusy extends Error {
  override name = "ThreadsBusy";
  override message = "Too many threads are waiting for the processor.";
}
