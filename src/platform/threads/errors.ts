/** What a thread's `run` threw. Its class does not survive the way out, so its name, code and parameters are kept. */
export class ThreadError extends Error {
  readonly thrown: string;
  readonly code: string | undefined;
  readonly params: unknown;

  constructor({
    thrown,
    code,
    params,
    message,
  }: Pick<ThreadError, "thrown" | "code" | "params" | "message">) {
    super(message);
    this.name = "ThreadError";
    this.thrown = thrown;
    this.code = code;
    this.params = params;
  }
}

/** The thread was ended: it took more of the machine than one may. */
export class ThreadOverLimit extends Error {
  readonly limit: "processor time" | "memory";

  constructor(limit: "processor time" | "memory") {
    super(`A thread took too much ${limit}.`);
    this.name = "ThreadOverLimit";
    this.limit = limit;
  }
}

/** Nothing is wrong with the work: too much waits already, or the machine gave the thread no time. */
export class ThreadsBusy extends Error {
  constructor() {
    super("Too many threads are waiting for the processor.");
    this.name = "ThreadsBusy";
  }
}
