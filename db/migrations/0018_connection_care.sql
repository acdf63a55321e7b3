-- When a connection was last kept alive, when it ends by itself if it is not (idle), when it ends whatever is done (hard),
-- and whether its admin knows. Of connections from before the ends are unknown until their next refresh.
alter table intuit_connection add column refreshed_at timestamptz not null default now();
alter table intuit_connection add column idle_ends_at timestamptz;
alter table intuit_connection add column hard_ends_at timestamptz;
alter table intuit_connection add column end_announced_at timestamptz;
update intuit_connection set refreshed_at = updated_at;
