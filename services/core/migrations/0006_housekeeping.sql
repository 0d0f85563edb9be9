-- When a task of the housekeeper was last finished, so that daily ones are not done again at every restart.
create table housekeeping_tasks (
  name        text primary key,
  finished_at timestamptz not null
);
