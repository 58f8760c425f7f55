-- The functions with the most time of their own, and how that differs from host to host: the median and the 99th percentile of
-- the hosts, each the time of a host (nearest rank).
with by_host as (
  select function, host, sum(time_self_ns) as time
  from samples
  group by function, host),
ranked as (select function, sum(time) as time, list(time order by time) as hosts from by_host group by function)
select function, time, hosts[ceil(0.5 * len(hosts))::bigint] as p50, hosts[ceil(0.99 * len(hosts))::bigint] as p99
from ranked
order by time desc, function
limit 20;
