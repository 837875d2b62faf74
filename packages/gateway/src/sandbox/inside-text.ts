/**
 * What runs inside of a sandbox whose network is a list of hosts. It is text, because it is given to another Node on its
 * command line: the sandbox hides our own files.
 */

import { PROXY_FOLDER } from './bubblewrap.js';

/** Where programs in the sandbox find the proxy. No other program uses the port: the network is the sandbox's own. */
const PROXY_PORT = 3128;

/** Loaded by every Node in the sandbox. `http`, `https` and `fetch` ignore the variables for proxies before Node 24. */
const PRELOAD = String.raw`'use strict';
const net = require('net'), tls = require('tls'), http = require('http'), https = require('https');
const isLocal = (host) => !host || /^(localhost$|127\.|\[?::1)/.test(host);
function tunnel(host, port, done) {
  const socket = net.connect(${PROXY_PORT}, '127.0.0.1');
  let head = '';
  socket.once('error', done);
  socket.once('connect', () => socket.write('CONNECT ' + host + ':' + port + ' HTTP/1.1\r\nHost: ' + host + ':' + port + '\r\n\r\n'));
  socket.on('data', function read(chunk) {
    head += chunk.toString('latin1');
    if (!head.includes('\r\n\r\n')) return;
    socket.off('data', read);
    socket.pause();
    socket.off('error', done);
    if (/^HTTP\/1\.1 200/.test(head)) return done(null, socket);
    socket.destroy();
    done(Object.assign(new Error(head.slice(13, head.indexOf('\r\n'))), { code: 'EACCES', host, port }));
  });
}
const secure = (options, socket) => tls.connect({ ...options, host: undefined, port: undefined, path: undefined, socket,
  servername: options.servername || (net.isIP(options.host) ? '' : options.host) });
const plain = http.Agent.prototype.createConnection, safe = https.Agent.prototype.createConnection;
http.Agent.prototype.createConnection = function (options, done) {
  if (options.socketPath || isLocal(options.host)) return plain.call(this, options, done);
  tunnel(options.host, options.port || 80, done);
};
https.Agent.prototype.createConnection = function (options, done) {
  if (options.socketPath || isLocal(options.host)) return safe.call(this, options, done);
  tunnel(options.host, options.port || 443, (error, socket) => error ? done(error) : done(null, secure(options, socket)));
};
const fetch = globalThis.fetch;
const key = Symbol.for('undici.globalDispatcher.1');
function connect({ hostname, port, protocol, servername }, done) {
  const isSafe = protocol === 'https:';
  const opened = (error, socket) => {
    if (error) return done(error);
    if (!isSafe) return done(null, socket);
    const over = secure({ host: hostname, servername, ALPNProtocols: ['http/1.1'] }, socket);
    over.once('error', done);
    over.once('secureConnect', () => { over.off('error', done); done(null, over); });
  };
  const at = port || (isSafe ? 443 : 80);
  if (!isLocal(hostname)) return tunnel(hostname, at, opened);
  const direct = net.connect(at, hostname.replace(/^\[|\]$/g, ''));
  direct.once('error', done);
  direct.once('connect', () => { direct.off('error', done); opened(null, direct); });
}
let isSet = false;
if (fetch) globalThis.fetch = function (...args) {
  if (!isSet) {
    isSet = true;
    fetch('data:,').catch(() => {});
    const now = globalThis[key];
    if (now && now.constructor.name === 'Agent') globalThis[key] = new now.constructor({ connect });
  }
  return fetch.apply(this, args);
};
`;

/** Passes connections on to the proxy, and runs the command. Usage: node -e TEXT COMMAND ARGUMENT… */
export const INSIDE: string = String.raw`'use strict';
const net = require('net'), fs = require('fs'), { spawn } = require('child_process');
const [command, ...args] = process.argv.slice(1);
fs.mkdirSync('/tmp/.callsign', { recursive: true });
fs.writeFileSync('/tmp/.callsign/proxy.cjs', ${JSON.stringify(PRELOAD)});
const forward = net.createServer({ allowHalfOpen: true }, (from) => {
  const to = net.connect({ path: '${PROXY_FOLDER}/proxy.sock', allowHalfOpen: true });
  from.on('error', () => to.destroy());
  to.on('error', () => from.destroy());
  from.pipe(to).pipe(from);
});
forward.listen(${PROXY_PORT}, '127.0.0.1', () => {
  const url = 'http://127.0.0.1:${PROXY_PORT}', here = 'localhost,127.0.0.1,::1';
  const options = [process.env.NODE_OPTIONS, '--require=/tmp/.callsign/proxy.cjs'].filter(Boolean).join(' ');
  const env = { ...process.env, NODE_OPTIONS: options };
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']) env[name] = url;
  env.NO_PROXY = env.no_proxy = here;
  const child = spawn(command, args, { stdio: 'inherit', env });
  child.on('error', ({ message }) => { console.error(message); process.exit(127); });
  child.on('exit', (code) => process.exit(code === null ? 1 : code));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
});
`;
