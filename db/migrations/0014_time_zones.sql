-- Where a company's days begin: an IANA name, as Intuit has it. Los Angeles is Intuit's own until it is read when connecting.
alter table company add column time_zone text not null default 'America/Los_Angeles';
