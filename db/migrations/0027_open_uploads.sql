-- Every few seconds each worker looks for uploads that are not at their end and have no job; history must not slow that.
create index upload_unended on upload (uploaded_at) where state in ('queued', 'working', 'paused');
