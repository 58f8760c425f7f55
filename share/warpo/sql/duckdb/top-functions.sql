-- The functions with the most time of their own, and how that differs from host to host: the median and the 99th percentile of
-- the hosts, each the time of a host (nearest rank).
with by_host as (
  select function, host, sum(time_self_ns) as time
  from samples
  group by function, host),
ranked as (
  -- Hosts without the function have no time of it, and come first.
  select function, sum(time) as time, list(time order by time) as hosts,
    (select count(*) from (select distinct host from samples)) as all_hosts
  from by_host
  group by function)
select function, time, coalesce(hosts[greatest(0, ceil(0.5 * all_hosts)::bigint - all_hosts + len(hosts))], 0) as p50,
  coalesce(hosts[greatest(0, ceil(0.99 * all_hosts)::bigint - all_hosts + len(hosts))], 0) as p99
from ranked
order by time desc, function
limit 20;
