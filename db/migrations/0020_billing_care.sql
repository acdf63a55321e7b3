-- The renewal of a paid service is overdue: it is still on, until its last moment.
alter table company_service add column is_unpaid boolean not null default false;

-- Once: whoever tries a service is reminded of the end.
alter table service_trial add column reminded_at timestamptz;
