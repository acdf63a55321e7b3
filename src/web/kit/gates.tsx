import { httpStatus } from "#web/kit/api-error.ts";
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
import type { Group } from "#contract/endpoint.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { Lock, type LucideIcon } from "lucide-react";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";

const { sessionEnded: ended, noAccess: words } = kitWords;

type Props = {
  /** Sentence shown if the session ends, about the input that the page kept. */
  kept?: string | null;
  children: ReactNode;
};

/**
 * Shows its children to signed-in users; others see how to sign in, and return to the same path and query. A
 * user whose session has just ended reads that, and whether their last action was sent.
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

/** Whether a session of this page has ended; announces it when it happens. */
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

/**
 * Shows its children to users of a group. Others see that they have no access and are sent to the contact
 * page: groups are assigned in the product's configuration, not by a company's admin.
 */
export function GroupGate({ group, kept = null, children }: Props & { group: Group }) {
  const { authStatus, groups } = useSession();
  if (authStatus !== "success" || groups.includes(group))
    return <SignInGate kept={kept}>{children}</SignInGate>;
  return (
    <EmptyState icon={Lock} title={words.title(words.areas[group])}>
      <p>
        {words.ask} <PlainLink href="/contact/">{words.contact}</PlainLink>.
      </p>
    </EmptyState>
  );
}

type EmptyProps = {
  icon?: LucideIcon;
  title?: string;
  /** The explanation, followed by the next step. */
  children: ReactNode;
};

/** Replaces content that can't be shown with the reason and the next step. */
export function EmptyState({ icon, title, children }: EmptyProps) {
  return (
    <Box
      sx={{
        mt: 3,
        maxWidth: "56ch",
        "& > p": { m: 0, mb: 2 },
        "& > h2": { mt: 0, mb: 1 },
        overflowWrap: "anywhere",
      }}
    >
      {icon ? (
        <Box sx={{ mb: 1, lineHeight: 0, color: "text.secondary" }}>
          <Icon of={icon} size="large" />
        </Box>
      ) : null}
      {title ? <h2>{title}</h2> : null}
      {children}
    </Box>
  );
}
