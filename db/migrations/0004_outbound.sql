-- Shared budget of calls to a vendor: the limits of a key (such as a company's books) per second and minute.
-- Unlogged: data lost in a server crash costs at most a minute of excess calls, which the vendor rejects;
-- logged, each call would be written to the log four times.
create unlogged table outbound_budget (
  key text primary key,
  -- Time of the newest decision. Clocks of processes differ slightly; a key's time only runs backward if a
  -- clock is corrected.
  newest_at timestamptz not null,
  paused_until timestamptz
);

-- One row per call: it counts in its time window, and as running until it is released or 130 s old.
create unlogged table outbound_lease (
  id uuid primary key,
  key text not null,
  kind text not null check (kind in ('request', 'batch')),
  taken_at timestamptz not null,
  released_at timestamptz,
  -- The process that holds it. Calls of a dead process count as running only until its death is noticed.
  holder text not null default ''
);
create index outbound_lease_window on outbound_lease (key, taken_at);
create index outbound_lease_end on outbound_lease (key, released_at);
create index outbound_lease_age on outbound_lease (taken_at);
create index outbound_lease_holder on outbound_lease (holder) where released_at is null;

-- Takes a lease or returns when to ask again. A function, because the windows must be read after the key's
-- lock is held, and both must take one round trip; the lock is released before the call to the vendor starts.
-- A call reaches the vendor at some time between its start and its end, so the windows of a second and of a
-- minute's batches count running calls and those that ended within them: then late arrivals of one window
-- cannot coincide with early ones of the next. The window of a minute's requests has enough margin to count
-- by start. retry_at is null if the lease was taken, or if only the end of a running call can free capacity.
create function take_outbound_lease(
  lease_id uuid, lease_holder text, lease_key text, lease_kind text, caller_now timestamptz,
  per_minute int, per_second int, in_flight int, batches_per_minute int,
  out granted boolean, out retry_at timestamptz
) language plpgsql as $$
declare
  ahead interval;
  at timestamptz;
  pause timestamptz;
  running int;
begin
  -- Losing the last moments' leases costs at most a few excess calls; waiting for the disk would slow every
  -- call.
  perform set_config('synchronous_commit', 'off', true);
  -- A clock was set back by more than clocks usually differ: the key's earlier calls are moved along with it.
  select b.newest_at - caller_now into ahead from outbound_budget b
    where b.key = lease_key and b.newest_at > caller_now + interval '10 s' for update;
  if found then
    update outbound_budget b set newest_at = caller_now, paused_until = b.paused_until - ahead where b.key = lease_key;
    update outbound_lease l set taken_at = l.taken_at - ahead, released_at = l.released_at - ahead
      where l.key = lease_key and l.taken_at > caller_now;
  end if;
  insert into outbound_budget as b (key, newest_at) values (lease_key, caller_now)
    on conflict (key) do update set newest_at = greatest(b.newest_at, excluded.newest_at),
      -- No pause is longer than ten minutes: a longer one was written by a fast clock.
      paused_until = case when b.paused_until is not null
        then least(b.paused_until, excluded.newest_at + interval '10 min') end
    returning b.newest_at, b.paused_until into at, pause;
  select count(*) into running from outbound_lease l
    where l.key = lease_key and l.released_at is null and l.taken_at > at - interval '130 s';

  select max(until) into retry_at from (
    values (pause),
      ((select l.taken_at from outbound_lease l where l.key = lease_key
        order by l.taken_at desc offset per_minute - 1 limit 1) + interval '60 s'),
      ((select l.released_at from outbound_lease l where l.key = lease_key and l.released_at > at - interval '1 s'
        order by l.released_at desc offset greatest(per_second - running - 1, 0) limit 1) + interval '1 s'),
      (case when lease_kind = 'batch' then
        (select coalesce(l.released_at, at) as ended from outbound_lease l
          where l.key = lease_key and l.kind = 'batch' and l.taken_at > at - interval '130 s'
            and coalesce(l.released_at, at) > at - interval '60 s'
          order by ended desc offset batches_per_minute - 1 limit 1) + interval '60 s' end)
  ) as bounds (until) where until > at;

  granted := retry_at is null and running < least(in_flight, per_second);
  if granted then
    delete from outbound_lease l where l.key = lease_key and l.taken_at < at - interval '130 s';
    insert into outbound_lease (id, holder, key, kind, taken_at)
      values (lease_id, lease_holder, lease_key, lease_kind, at);
  end if;
end $$;

-- Calls that a vendor meters by the month, by UTC days.
create table metered_calls (
  vendor text not null,
  day date not null,
  calls int not null,
  primary key (vendor, day)
);
