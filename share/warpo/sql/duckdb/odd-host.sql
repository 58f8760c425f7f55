-- Hosts that spend their time elsewhere than the fleet does: the part of a host's time, in percent, that would have to move to
-- other functions for it to be like all hosts together. The oddest first.
with by_host as (select host, function, sum(time_self_ns) as time from samples group by host, function),
hosts as (select host, sum(time) as total from by_host group by host),
fleet as (select function, sum(time) as time, sum(sum(time)) over () as total from by_host group by function),
pairs as (
  select hosts.host, abs(coalesce(by_host.time, 0) / hosts.total - fleet.time / fleet.total) as distance
  from hosts cross join fleet left join by_host on by_host.host = hosts.host and by_host.function = fleet.function
  where hosts.total > 0)
select host, round(50 * sum(distance), 1) as percent
from pairs
group by host
order by percent desc, host;
