// Debian's pgbouncer in transaction mode in front of a PostgreSQL, on a free port of this machine.
import { spawn } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `program`: such as /usr/sbin/pgbouncer. `target`: the URL of the database. `identity`: who runs it. */
export async function startPooler({ program, folder, port, target, identity }) {
  const { hostname, port: behind, username, password } = new URL(target);
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${username}" "${password}"\n`, { mode: 0o600 });
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
auth_user = ${username}
pool_mode = transaction
max_client_conn = 500
default_pool_size = 10
server_login_retry = 1
`,
  );
  if (identity.uid) for (const each of [users, file]) chownSync(each, identity.uid, identity.gid);
  const child = spawn(program, [file], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
  await isUp(child);
  return child;
}

/** It prints a line to standard error when it is ready. */
function isUp(child) {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      if (output.length < 10_000) output += text;
      if (output.includes('process up')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`pgbouncer ended (${code}): ${output}`)));
    child.once('error', reject);
  });
}
