import { noticeWords as words } from "#features/shipping/web/carrier/words-rare.ts";
import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { downloadNotices } from "#features/orders/notices-out/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import Box from "@mui/material/Box";
import { useQueryClient } from "@tanstack/react-query";

type Props = { realmId: string; x12: readonly string[]; xml: readonly string[] };

/** Notices for the retailer that no folder takes: a user downloads them. Nothing without any. */
export function DueNotices({ realmId, x12, xml }: Props) {
  const queries = useQueryClient();
  const count = x12.length + xml.length;
  if (count === 0) return null;
  const title = words.due(count, boot.retailer);
  return (
    <Box role="group" aria-label={title} sx={{ mt: 2, "& > p": { m: 0 } }}>
      <p>
        <b>{title}.</b> {words.text(boot.retailer)}
      </p>
      <div style={{ display: "flex", flexWrap: "wrap", gap: 8, marginTop: 8 }}>
        {[
          { ids: x12, fileName: words.fileName, type: words.type },
          { ids: xml, fileName: words.xmlFileName, type: words.xmlType },
        ]
          .filter(({ ids }) => ids.length > 0)
          .map(({ ids, fileName, type }) => (
            <DownloadButton
              key={fileName}
              type={type}
              fileName={fileName}
              size="small"
              fetchDocument={async () => {
                const file = await call(downloadNotices, { body: { ids: [...ids] }, realmId });
                await refreshOrders(queries, realmId);
                return file;
              }}
            />
          ))}
      </div>
    </Box>
  );
}
