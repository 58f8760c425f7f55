"""Two ClickHouse servers on this machine, each with the profiles of some hosts: asked as one by a table over both.

usage: two-servers.py GUIDE HOSTS.tsv... < QUERY

GUIDE has the statements, in a block of SQL each: the tables over all servers, then the flame graph. A file has the rows that one
server loads: `samples` or `stacks`, then the row's columns. Prints the answer, the same from both servers.
"""
import pathlib
import re
import socket
import subprocess
import sys
import time

SERVERS = 2
CONFIG = """<yandex>
  <logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <tcp_port>{port}</tcp_port>
  <path>{folder}/data/</path>
  <tmp_path>{folder}/tmp/</tmp_path>
  <user_files_path>{folder}/files/</user_files_path>
  <format_schema_path>{folder}/schemas/</format_schema_path>
  <users_config>{folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>5368709</mark_cache_size>
  <remote_servers><fleet>{shards}</fleet></remote_servers>
</yandex>
"""
SHARD = "<shard><replica><host>127.0.0.1</host><port>{port}</port></replica></shard>"
USERS = """<yandex>
  <profiles><default></default></profiles>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
  <quotas><default></default></quotas>
</yandex>
"""
TABLES = """
create table samples (path Int64, host String, function String, time_self_ns UInt64) engine = MergeTree order by path;
create table stacks (path Int64, frames Array(String)) engine = MergeTree order by path;
"""


def free_ports():
    sockets = [socket.socket() for _ in range(SERVERS)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def ask(port, query, rows=None):
    command = ["clickhouse-client", "--host=127.0.0.1", f"--port={port}", "--multiquery", f"--query={query}"]
    done = subprocess.run(command, input=rows or "", capture_output=True, text=True)
    assert done.returncode == 0, (query, done.stderr)
    return done.stdout


def wait_for(server, port, folder):
    for _ in range(300):
        assert server.poll() is None, (folder / "errors").read_text()[-3000:]
        if subprocess.run(["clickhouse-client", "--host=127.0.0.1", f"--port={port}", "--query=select 1"], capture_output=True).returncode == 0:
            return
        time.sleep(0.2)
    raise AssertionError(f"no server after a minute: {(folder / 'errors').read_text()[-3000:]}")


def main():
    guide, *files = sys.argv[1:]
    statements = re.findall(r"```sql\n(.*?)```", pathlib.Path(guide).read_text(), re.DOTALL)
    over_all, flame_graph = [block for block in statements if "fleet_" in block]
    assert len(files) == SERVERS
    ports = free_ports()
    shards = "".join(SHARD.format(port=port) for port in ports)
    servers = []
    try:
        for number, port in enumerate(ports):
            folder = pathlib.Path(f"server-{number}").resolve()
            folder.mkdir()
            (folder / "users.xml").write_text(USERS)
            (folder / "config.xml").write_text(CONFIG.format(folder=folder, port=port, shards=shards))
            command = ["clickhouse-server", f"--config-file={folder}/config.xml"]
            servers.append(subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            wait_for(servers[-1], port, folder)
        for port, file in zip(ports, files):
            ask(port, TABLES + over_all)
            rows = [line.split("\t", 1) for line in pathlib.Path(file).read_text().splitlines(True)]
            for table in "samples", "stacks":
                ask(port, f"insert into {table} format TabSeparated", "".join(row for name, row in rows if name == table))
        answers = {ask(port, flame_graph) for port in ports}
        alone = {ask(port, flame_graph.replace("fleet_", "")) for port in ports}
        assert len(answers) == 1 and len(alone) == SERVERS and not answers & alone, (answers, alone)
        print(answers.pop(), end="")
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait()


if __name__ == "__main__":
    main()
