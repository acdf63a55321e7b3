import { serviceWords } from "#features/billing/web/words.ts";
import { changeSettings, type CompanyView, type SettingsChange } from "#features/companies/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { Choice } from "#web/kit/choice.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { TextLink } from "#web/kit/text-link.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

const words = serviceWords.setUp;

/** Choices about proofs, saved at once, for a service that was just turned on, and the next step. */
export function SetUp({ company }: { company: CompanyView }) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<SettingsChange>({});
  const save = useMutation({
    mutationFn: (change: SettingsChange) =>
      call(changeSettings, { query: { realm_id: company.id }, body: change }),
    // One after the other, so that the last choice is the one that is kept.
    scope: { id: `set-up.${company.id}` },
    onError: () => setChosen({}),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.companies }),
  });
  const choose = (change: SettingsChange) => {
    setChosen({ ...chosen, ...change });
    save.mutate(change);
  };
  const now = { ...company.settings, ...chosen };
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
      <FailedCall error={save.error} />
      <p>
        {words.text} <TextLink to={words.href}>{words.link}</TextLink>
      </p>
    </>
  );
}
