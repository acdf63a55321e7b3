import { forgetName, type NameChoice } from "#features/invoices/choices/contract.ts";
import { rememberedNamesQuery } from "#features/invoices/web/names/queries.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { TextTable } from "#features/invoices/web/text-table.tsx";
import { call } from "#web/kit/api-client.ts";
import { messageOf } from "#web/kit/api-error.ts";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import Button from "@mui/material/Button";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

/** What people of the company said names mean, each with a way to forget it. */
export function RememberedNames({ realmId }: { realmId: string }) {
  const { data, error, isPending } = useQuery(rememberedNamesQuery(realmId));
  const queries = useQueryClient();
  const announce = useAnnounce();
  const forget = useMutation({
    mutationFn: ({ kind, text }: NameChoice) =>
      call(forgetName, { query: { realm_id: realmId, kind, text } }),
    onSuccess: (_, { text }) => {
      announce(words.forgotten(text));
      return queries.invalidateQueries({ queryKey: rememberedNamesQuery(realmId).queryKey });
    },
  });
  return (
    <>
      {isPending ? <Spinner label={words.rememberedLoading} /> : null}
      <ErrorBlock message={messageOf(error ?? forget.error)} role="group" />
      {data?.names.length === 0 ? <p>{words.rememberedNone}</p> : null}
      {data && data.names.length > 0 ? (
        <TextTable label={words.rememberedTitle} heads={words.rememberedHeads}>
          {data.names.map((name) => (
            <tr key={`${name.kind} ${name.text}`}>
              <th scope="row" style={{ overflowWrap: "anywhere" }}>
                {name.text}
              </th>
              <td>{words.kinds[name.kind]}</td>
              <td style={{ overflowWrap: "anywhere" }}>{name.target_name}</td>
              <td>
                <Button
                  variant="outlined"
                  disabled={forget.isPending}
                  aria-label={words.forgetOf(name.text)}
                  onClick={() => forget.mutate(name)}
                >
                  {words.forget}
                </Button>
              </td>
            </tr>
          ))}
        </TextTable>
      ) : null}
    </>
  );
}
