import { openFile } from "#features/admin/contract.ts";
import type { ListName, ListRow } from "#features/admin/lists/contract.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";

type Props = { list: ListName; row: ListRow; look?: "button" | "quiet" };

/** Downloads the company's file of a row, if it has one: it opens only under a grant of the company. */
export function FileButton({ list, row, look = "quiet" }: Props) {
  const found = findFile(list, row);
  if (!found) return null;
  const { kind, file, realmId } = found;
  return (
    <DownloadButton
      type={adminWords.files[kind]}
      detail={row.key}
      fileName={kind}
      look={look}
      fetchDocument={() => call(openFile, { params: { kind, file }, query: { realm_id: realmId } })}
    />
  );
}

type Found = { kind: "workbook" | "label"; file: string; realmId: string };

function findFile(list: ListName, row: ListRow): Found | null {
  if (list === "uploads")
    return { kind: "workbook", file: row.key, realmId: (row as ListRow<"uploads">).realm_id };
  if (list !== "labels") return null;
  const { kind, key, state, realm_id: realmId } = row as ListRow<"labels">;
  return kind === "ups" && state === "made" ? { kind: "label", file: key, realmId } : null;
}
