-- The time of each function by the minute in which its profile began.
select formatDateTime(toDateTime(intDiv(begin_ns, 1000000000), 'UTC'), '%Y-%m-%d %H:%i') as minute, function, sum(time_self_ns) as time
from samples
group by minute, function
having time > 0
order by minute, time desc, function;
