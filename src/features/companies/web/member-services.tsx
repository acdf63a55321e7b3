import { companyWords } from "#features/companies/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { companiesQuery } from "#web/kit/companies-query.ts";
import { useSession } from "#web/kit/session/session.ts";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";

const words = companyWords.memberServices;

/** Services of the current company for a user who isn't its admin, and whom to ask for one. */
export function MemberServices() {
  const { company } = useSession();
  const { data } = useQuery(companiesQuery);
  const details = data?.companies.find(({ id }) => id === company?.id);
  // In a company without an admin, every user counts as its admin.
  if (!details?.admin) return null;
  const isOn = details.services.includes("tracking");
  return (
    <section aria-labelledby="member-services">
      <Typography variant="h2" id="member-services" sx={{ mt: 0 }}>
        {words.title}
      </Typography>
      <p>{isOn ? words.on : boot.sellsTracking ? words.off(details.admin) : words.soon}</p>
    </section>
  );
}
