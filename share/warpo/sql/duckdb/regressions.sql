-- Functions whose part of the time grew by a tenth of it and by half a percent of all or more, from a commit to the next one;
-- commits are in the order of their first profiles.
with by_commit as (select commit, function, sum(time_self_ns) as time from samples group by commit, function),
commits as (
  select commit, row_number() over (order by min(begin_ns), commit) as number, sum(time_self_ns) as total
  from samples
  group by commit),
-- A function that a commit does not have has no part there.
parts as (
  select function, commit, number, 100 * coalesce(time, 0) / total as percent
  from commits cross join (select distinct function from samples) left join by_commit using (commit, function)
  where total > 0),
steps as (
  select function, commit, percent, lag(percent) over (partition by function order by number) as percent_before from parts)
select commit, function, round(percent_before, 1) as before, round(percent, 1) as after
from steps
where percent > 1.1 * percent_before and percent >= percent_before + 0.5
order by percent - percent_before desc, function;
