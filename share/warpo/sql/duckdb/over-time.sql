-- The time of each function by the minute in which its profile began.
select strftime(make_timestamp(begin_ns // 60000000000 * 60000000), '%Y-%m-%d %H:%M') as minute, function,
  sum(time_self_ns) as time
from samples
group by all
having time > 0
order by minute, time desc, function;
