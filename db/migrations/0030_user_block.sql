-- Time since when an operator keeps the user from signing in; null for all others. The user, not the e-mail: a new e-mail
-- at Intuit doesn't lift it.
alter table app_user add column blocked_at timestamptz;
