-- What each module costs, wherever it is called from: a team's part of the bill.
select coalesce(module, '(unknown)') as module, sum(time_self_ns) as time,
  round(100 * sum(time_self_ns) / sum(sum(time_self_ns)) over (), 1) as percent
from samples
group by all
order by time desc, module;
