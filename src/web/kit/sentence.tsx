import type { ReactNode } from "react";

/** One of several sentences of a line. It wraps as a whole, and none of a line's parts is its largest paint. */
export const Sentence = ({ children }: { children: ReactNode }) => (
  <span style={{ display: "inline-block" }}>{children}</span>
);
