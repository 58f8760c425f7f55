-- Functions whose part of the time grew by a tenth of it and by half a percent of all or more, from a commit to the next one;
-- commits are in the order of their first profiles.
with by_commit as (select commit, function, sum(time_self_ns) as time from samples group by commit, function),
commits as (select commit, min(begin_ns) as begin, sum(time_self_ns) as total from samples group by commit),
functions as (select distinct function from samples),
-- A function that a commit does not have has no part there.
parts as (
  select functions.function as function, commits.commit as commit, commits.begin as begin,
    100 * ifNull(by_commit.time, 0) / commits.total as percent
  from commits cross join functions
    left join by_commit on by_commit.commit = commits.commit and by_commit.function = functions.function
  where commits.total > 0),
steps as (
  select function, commit, percent,
    any(percent) over (partition by function order by begin, commit rows between 1 preceding and 1 preceding) as percent_before,
    row_number() over (partition by function order by begin, commit) as number
  from parts)
select commit, function, round(percent_before, 1) as before, round(percent, 1) as after
from steps
where number > 1 and percent > 1.1 * percent_before and percent >= percent_before + 0.5
order by percent - percent_before desc, function;
