// The load balancer in front of the instances, without sticky sessions: haproxy, nginx or a small
// proxy in this file.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../free-port.mjs';

export function hasProgram(name) {
  return spawnSync(name, ['-v']).status === 0;
}

/** The configuration of docs/many-instances.md, with other addresses. */
function haproxyConfig(port, ports) {
  const servers = ports.map((each, number) => `  server c${number} 127.0.0.1:${each} check`);
  return `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout http-request 10s
  option redispatch
  retries 3
  option http-server-close
frontend mcp
  bind 127.0.0.1:${port}
  default_backend callsign
backend callsign
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 500 fall 2 rise 1
${servers.join('\n')}
`;
}

/** The configuration of nginx. It differs from the documented file where nginx without root needs it. */
function nginxConfig(port, ports, folder) {
  const servers = ports.map((each) => `    server 127.0.0.1:${each} max_fails=1 fail_timeout=1s;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log;
events {}
http {
  access_log off;
${temporary.map((name) => `  ${name}_temp_path ${folder}/nginx-${name};`).join('\n')}
  upstream callsign {
${servers.join('\n')}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://callsign;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_request_buffering off;
      proxy_connect_timeout 2s;
      proxy_read_timeout 1h;
    }
  }
}
`;
}

export function openHaproxy(folder, ports) {
  const file = join(folder, 'haproxy.cfg');
  return openProgram('haproxy', ['-db', '-f', file], file, (port) => haproxyConfig(port, ports));
}

export function openNginx(folder, ports) {
  const file = join(folder, 'nginx.conf');
  return openProgram('nginx', ['-c', file], file, (port) => nginxConfig(port, ports, folder));
}

async function openProgram(program, args, file, configOf) {
  const port = await freePort();
  writeFileSync(file, configOf(port));
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries > 100)
      throw new Error(`${program} did not start: ${errors}`);
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    await answer?.text();
    if (answer?.status === 200) break;
    await sleep(50);
  }
  return {
    port,
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

const CHECK_MS = 500;

/** Gives each connection to the next ready instance, like a balancer with health checks. */
export async function openRoundRobin(ports) {
  let next = 0;
  const ready = new Set(ports);
  const look = async (port) => {
    const signal = AbortSignal.timeout(CHECK_MS);
    const status = await fetch(`http://127.0.0.1:${port}/readyz`, { signal })
      .then(async (answer) => (await answer.text(), answer.status))
      .catch(() => undefined);
    if (status === 200) ready.add(port);
    else ready.delete(port);
  };
  const looking = setInterval(() => ports.forEach((port) => void look(port)), CHECK_MS);
  const sockets = new Set();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    client.on('error', () => undefined);
    const first = next++;
    const order = ports.map((_, tries) => ports[(first + tries) % ports.length]);
    const sorted = order.toSorted((a, b) => Number(ready.has(b)) - Number(ready.has(a)));
    const dial = (tries) => {
      const upstream = connect(sorted[tries], '127.0.0.1');
      upstream.once('connect', () => {
        upstream.removeAllListeners('error');
        upstream.on('error', () => client.destroy());
        upstream.on('close', () => client.destroy());
        client.on('close', () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      });
      upstream.once('error', () => {
        if (tries + 1 < ports.length) dial(tries + 1);
        else client.destroy();
      });
    };
    dial(0);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    async close() {
      clearInterval(looking);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
