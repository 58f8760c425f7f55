-- Who calls a function, how often, and the time that the calls take. Calls within a call of the same function are its own.
-- Parameter: function.
with sums as (
  select path, sum(time_total_ns) as path_time, sum(calls_self) as path_calls
  from samples
  where function = {function:String}
  group by path)
select if(length(stack) > 1, stack[-2], '(host)') as caller, sum(path_calls) as calls, sum(path_time) as time
from sums join stacks using (path)
where not has(arrayPopBack(stack), {function:String})
group by caller
order by time desc, caller;
