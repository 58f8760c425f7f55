-- Loads a folder of profiles, made by `warpo-flamegraph --format=parquet -o folder/`, into two tables. Variable: folder.
--
--   samples   a row for each profile and calling context, with all weights and labels
--   stacks    of each path its names, and these as they stand in a line of collapsed stacks
--
-- Questions sum up samples by path and join the stacks afterwards, of which there are far fewer.

-- What warpo-flamegraph --format=folded makes of a name.
create or replace macro folded_frame(name) as
  regexp_replace(regexp_replace(replace(name, ';', ':'), '^#', '_#'), ' ([0-9][0-9.]*)$', ' #\1');

create or replace view profiles as
  from read_parquet(getvariable('folder') || '/**/*.parquet', hive_partitioning = true, union_by_name = true,
    hive_types = {'service': varchar, 'date': date, 'host': varchar});

create or replace table samples as
  select * exclude (stack) from profiles;

create or replace table stacks as
  select path, stack, list_transform(stack, lambda name: folded_frame(name)) as frames
  from (select path, any_value(stack) as stack from profiles group by path);
