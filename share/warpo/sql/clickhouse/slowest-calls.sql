-- The slowest calls of a function and what each called. The calls are of `warpo_trace_visualizer --format=parquet`.
-- Parameters: calls, the name of such a file or a pattern for several; function.
with slowest as (
  select *, _path as file,
    row_number() over (order by duration_ns desc, start_ns, _path, stream_number, depth) as place
  from file({calls:String}, Parquet)
  where function = {function:String}
  order by place
  limit 10),
callees as (
  select _path as file, stream_number, depth - 1 as depth, caller, function as name, start_ns, duration_ns
  from file({calls:String}, Parquet)
  where caller = {function:String})
select slowest.start_ns, slowest.duration_ns, slowest.self_ns, ifNull(callees.name, '') as called, countIf(called <> '') as calls,
  ifNull(sum(callees.duration_ns), 0) as time
from slowest left join callees on
  callees.file = slowest.file and callees.stream_number = slowest.stream_number and callees.depth = slowest.depth and
  callees.start_ns >= slowest.start_ns and
  callees.start_ns + callees.duration_ns <= slowest.start_ns + slowest.duration_ns
group by slowest.place, slowest.start_ns, slowest.duration_ns, slowest.self_ns, called
order by slowest.place, time desc, called;
