-- The functions with the most time of their own, and how that differs from host to host: the median and the 99th percentile of
-- the hosts, each the time of a host (nearest rank).
with by_host as (select function, host, sum(time_self_ns) as host_time from samples group by function, host),
(select count() from (select distinct host from samples)) as all_hosts,
-- Hosts without the function have no time of it, and come first.
(share, hosts) -> hosts[greatest(0, toInt64(ceil(share * all_hosts)) - toInt64(all_hosts) + toInt64(length(hosts)))] as rank_of
select function, time, rank_of(0.5, hosts) as p50, rank_of(0.99, hosts) as p99
from (
  select function, sum(host_time) as time, arraySort(groupArray(host_time)) as hosts
  from by_host
  group by function)
order by time desc, function
limit 20;
