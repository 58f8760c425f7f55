-- Who calls a function, how often (or how many samples of the function itself were taken below the caller), and the time that it
-- takes. Calls within a call of the same function are its own.
-- Parameter: function.
with sums as (
  select path, columns('^(calls|samples)_self$') apply sum, sum(time_total_ns) as path_time
  from samples
  where function = {function:String}
  group by path)
select if(length(stack) > 1, stack[-2], '(host)') as caller, columns('_self[)]$') apply sum, sum(path_time) as time
from sums join stacks using (path)
where not has(arrayPopBack(stack), {function:String})
group by caller
order by time desc, caller;
