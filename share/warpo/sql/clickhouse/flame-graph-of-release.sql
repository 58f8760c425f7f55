-- The same of the machines with one release. Parameter: release.
with sums as (select path, sum(time_self_ns) as weight from samples where release = {release:String} group by path)
select concat(arrayStringConcat(frames, ';'), ' ', toString(sum(weight)))
from sums join stacks using (path)
where weight > 0
group by frames
order by frames;
