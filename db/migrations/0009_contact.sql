-- What people wrote by the contact page, for the people of group admin.
create table contact_message (
  id uuid primary key,
  name text not null,
  email text not null,
  topic text not null check (topic in ('upload', 'tracking', 'labels', 'billing', 'other')),
  message text not null,
  -- Support id of an error the message is about, as its writer gave it.
  support_id text not null default '',
  sent_at timestamptz not null
);
create index contact_message_newest on contact_message (sent_at desc, id);

-- A company that a person disconnected: its tokens are gone, its history stays.
alter table intuit_connection
  drop constraint intuit_connection_state_check,
  add constraint intuit_connection_state_check check (state in ('connected', 'reconnect_needed', 'disconnected'));
