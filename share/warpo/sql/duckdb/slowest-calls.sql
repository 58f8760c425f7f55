-- The slowest calls of a function and what each called. The calls are of `warpo_trace_visualizer --format=parquet`.
-- Variables: calls, the name of such a file or a pattern for several; function.
with calls as (from read_parquet(getvariable('calls'), filename = true)),
slowest as (
  select *, row_number() over (order by duration_ns desc, start_ns, filename, stream_number, depth) as place
  from calls
  where function = getvariable('function')
  order by place
  limit 10)
select slowest.start_ns, slowest.duration_ns, slowest.self_ns, coalesce(callee.function, '') as called, count(callee.function) as calls,
  coalesce(sum(callee.duration_ns), 0) as time
from slowest left join calls as callee on
  callee.filename = slowest.filename and callee.stream_number = slowest.stream_number and callee.depth = slowest.depth + 1 and
  callee.caller = slowest.function and
  callee.start_ns between slowest.start_ns and slowest.start_ns + slowest.duration_ns and
  callee.start_ns + callee.duration_ns <= slowest.start_ns + slowest.duration_ns
group by slowest.place, slowest.start_ns, slowest.duration_ns, slowest.self_ns, called
order by slowest.place, time desc, called;
