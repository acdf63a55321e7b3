import { statusOf } from "#web/kit/api-error.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useHeadingFocus } from "#web/kit/focus.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { type AuthStatus, useSession } from "#web/kit/session/session.ts";
import { Sheet } from "#web/kit/sheet.tsx";
import { SignInButton } from "#web/kit/sign-in-button.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Shows its children to signed-in users; others see how to sign in, and come back to the same path and query. */
export function SignInGate({ children }: { children: ReactNode }) {
  const session = useSession();
  useSessionLost(session.authStatus);
  const isKnown = session.authStatus === "success" || session.authStatus === "error";
  useHeadingFocus(isKnown ? session.authStatus : null);
  if (session.authStatus === "success") return children;
  if (!isKnown) return <Spinner label={kitWords.loadingAccount} />;
  if (statusOf(session.authError) === 401) return <SignInPrompt />;
  return (
    <>
      <FailedCall error={session.authError} onRetry={session.retry} />
      <SignInPrompt />
    </>
  );
}

function SignInPrompt() {
  const { pathname, search } = useLocation();
  return (
    <Sheet>
      <p>{kitWords.signInRequired}</p>
      <SignInButton next={`${pathname}${search}`} />
    </Sheet>
  );
}

function useSessionLost(authStatus: AuthStatus) {
  const announce = useAnnounce();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (wasSignedIn.current && authStatus === "error") announce(kitWords.signInRequired, "assertive");
    wasSignedIn.current = authStatus === "success";
  }, [authStatus, announce]);
}
