// Random events: clients come, go, crash and call, while the gateway, its servers and its files are disturbed.
import { writeFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { randomCall } from './calls.mjs';
import { Client } from './client.mjs';
import { FOLDERS, memoryOf, Person, signal } from './person.mjs';

const MOST_CLIENTS = 5;
/** `connect` gives up if the gateway ends more often than five times in a minute. */
const MOST_ENDS = 4;
const MINUTE_MS = 60_000;
/** Until a client notices that the gateway or a server has ended. */
const NOTICE_MS = 2_000;
/** Until the configuration was read with the variables of a new client. */
const READ_AGAIN_MS = 5_000;
/** A gateway looks at its socket every two seconds. */
const SETTLED_MS = 7_000;
const CALM_EVERY_MS = 25_000;
const MOST_GROWTH_MB = 120;
/** Until all processes have ended. The gateway stops after 8 s without a client. */
const END_MS = 60_000;
const TOKENS = [undefined, 'token-one', 'token-two', 'token-three'];

export class Walk {
  problems = [];
  counts = {};
  person = new Person();
  #random;
  #say;
  #clients = [];
  #names = 0;
  #hasExtra = false;
  #isBroken = false;
  #ends = [];
  /** What may fail: a server (or `*`), from when until when. */
  #disturbed = [];
  #memory = new Map();

  constructor(random, say) {
    this.#random = random;
    this.#say = say;
  }

  async run(ms) {
    const endAt = Date.now() + ms;
    let calmAt = Date.now() + CALM_EVERY_MS;
    this.#come();
    while (Date.now() < endAt) {
      await sleep(200 + this.#random.below(1_800));
      await this.#step();
      if (Date.now() < calmAt) continue;
      await this.#calm();
      calmAt = Date.now() + CALM_EVERY_MS;
    }
    await this.#calm();
    await this.#finish();
  }

  /** Ends everything, even after a failure. */
  async close() {
    for (let round = 0; round < 50; round += 1) {
      const left = this.person.processes();
      if (left.length === 0) break;
      for (const { pid } of left) signal(pid, 'SIGKILL');
      await sleep(100);
    }
    this.person.remove();
  }

  #report = (what) => {
    this.problems.push(what);
    this.#say(`PROBLEM ${what}`);
  };

  #count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  async #step() {
    const living = this.#living();
    if (living.length === 0) return this.#come();
    const client = this.#random.of(living);
    const actions = [
      [6, 'client comes', () => this.#come(), living.length < MOST_CLIENTS],
      [1, 'clients come together', () => this.#comeTogether(), living.length < 3],
      [3, 'client leaves', () => client.leave(), living.length > 1],
      [3, 'client crashes', () => client.crash(), living.length > 1],
      [3, 'client hangs', () => void client.hang(500 + this.#random.below(4_000))],
      [2, 'gateway is killed', () => this.#killGateway(), this.#mayEnd()],
      [1, 'gateway is killed twice', () => this.#killGatewayTwice(), this.#mayEnd(2)],
      [2, 'gateway is stopped', () => this.#command('stop'), this.#mayEnd()],
      [1, 'gateway is restarted', () => this.#command('restart'), this.#mayEnd()],
      [2, 'gateway hangs', () => this.#hangGateway()],
      [4, 'server is killed', () => this.#killServer()],
      [3, 'server is added or removed', () => this.#edit(), !this.#isBroken],
      [2, 'configuration is broken', () => this.#break(), !this.#isBroken],
      [6, 'configuration is repaired', () => this.#repair(), this.#isBroken],
      [2, 'socket is removed', () => this.person.removeSocket()],
      [
        1,
        'socket is removed, client comes',
        () => this.#comeUnseen(),
        living.length < MOST_CLIENTS,
      ],
    ].filter(([, , , isPossible = true]) => isPossible);
    const bag = actions.flatMap((action) => Array(action[0]).fill(action));
    const [, name, act] = this.#random.of(bag);
    this.#count(name);
    this.#say(name);
    await act();
  }

  #living() {
    return this.#clients.filter(({ leaving, isEnded }) => leaving === undefined && !isEnded);
  }

  #come() {
    const folder = this.#random.of(FOLDERS);
    const token = this.#random.of(TOKENS);
    const name = `client ${++this.#names} (${folder}, ${token ?? 'no token'})`;
    const client = new Client({ person: this.person, name, folder, token, report: this.#report });
    this.#clients.push(client);
    void this.#use(client);
  }

  #comeTogether() {
    for (let i = 0; i < 3; i += 1) this.#come();
  }

  #comeUnseen() {
    this.person.removeSocket();
    this.#come();
  }

  /** What a client does all its life. */
  async #use(client) {
    const at = Date.now();
    const { result, error } = await client.handshake();
    if (error) this.#judge(client, 'initialize', '*', at, error.message);
    if (!result) return;
    client.connectedAt = Date.now();
    while (client.leaving === undefined && !client.isEnded) {
      if (client.openRequests < 4) void this.#callOnce(client);
      await sleep(30 + this.#random.below(300));
    }
  }

  async #callOnce(client) {
    const { server, tool, args, check } = randomCall(this.#random, client);
    const at = Date.now();
    const { result, error, gone } = await client.call(`${server}:${tool}`, args);
    if (gone) return;
    this.#count('answers');
    const name = `${server}:${tool}`;
    if (error || result.isError) {
      this.#count('errors');
      const text = error?.message ?? result.content?.[0]?.text;
      if (typeof text !== 'string' || text === '') this.#report(`${name}: an error without words`);
      this.#judge(client, name, server, at, text);
      return;
    }
    const wrong = check(result);
    if (wrong !== undefined) this.#report(`${client.name}: the answer to ${name} ${wrong}`);
  }

  /** An error is right only if what it needed was disturbed meanwhile. */
  #judge(client, name, server, at, text) {
    if (server === 'extra') return;
    // No client of this gateway has brought it yet, or the file is being read again because this client has.
    const isNew = client.token === undefined || at - client.connectedAt < READ_AGAIN_MS;
    if (isNew && text.includes('needs the environment variable')) return;
    const isDisturbed = this.#disturbed.some(
      (each) =>
        (each.server === '*' || each.server === server) && each.from <= Date.now() && each.to >= at,
    );
    if (!isDisturbed) this.#report(`${client.name}: ${name} failed without a reason: ${text}`);
  }

  /** Returns a function that says that it is over. */
  #disturb(server) {
    const entry = { server, from: Date.now(), to: Infinity };
    this.#disturbed.push(entry);
    return () => (entry.to = Date.now() + NOTICE_MS);
  }

  #mayEnd(times = 1) {
    const recent = this.#ends.filter((at) => Date.now() - at < MINUTE_MS);
    return !this.#isBroken && recent.length + times <= MOST_ENDS;
  }

  #killGateway() {
    this.#ends.push(Date.now());
    const over = this.#disturb('*');
    for (const { pid } of this.person.gateways()) signal(pid, 'SIGKILL');
    over();
  }

  /** The second one may be on its way up, or in the middle of a hello. */
  async #killGatewayTwice() {
    this.#killGateway();
    await sleep(this.#random.below(2_500));
    this.#killGateway();
  }

  async #command(name) {
    this.#ends.push(Date.now());
    const over = this.#disturb('*');
    const { code, said } = await this.person.run(name);
    over();
    const isNone = said.includes('No gateway');
    if (code !== 0 && !isNone) this.#report(`callsign ${name} ended with ${code}: ${said.trim()}`);
  }

  async #hangGateway() {
    const pids = this.person.gateways().map(({ pid }) => pid);
    const ms = 500 + this.#random.below(2_500);
    for (const pid of pids) signal(pid, 'SIGSTOP');
    await sleep(ms);
    for (const pid of pids) signal(pid, 'SIGCONT');
    for (const client of this.#clients) client.excuse(ms);
  }

  #killServer() {
    const name = this.#random.of(['plain', 'token', 'local', 'mine']);
    const over = this.#disturb(name);
    const processes = this.person.serverProcesses(name);
    if (processes.length > 0) signal(this.#random.of(processes).pid, 'SIGKILL');
    over();
  }

  #edit() {
    this.#hasExtra = !this.#hasExtra;
    this.person.writeConfig({ hasExtra: this.#hasExtra });
  }

  #break() {
    this.#isBroken = true;
    writeFileSync(this.person.config, readFileSync(this.person.config, 'utf8').slice(0, -40));
  }

  #repair() {
    this.#isBroken = false;
    this.person.writeConfig({ hasExtra: this.#hasExtra });
  }

  /** Nothing is disturbed for a while. Then everything must be in order. */
  async #calm() {
    if (this.#isBroken) this.#repair();
    this.#say('calm');
    await sleep(SETTLED_MS);
    const listeners = this.person.listeners();
    if (listeners > 1) this.#report(`${listeners} gateways listen`);
    await this.#checkClients();
    for (const { pid } of this.person.gateways()) {
      const now = memoryOf(pid);
      const first = this.#memory.get(pid) ?? now;
      this.#memory.set(pid, first);
      if (now - first > MOST_GROWTH_MB) {
        this.#report(`the gateway grew from ${first.toFixed(0)} to ${now.toFixed(0)} MB`);
      }
      this.#say(`gateway ${pid}: ${now.toFixed(0)} MB`);
    }
    // One more for lists.
    const own = this.person.serverProcesses('mine').length;
    if (own > this.#living().length + 1) {
      this.#report(`${own} processes of "mine" for ${this.#living().length} clients`);
    }
  }

  /** Each client that should be there can call, and what should be gone is gone. */
  async #checkClients() {
    for (const client of this.#living()) {
      const at = Date.now();
      const { error } = await client.call('plain:echo', { value: 1 });
      if (error) this.#judge(client, 'plain:echo', 'plain', at, error.message);
    }
    for (const client of this.#clients) {
      if (client.leaving === undefined || client.isEnded || client.isHanging) continue;
      this.#report(`${client.name}: its connect has not ended (${client.leaving})`);
    }
    this.#clients = this.#clients.filter(({ isEnded }) => !isEnded);
  }

  async #finish() {
    for (const client of this.#living()) client.leave();
    // By a command, or by itself.
    const isStopped = this.#random.below(2) === 0;
    if (isStopped) await this.#command('stop');
    const endAt = Date.now() + END_MS;
    while (this.person.processes().length > 0 && Date.now() < endAt) await sleep(200);
    for (const { pid, line } of this.person.processes()) {
      this.#report(`process ${pid} is left: ${line.join(' ')}`);
    }
    const sockets = this.person.sockets();
    if (sockets.length > 0) this.#report(`left in the folder of sockets: ${sockets.join(', ')}`);
    const faults = this.person
      .log()
      .split('\n')
      .filter((line) => line.includes('Unexpected error'));
    for (const fault of new Set(faults)) this.#report(`the gateway logged: ${fault}`);
  }
}
