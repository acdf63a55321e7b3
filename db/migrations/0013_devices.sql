-- What a session runs on, as its user knows it: "Firefox on Windows". Empty for sessions from before, and for others.
alter table session add column device text not null default '';
