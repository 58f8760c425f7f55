-- Who calls a function, how often (or how many samples of the function itself were taken below the caller), and the time that it
-- takes. Calls within a call of the same function are its own.
-- Variable: function.
with sums as (
  select path, sum(columns('^(calls|samples)_self$')) as '\0', sum(time_total_ns) as time
  from samples
  where function = getvariable('function')
  group by path)
select coalesce(stack[-2], '(host)') as caller, sum(columns('_self$')) as '\0', sum(time) as time
from sums join stacks using (path)
where not list_contains(stack[:-2], getvariable('function'))
group by caller
order by time desc, caller;
