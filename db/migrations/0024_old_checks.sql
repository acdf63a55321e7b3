-- A check that nobody posts or drops is removed after 30 days by a job that was added with it. Checks from before that
-- job existed get theirs here. A database that never ran has neither checks nor the tables of jobs.
do $$
begin
  if to_regproc('graphile_worker.add_job') is not null then
    perform graphile_worker.add_job(
      'invoices.remove-check',
      payload => json_build_object('realmId', realm_id, 'uploadId', id),
      run_at => uploaded_at + interval '30 days',
      max_attempts => 8,
      job_key => 'remove-check:' || id
    )
    from upload where phase = 'check';
  end if;
end $$;
