-- What each module costs, wherever it is called from: a team's part of the bill.
with (select sum(time_self_ns) from samples) as everything
select ifNull(module, '(unknown)') as name, sum(time_self_ns) as time, round(100 * sum(time_self_ns) / everything, 1) as percent
from samples
group by name
order by time desc, name;
