import { serviceWords } from "#features/billing/web/words.ts";
import { changeSettings, type CompanyView, type SettingsChange } from "#features/companies/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import { useSavedChoices } from "#web/kit/use-saved-choices.ts";

const words = serviceWords.setUp;

/** Choices about proofs, saved at once, for a service that was just turned on, and the next step. */
export function SetUp({ company }: { company: CompanyView }) {
  const { now, choose, error } = useSavedChoices<SettingsChange>({
    saved: company.settings,
    save: (change) => call(changeSettings, { query: { realm_id: company.id }, body: change }),
    queryKey: queryKeys.companies,
  });
  const isAttached = now.attach_pods === "true";
  const choices = [
    { flag: "attach_pods", label: words.attach, isActive: true },
    { flag: "pods_on_send", label: words.onSend, isActive: isAttached },
  ] as const;
  return (
    <>
      {choices.map(({ flag, label, isActive }) => (
        <Choice
          key={flag}
          type="checkbox"
          checked={isActive && now[flag] === "true"}
          disabled={!isActive}
          onChange={({ target }) => choose({ [flag]: target.checked ? "true" : "false" })}
        >
          {label}
        </Choice>
      ))}
      <FailedCall error={error} />
      <p>
        {words.text} <TextLink to={words.href}>{words.link}</TextLink>
      </p>
    </>
  );
}
