-- GS1 prefixes of a company besides its usual one: an upload may be made of them, and SSCCs of a sheet may begin with them.
alter table label_settings add column other_prefixes text[] not null default '{}';
