-- What changed from a release to another: each function's time of its own per host, in both, the largest change first.
-- Parameters: before, after.
with hosts as (select release, count(distinct host) as hosts from samples group by release),
by_release as (
  select function, release, intDiv(sum(time_self_ns), any(hosts.hosts)) as time
  from samples join hosts using (release)
  group by function, release)
select function, sumIf(time, release = {before:String}) as old_time, sumIf(time, release = {after:String}) as new_time,
  new_time - old_time as change
from by_release
group by function
having change <> 0
order by abs(change) desc, function;
