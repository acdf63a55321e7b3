import type { ListRow } from "#features/admin/lists/contract.ts";
import { DetailsButton } from "#features/admin/web/details-button.tsx";
import { adminWords } from "#features/admin/web/words.ts";
import { readStorageOf } from "#features/companies/storage/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { StoredList } from "#web/kit/stored/stored-list.tsx";

/** Shows what is stored for a company; counted on request, because it reads many rows. */
export const StorageButton = ({ company }: { company: ListRow<"companies"> }) => (
  <DetailsButton
    words={adminWords.storage}
    subject={company.company}
    rowKey={company.key}
    read={(signal) => call(readStorageOf, { query: { realm_id: company.realm_id }, signal })}
  >
    {({ storage }) => <StoredList storage={storage} />}
  </DetailsButton>
);
