-- Where the time of all machines goes: collapsed stacks, in the order of warpo-flamegraph --format=folded.
with sums as (select path, sum(time_self_ns) as weight from samples group by path)
select concat(arrayStringConcat(frames, ';'), ' ', toString(sum(weight)))
from sums join stacks using (path)
where weight > 0
group by frames
order by frames;
