import { companyWords } from "#features/companies/web/words.ts";
import { Card } from "#web/kit/card.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { useSession } from "#web/kit/session/session.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";

const words = companyWords.services;

/** What the current company uses, with what it costs. Why that can't be read is said beside the companies. */
export function CurrentServices() {
  const { company } = useSession();
  const { data, isPending } = useQuery(companiesQuery);
  const services = data?.companies.find(({ id }) => id === company?.id)?.services ?? [];
  return (
    <Card title={words.title} sx={{ mt: 0 }}>
      <Skeleton isBusy={isPending} label={words.loading} rows={1} columns={2} height={77}>
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", borderTop: 1, borderColor: "line.strong" }}>
          <Service {...words.upload} price={words.free} />
          {services.includes("tracking") ? <Service {...words.tracking} isActive /> : null}
        </Box>
      </Skeleton>
    </Card>
  );
}

type Props = { name: string; text: string; price?: string; isActive?: boolean };

function Service({ name, text, price, isActive = false }: Props) {
  return (
    <Box
      component="li"
      sx={{ display: "flex", alignItems: "center", gap: 3, py: 2, borderBottom: 1, borderColor: "divider" }}
    >
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5 }}>
          <b>{name}</b>
          {isActive ? (
            <Chip tone="green" icon={Check}>
              {words.active}
            </Chip>
          ) : null}
        </Box>
        <Box sx={{ typography: "caption", color: "text.caption" }}>{text}</Box>
      </Box>
      {price ? <b>{price}</b> : null}
    </Box>
  );
}
