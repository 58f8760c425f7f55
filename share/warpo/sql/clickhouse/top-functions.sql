-- The functions with the most time of their own, and how that differs from host to host: the median and the 99th percentile of
-- the hosts, each the time of a host (nearest rank).
with by_host as (select function, host, sum(time_self_ns) as host_time from samples group by function, host)
select function, time, hosts[toUInt64(ceil(0.5 * length(hosts)))] as p50, hosts[toUInt64(ceil(0.99 * length(hosts)))] as p99
from (
  select function, sum(host_time) as time, arraySort(groupArray(host_time)) as hosts
  from by_host
  group by function)
order by time desc, function
limit 20;
