-- A company's folder of incoming orders: an SFTP account, or a folder of this machine below the operator's.
create table order_folder (
  realm_id text primary key references company (realm_id) on delete cascade,
  kind text not null check (kind in ('sftp', 'local')),
  -- The SFTP server with its account; empty for a folder of this machine.
  host text not null,
  port int not null,
  user_name text not null,
  auth text not null check (auth in ('password', 'key', '')),
  secret_sealed text not null,
  -- Fingerprint of the server's key, which the admin confirmed.
  host_key text not null,
  folder_in text not null,
  folder_out text not null,
  -- stopped: nothing is asked of it until an admin saves it again.
  state text not null check (state in ('active', 'failing', 'stopped')),
  fault text,
  failures int not null default 0,
  next_at timestamptz not null,
  -- End of the last whole look.
  polled_at timestamptz,
  -- Size and time of each file at the last look, by name: a file that has them twice is not being written.
  looks jsonb not null default '{}',
  -- Files of "done" that sort behind it are taken again: they came after the backup that was restored.
  taken_up_to text,
  changed_at timestamptz not null,
  changed_by text not null
);
create index order_folder_due on order_folder (next_at) where state <> 'stopped';
