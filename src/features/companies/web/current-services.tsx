import type { CompanyView } from "#features/companies/contract.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { Chip } from "#web/kit/chip.tsx";
import Box from "@mui/material/Box";
import { Check } from "lucide-react";

const words = companyWords.services;

/** What a company uses, with what it costs. */
export function CurrentServices({ company }: { company: CompanyView }) {
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
      <Service {...words.upload} price={words.free} />
      {company.services.includes("tracking") ? <Service {...words.tracking} isActive /> : null}
    </Box>
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
