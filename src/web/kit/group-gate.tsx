import type { Group } from "#contract/endpoint.ts";
import { EmptyState } from "#web/kit/empty-state.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { kitWords } from "#web/kit/words.ts";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";

const words = kitWords.noAccess;

type Props = {
  group: Group;
  /** Said when the session ends: what the page kept. */
  kept?: string | null;
  children: ReactNode;
};

/** Shows its children to people of a group; others read that they may not enter, and whom to ask. */
export function GroupGate({ group, kept = null, children }: Props) {
  const { authStatus, groups } = useSession();
  if (authStatus !== "success" || groups.includes(group))
    return <SignInGate kept={kept}>{children}</SignInGate>;
  return (
    <EmptyState icon={Lock} title={words.title(words.areas[group])}>
      <WhomToAsk />
    </EmptyState>
  );
}

/** The admin of the company on screen, who knows who runs this; for its admin, and without a company, only us. */
function WhomToAsk() {
  const { company, email } = useSession();
  const contact = <PlainLink href="/contact/">{words.contact}</PlainLink>;
  if (!company?.admin || company.admin === email)
    return (
      <p>
        {words.to} {contact} {words.ask}
      </p>
    );
  return (
    <p>
      {words.askAdmin} <PlainLink href={`mailto:${company.admin}`}>{company.admin}</PlainLink>
      {words.or} {contact}.
    </p>
  );
}
