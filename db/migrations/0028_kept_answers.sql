-- Answers to POSTs with an Idempotency-Key, for a day. A row without a status is work that has not ended.
create table kept_answer (
  -- Company of the call; empty for calls about none.
  realm_id text not null,
  -- The user or API key that called.
  caller text not null,
  key text not null,
  -- SHA-256 of the address and the body: another request under the same key is refused.
  fingerprint bytea not null,
  -- The request that does the work, so that a late one stores nothing over another's answer.
  holder uuid not null,
  claimed_at timestamptz not null,
  status int,
  headers jsonb,
  -- Sealed, because answers have what documents contain. Null for an answer with a secret, which is not given again.
  body_sealed text,
  primary key (realm_id, caller, key)
);
create index kept_answer_age on kept_answer (claimed_at);
