// One client of `npm run week`: a real `callsign connect` with raw JSON-RPC. It checks every line that it receives.
import { setTimeout as sleep } from 'node:timers/promises';

import { signal } from './person.mjs';

/** How long an answer may take while nothing hangs. */
const ANSWER_MS = 60_000;

export class Client {
  /** Why the client should be gone: it was told to leave, or was killed. */
  leaving;
  isHanging = false;
  stderr = '';
  #child;
  #report;
  #open = new Map();
  #answered = new Set();
  #rest = '';
  #lastId = 0;

  /** `report`: told of everything that must not happen. */
  constructor({ person, name, folder, token, report }) {
    Object.assign(this, { person, name, folder, token });
    this.#report = (what) => report(`${name}: ${what}`);
    const env = token === undefined ? {} : { WEEK_TOKEN: token };
    this.#child = person.start(['connect'], { cwd: person.folder(folder), env });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stderr.on('data', (text) => (this.stderr += text));
    this.#child.stdout.setEncoding('utf8').on('data', (text) => this.#read(text));
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code) => {
        this.isEnded = true;
        this.#left(code);
        resolve(code);
      });
    });
  }

  get pid() {
    return this.#child.pid;
  }

  get openRequests() {
    return this.#open.size;
  }

  async handshake() {
    const capabilities = { roots: {} };
    const clientInfo = { name: 'week', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
    const answer = await this.request('initialize', params);
    if (answer.result) this.#send({ method: 'notifications/initialized' });
    return answer;
  }

  /** Resolves with the answer; with `gone` if the client has ended before. */
  request(method, params) {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const request = { resolve, method: `${method} ${params?.name ?? ''}`.trim(), at: Date.now() };
      request.timer = setInterval(() => this.#lookAt(id, request), 1_000);
      this.#open.set(id, request);
      this.#send({ id, method, params });
    });
  }

  call(name, args = {}) {
    return this.request('tools/call', { name, arguments: args });
  }

  /** Closes its end, as a client does that quits. */
  leave() {
    this.leaving = 'left';
    this.#child.stdin.end();
  }

  crash() {
    this.leaving = 'crashed';
    signal(this.pid, 'SIGKILL');
  }

  async hang(ms) {
    this.isHanging = true;
    signal(this.pid, 'SIGSTOP');
    await sleep(ms);
    signal(this.pid, 'SIGCONT');
    this.isHanging = false;
    // The time in which it hung does not count.
    for (const request of this.#open.values()) request.at += ms;
  }

  /** Time that does not count, because the gateway hung. */
  excuse(ms) {
    for (const request of this.#open.values()) request.at += ms;
  }

  #lookAt(id, { at, method, timer }) {
    if (this.isHanging || Date.now() - at < ANSWER_MS) return;
    clearInterval(timer);
    this.#report(`no answer to ${method} (${id}) within ${ANSWER_MS / 1_000} s`);
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #read(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) this.#take(line);
  }

  #take(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      // Reported below.
    }
    if (message?.jsonrpc !== '2.0') this.#report(`no JSON-RPC on standard output: ${line}`);
    else if (message.method !== undefined) this.#asked(message);
    else this.#answer(message, line);
  }

  #asked({ id, method }) {
    if (id === undefined) return;
    const uri = `file://${this.person.folder(this.folder)}`;
    if (method === 'roots/list') this.#send({ id, result: { roots: [{ uri }] } });
    else if (method === 'ping') this.#send({ id, result: {} });
    else this.#send({ id, error: { code: -32601, message: 'not answered here' } });
  }

  #answer(message, line) {
    const request = this.#open.get(message.id);
    if (!request) {
      const what = this.#answered.has(message.id) ? 'a second answer' : 'an answer to no request';
      this.#report(`${what}: ${line.slice(0, 300)}`);
      return;
    }
    this.#open.delete(message.id);
    this.#answered.add(message.id);
    clearInterval(request.timer);
    request.resolve(message);
  }

  #left(code) {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { timer, resolve } of open) {
      clearInterval(timer);
      resolve({ gone: true });
    }
    if (this.leaving === undefined) {
      const methods = open.map(({ method }) => method).join(', ');
      this.#report(
        `ended by itself with ${code}, ${open.length} requests open (${methods}): ${this.stderr.trim()}`,
      );
    } else if (this.leaving === 'left' && code !== 0) {
      this.#report(`left, and its connect ended with ${code}: ${this.stderr.trim()}`);
    }
    if (this.stderr.includes('a gateway of its own')) {
      this.#report(`got a gateway of its own: ${this.stderr.trim()}`);
    }
  }
}
