import { sql } from "kysely";
import type { Service } from "#features/companies/contract.ts";
import type { ConnectionState } from "#features/companies/tables.ts";
import type { Db } from "#platform/db/connect.ts";

type ConnectedCompany = {
  realmId: string;
  name: string;
  adminEmail: string | null;
  connection: ConnectionState;
  /** Members, without invited users. */
  users: number;
  services: Service[];
};

/** Lists every company that was ever connected, by name, with its services at `now`; only for operators. */
export async function listConnectedCompanies(db: Db, now: Date): Promise<ConnectedCompany[]> {
  const { rows } =
    await sql<ConnectedCompany>`select c.realm_id as "realmId", c.name, u.email as "adminEmail",
      i.state as connection,
      (select count(*) from company_member m where m.realm_id = c.realm_id and m.user_id is not null) as users,
      array(select distinct service from company_service s where s.realm_id = c.realm_id and s.state = 'active'
        and (s.until is null or s.until > ${now}) order by service) as services
    from company c join intuit_connection i using (realm_id) left join app_user u on u.id = c.admin_id
    order by c.name, c.realm_id`.execute(db);
  return rows;
}
