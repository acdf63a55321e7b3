import { httpStatus } from "#web/kit/api-error.ts";
import { EmptyState } from "#web/kit/empty-state.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { isUnsent } from "#web/kit/query-client.ts";
import { useHeadingFocus } from "#web/kit/focus.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { type AuthStatus, useSession } from "#web/kit/session/session.ts";
import { SignInButton } from "#web/kit/sign-in-button.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";

const ended = kitWords.sessionEnded;

type Props = {
  /** Said when the session ends: what the page kept. */
  kept?: string | null;
  children: ReactNode;
};

/**
 * Shows its children to signed-in users; others see how to sign in, and come back to the same path and query. Who was
 * signed in a moment ago reads that their session ended, and what became of what they did last.
 */
export function SignInGate({ kept = null, children }: Props) {
  const session = useSession();
  const hasEnded = useSessionLost(session.authStatus);
  const isKnown = session.authStatus === "success" || session.authStatus === "error";
  useHeadingFocus(isKnown ? session.authStatus : null);
  if (session.authStatus === "success") return children;
  if (!isKnown) return <Spinner label={kitWords.loadingAccount} />;
  if (httpStatus(session.authError) === 401) {
    const lost = isUnsent(session.authError) ? ended.lost : null;
    return <SignInPrompt ended={hasEnded ? [lost, kept, ended.goOn].filter(Boolean).join(" ") : null} />;
  }
  return (
    <>
      <FailedCall error={session.authError} onRetry={session.retry} />
      <SignInPrompt ended={null} />
    </>
  );
}

function SignInPrompt({ ended: text }: { ended: string | null }) {
  const { pathname, search } = useLocation();
  return (
    <EmptyState {...(text === null ? {} : { title: ended.title })}>
      <p>{kitWords.signInRequired}</p>
      {text === null ? null : <p>{text}</p>}
      <SignInButton next={`${pathname}${search}`} />
    </EmptyState>
  );
}

/** Whether a session that was there has ended; said aloud when it does. */
function useSessionLost(authStatus: AuthStatus): boolean {
  const announce = useAnnounce();
  const [wasSignedIn, setSignedIn] = useState(false);
  const isSignedIn = authStatus === "success";
  if (isSignedIn && !wasSignedIn) setSignedIn(true);
  const hasEnded = wasSignedIn && authStatus === "error";
  useEffect(() => {
    if (hasEnded) announce(kitWords.signInRequired, "assertive");
  }, [hasEnded, announce]);
  return hasEnded;
}
