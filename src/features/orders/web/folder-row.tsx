import { formatZoned } from "#web/kit/format.ts";
import { folderQuery } from "#features/orders/web/queries.ts";
import { folderWords as words } from "#features/orders/web/folder-words.ts";
import { Chip } from "#web/kit/chip.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { OpenRow } from "#web/kit/rows.tsx";
import { useQuery } from "@tanstack/react-query";

const FolderSettings = lazyPart(
  async () => (await import("#features/orders/web/folder-settings.tsx")).FolderSettings,
);

type Props = { realmId: string };

/** The folder from which a company's orders are fetched. */
export const FolderRow = ({ realmId }: Props) => (
  <OpenRow {...words.row} state={<State realmId={realmId} />}>
    <FolderSettings realmId={realmId} />
  </OpenRow>
);

function State({ realmId }: Props) {
  const { data } = useQuery(folderQuery(realmId));
  if (!data) return null;
  if (!data.folder) return words.states.none;
  const { state, polled_at: at } = data.folder;
  if (state !== "active")
    return <Chip tone={state === "stopped" ? "red" : "amber"}>{words.states[state]}</Chip>;
  return at === null ? words.states.active : words.polled(formatZoned(at));
}
