-- Who calls a function, how often, and the time that the calls take. Calls within a call of the same function are its own.
-- Variable: function.
with sums as (
  select path, sum(time_total_ns) as time, sum(calls_self) as calls
  from samples
  where function = getvariable('function')
  group by path)
select coalesce(stack[-2], '(host)') as caller, sum(calls) as calls, sum(time) as time
from sums join stacks using (path)
where not list_contains(stack[:-2], getvariable('function'))
group by caller
order by time desc, caller;
