import { createContext, use } from "react";

export type ReportedUser = { username: string; name: string; email: string };

/** Receives failures and the user's identity. */
export type Reporter = {
  report(error: unknown): void;
  /** Null clears the identity after sign-out. */
  identify(user: ReportedUser | null): void;
};

/** For pages without our server, such as the gallery: failures stay in the browser's console. */
export const consoleReporter: Reporter = {
  report: (error) => console.error(error),
  identify: () => undefined,
};

export const ReporterContext = createContext<Reporter>(consoleReporter);

/** Returns the page's reporter. */
export function useReporter(): Reporter {
  return use(ReporterContext);
}
