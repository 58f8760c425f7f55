-- Loads a folder of profiles, made by `warpo-flamegraph --format=parquet -o folder/`, into two tables. Parameter: folder.
--
--   samples   a row for each profile and calling context, with all weights and labels
--   stacks    of each path its names, and these as they stand in a line of collapsed stacks
--
-- Questions sum up samples by path and join the stacks afterwards, of which there are far fewer.

-- What warpo-flamegraph --format=folded makes of a name.
create or replace function folded_frame as (name) ->
  replaceRegexpOne(replaceRegexpOne(replaceAll(name, ';', ':'), '^#', '_#'), ' ([0-9][0-9.]*)$', ' #\\1');

-- Of a level of a file's path. ClickHouse's own columns of these would have the type that the first file's values look like.
create or replace function level_of as (path, name) ->
  cast(nullIf(decodeURLComponent(extract(toString(path), concat('/', name, '=([^/]*)/'))), '__HIVE_DEFAULT_PARTITION__'), 'Nullable(String)');

create or replace table samples engine = MergeTree order by tuple() as
  select * except (stack), level_of(_path, 'service') as service, toDate(level_of(_path, 'date')) as date, level_of(_path, 'host') as host
  from file(concat({folder:String}, '/**/*.parquet'), Parquet)
  settings use_hive_partitioning = 0, schema_inference_mode = 'union';

create or replace table stacks engine = MergeTree order by tuple() as
  select path, stack, arrayMap(name -> folded_frame(assumeNotNull(name)), stack) as frames
  from (select path, any(stack) as stack from file(concat({folder:String}, '/**/*.parquet'), Parquet) group by path);
