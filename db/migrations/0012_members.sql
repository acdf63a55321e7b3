-- A member is a user, whatever e-mail they have now. Who is invited is known by e-mail until a user who signs in with it
-- accepts: then the place is theirs, and a later holder of the same e-mail has nothing of it.
alter table company_member drop constraint company_member_pkey;
alter table company_member alter column email drop not null;
alter table company_member add column user_id uuid references app_user (id);
update company_member member set user_id = app_user.id, email = null
  from (select distinct on (email) id, email from app_user order by email, updated_at desc) app_user
  where app_user.email = member.email;
alter table company_member add constraint company_member_who check ((user_id is null) <> (email is null));
-- Names an invitation in its mail, and who sent it.
alter table company_member add column invitation_id uuid unique;
alter table company_member add column invited_by uuid references app_user (id);
update company_member set invitation_id = gen_random_uuid() where user_id is null;
alter table company_member add constraint company_member_invitation check ((user_id is null) = (invitation_id is not null));
create unique index company_member_user on company_member (realm_id, user_id);
create unique index company_member_invited on company_member (realm_id, email);
create index company_member_companies on company_member (user_id);

-- The admin is a user, too. Null: every member is one.
alter table company add column admin_id uuid references app_user (id);
update company set admin_id = app_user.id
  from (select distinct on (email) id, email from app_user order by email, updated_at desc) app_user
  where app_user.email = company.admin_email;
alter table company drop column admin_email;

-- What a company may use beside uploading invoices: paid, or granted with a reason. Services that ended stay.
create table company_service (
  realm_id text not null references company (realm_id) on delete cascade,
  service text not null,
  state text not null check (state in ('active', 'ended')),
  -- The last moment of an active one; null when it has none.
  until timestamptz,
  source text not null check (source in ('granted', 'subscription')),
  reason text not null,
  changed_at timestamptz not null,
  primary key (realm_id, service)
);
insert into company_service (realm_id, service, state, source, reason, changed_at)
  select realm_id, unnest(services), 'active', 'granted', 'Active before services had an end', now() from company;
alter table company drop column services;

-- The company a user worked in last: a new browser begins with it.
alter table app_user add column realm_id text;
