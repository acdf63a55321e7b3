import { noticeWords as words } from "#features/labels/web/carrier/words.ts";
import { refreshOrders } from "#features/labels/web/carrier/queries.ts";
import { downloadNotices } from "#features/orders/notices-out/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { useQueryClient } from "@tanstack/react-query";

type Props = { realmId: string; ids: readonly string[] };

/** Notices for the retailer that no folder takes: a user downloads them. Nothing without any. */
export function DueNotices({ realmId, ids }: Props) {
  const queries = useQueryClient();
  if (ids.length === 0) return null;
  const title = words.due(ids.length, boot.retailer);
  return (
    <Notice tone="blue" role="group" label={title} title={title}>
      <p>{words.text(boot.retailer)}</p>
      <DownloadButton
        type={words.type}
        fileName={words.fileName}
        size="small"
        fetchDocument={async () => {
          const file = await call(downloadNotices, { body: { ids: [...ids] }, realmId });
          await refreshOrders(queries, realmId);
          return file;
        }}
      />
    </Notice>
  );
}
