-- Messages from the contact page, for members of group admin.
create table contact_message (
  id uuid primary key,
  name text not null,
  email text not null,
  topic text not null check (topic in ('upload', 'tracking', 'labels', 'billing', 'other')),
  message text not null,
  -- Support id of an error the message is about, as entered by its sender.
  support_id text not null default '',
  sent_at timestamptz not null
);
create index contact_message_newest on contact_message (sent_at desc, id);
