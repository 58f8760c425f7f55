-- What changed from a release to another: each function's time of its own per host, in both, the largest change first.
-- Variables: before, after.
with hosts as (select release, count(distinct host) as hosts from samples group by release),
by_release as (
  select function, release, sum(time_self_ns) // any_value(hosts) as time
  from samples join hosts using (release)
  group by function, release),
sides as (
  select function,
    coalesce(sum(time) filter (release = getvariable('before')), 0) as old_time,
    coalesce(sum(time) filter (release = getvariable('after')), 0) as new_time
  from by_release
  group by function)
select function, old_time, new_time, new_time - old_time as change
from sides
where change <> 0
order by abs(change) desc, function;
