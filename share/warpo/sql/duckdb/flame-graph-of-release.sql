-- The same of the machines with one release. Variable: release.
with sums as (
  select path, sum(time_self_ns) as weight
  from samples
  where release = getvariable('release')
  group by path)
select array_to_string(frames, ';') || ' ' || sum(weight)
from sums join stacks using (path)
where weight > 0
group by frames
order by frames;
