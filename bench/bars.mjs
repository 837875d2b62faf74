// The limits for a plain file without a `callsign` key. Each bar has a sentence, a value from a
// run, and a limit.

const US = 'callsign';
const CHANGE = 'callsign-change';
const SILENT = 'callsign-silent';
const STATELESS = 'callsign-stateless';
const STDIO_PEERS = ['sdk', 'mcp-hub-mcp'];
const HTTP_PEERS = ['sdk', 'mcp-hub', 'supergateway', 'mcp-proxy'];
const KINDS = [
  { kind: 'read', who: US, what: 'a tool that reads' },
  { kind: 'change', who: CHANGE, what: 'a tool that changes something' },
  { kind: 'silent', who: SILENT, what: 'a tool without hints' },
];

/**
 * @typedef {object} Bar
 * @property {string} id
 * @property {string} scenario the scenario that measures the value
 * @property {string} what
 * @property {number} [atLeast]
 * @property {number} [atMost]
 * @property {string} [unit] of an absolute value; a ratio has none
 * @property {(results: import('./results.mjs').Results) => { median: number, low: number, high: number }} value
 */

const at = (scenario, load, who, figure) => ({ scenario, load, who, figure });
const speed = (scenario, load, who) => at(scenario, load, who, 'calls/s');
const firstWord = (load) => at('command', load, 'command', 'ms');

/** @returns {Bar} */
function fasterThan(id, { scenario, load, who = US, what = 'calls/s' }, other, name, atLeast) {
  return {
    id,
    scenario,
    what: `${scenario}, ${load}: ${what} against ${name}`,
    atLeast,
    value: (results) => results.ratio(speed(scenario, load, who), speed(scenario, load, other)),
  };
}

/** Throughput and the time of one call for each kind of tool, against the relay. @returns {Bar[]} */
function againstRelay(scenario, relay, name, { calls, p50 }) {
  return KINDS.flatMap(({ kind, who, what }) => {
    const [atLeast, atMost] = kind === 'read' ? [calls.read, p50.read] : [calls.change, p50.change];
    const one = '1 in flight';
    const throughput = [16, 64].map((inFlight) => {
      const id = `${scenario}-${inFlight}-${kind}`;
      const load = { scenario, load: `${inFlight} in flight`, who, what: `calls/s of ${what}` };
      return fasterThan(id, load, relay, name, atLeast);
    });
    return [
      ...throughput,
      {
        id: `${scenario}-p50-${kind}`,
        scenario,
        what: `${scenario}, one call at a time: p50 of ${what} against ${name}`,
        atMost,
        value: (results) =>
          results.ratio(at(scenario, one, who, 'p50 ms'), at(scenario, one, relay, 'p50 ms')),
      },
    ];
  });
}

/** @returns {Bar[]} */
function statelessAgainstRelay(scenario, relay) {
  return [16, 64].map((inFlight) => {
    const load = {
      scenario,
      load: `${inFlight} in flight`,
      who: STATELESS,
      what: 'stateless calls/s',
    };
    const name = 'a bare relay that carries the same messages';
    return fasterThan(`${scenario}-${inFlight}-stateless`, load, relay, name, 0.75);
  });
}

/** @returns {Bar[]} */
function fasterThanPeers(scenario, peers) {
  return [16, 64].map((inFlight) => {
    const load = `${inFlight} in flight`;
    return {
      id: `${scenario}-${inFlight}-peers`,
      scenario,
      what: `${scenario}, ${load}: calls/s against the fastest peer`,
      atLeast: 5,
      value(results) {
        const measured = peers.filter((peer) => results.values(speed(scenario, load, peer)).length);
        const ratios = measured.map((peer) =>
          results.ratio(speed(scenario, load, US), speed(scenario, load, peer)),
        );
        // The fastest peer is the one with the lowest ratio.
        const [least] = ratios.toSorted((a, b) => a.median - b.median);
        return least ?? { median: NaN, low: NaN, high: NaN };
      },
    };
  });
}

/** @returns {Bar} */
function quickStart(count, atMost) {
  const load = count === 1 ? '1 server' : `${count} servers`;
  const ms = (who) => at('start-up', load, who, 'ms to the first call');
  return {
    id: `start-${count}`,
    scenario: 'start-up',
    what: `from spawn to the first answered call of ${load}, first start with a configuration, against the bare relay`,
    atMost,
    value: (results) => results.ratio(ms(US), ms('relay')),
  };
}

/** @returns {Bar} */
function quickCommand(id, load, atMost) {
  return {
    id,
    scenario: 'command',
    what: `the first output of \`${load}\` against \`node -e 0\``,
    atMost,
    value: (results) => results.ratio(firstWord(load), firstWord('node -e 0')),
  };
}

/** @returns {Bar} */
function goodNeighbour(id, load) {
  return {
    id,
    scenario: 'neighbour',
    what: `p99 of a fast server ${load}, against alone`,
    atMost: 2,
    value: (results) =>
      results.ratio(at('neighbour', load, US, 'p99 ms'), at('neighbour', 'alone', US, 'p99 ms')),
  };
}

/** @returns {Bar} */
function secondStart(id, figure, what, { unit, ...limit }) {
  return {
    id: `lists-${id}`,
    scenario: 'lists',
    what: `second start with 26 servers: ${what}`,
    unit,
    ...limit,
    value: (results) => results.summary(at('lists', 'second start', US, figure)),
  };
}

/** @returns {Bar} */
function flatMemory(listener) {
  const memory = (figure) => at('memory', listener, US, figure);
  return {
    id: `memory-${listener}`,
    scenario: 'memory',
    what: `memory after 500,000 calls over ${listener}, against after 100,000`,
    atMost: 1.1,
    value: (results) =>
      results.ratio(memory('MB after 500,000 calls'), memory('MB after 100,000 calls')),
  };
}

/** What `connect` takes more than Node alone. */
function difference(results, load, figure) {
  const ours = results.summary(at('connect', load, 'connect', figure));
  const { median } = results.summary(at('connect', load, 'node', figure));
  return { median: ours.median - median, low: ours.low - median, high: ours.high - median };
}

/** @type {Bar[]} */
export const BARS = [
  ...againstRelay('stdio', 'relay', 'the bare relay', {
    calls: { read: 0.75, change: 0.6 },
    p50: { read: 1.5, change: 1.8 },
  }),
  ...statelessAgainstRelay('stdio', 'relay-stateless'),
  ...fasterThanPeers('stdio', STDIO_PEERS),
  fasterThan('stdio-10kb', { scenario: 'stdio', load: '10 KB' }, 'relay', 'the bare relay', 0.75),
  fasterThan('stdio-1mb', { scenario: 'stdio', load: '1 MB' }, 'relay', 'the bare relay', 0.75),
  ...againstRelay('http', 'http-relay', 'the bare HTTP relay', {
    calls: { read: 0.75, change: 0.6 },
    p50: { read: 1.5, change: 1.8 },
  }),
  ...statelessAgainstRelay('http', 'http-relay-stateless'),
  ...fasterThanPeers('http', HTTP_PEERS),
  quickStart(1, 2.5),
  quickStart(10, 2.5),
  quickStart(50, 2.5),
  {
    id: 'idle-memory',
    scenario: 'start-up',
    what: 'idle memory with one server',
    atMost: 75,
    unit: 'MB',
    value: (results) => results.summary(at('start-up', '1 server', US, 'MB')),
  },
  {
    id: 'children-memory',
    scenario: 'start-up',
    what: 'memory of the gateway with 50 servers, against one',
    atMost: 1.5,
    value: (results) =>
      results.ratio(at('start-up', '50 servers', US, 'MB'), at('start-up', '1 server', US, 'MB')),
  },
  quickCommand('command-version', 'callsign --version', 1.5),
  {
    id: 'connect-list',
    scenario: 'connect',
    what: 'a client with a running gateway: from the start of `connect` to the tool list, besides `node -e 0`',
    atMost: 150,
    unit: 'ms',
    value: (results) => difference(results, 'until the list', 'ms'),
  },
  {
    id: 'connect-memory',
    scenario: 'connect',
    what: 'memory of `connect`, besides an idle Node',
    atMost: 8,
    unit: 'MB',
    value: (results) => difference(results, 'idle', 'MB'),
  },
  ...[16, 64].map((inFlight) =>
    fasterThan(
      `connect-${inFlight}`,
      { scenario: 'connect', load: `${inFlight} in flight`, who: 'connect' },
      'relay',
      'the bare relay',
      0.5,
    ),
  ),
  {
    id: 'catalogue-call',
    scenario: 'catalogue',
    what: 'cost of a call with 10,000 tools, against 10',
    atMost: 1.1,
    value: (results) =>
      results.ratio(
        at('catalogue', '10,000 tools', US, 'µs per call'),
        at('catalogue', '10 tools', US, 'µs per call'),
      ),
  },
  {
    id: 'catalogue-list',
    scenario: 'catalogue',
    what: 'the list of 10,000 tools over HTTP, against the same bytes from node:http',
    atMost: 1.5,
    value: (results) =>
      results.ratio(
        at('catalogue', '10,000 tools', US, 'ms per list'),
        at('catalogue', '10,000 tools', 'bytes', 'ms per list'),
      ),
  },
  secondStart('time', 'ms from the request', 'from the request to the list', {
    atMost: 1_000,
    unit: 'ms',
  }),
  secondStart('whole', 'share of all tools', 'tools in the first list, of all', { atLeast: 1 }),
  secondStart('changes', 'list changes announced', 'notices of changed lists', {
    atMost: 1,
    unit: 'notices',
  }),
  // The leanest other gateway that was measured with these servers.
  secondStart('memory', 'MB', 'memory of the gateway', { atMost: 85, unit: 'MB' }),
  secondStart('core', 's on a core', 'time on a core until all servers are there', {
    atMost: 1,
    unit: 's',
  }),
  flatMemory('stdio'),
  flatMemory('http'),
  goodNeighbour('neighbour-flood', 'beside a flood'),
  goodNeighbour('neighbour-hang', 'beside one that hangs'),
];

/** @typedef {{ bar: Bar, median: number, low: number, high: number, verdict: 'holds' | 'missed' | 'not measured' }} Judgement */

/** @returns {Judgement[]} only of the scenarios that were run */
export function judge(results, scenarios) {
  return BARS.filter(({ scenario }) => scenarios.includes(scenario)).map((bar) => {
    const value = bar.value(results);
    const { atLeast = -Infinity, atMost = Infinity } = bar;
    const holds = value.median >= atLeast && value.median <= atMost;
    const verdict = Number.isNaN(value.median) ? 'not measured' : holds ? 'holds' : 'missed';
    return { bar, ...value, verdict };
  });
}
