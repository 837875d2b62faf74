// What must hold, each as one sentence, one ratio of one run, and one limit.

const US = 'callsign-governed';
const STDIO_PEERS = ['sdk', 'mcp-hub-mcp'];
const HTTP_PEERS = ['sdk', 'mcp-hub', 'supergateway', 'mcp-proxy'];

/**
 * @typedef {object} Bar
 * @property {string} id
 * @property {string} scenario without it there is nothing to judge
 * @property {string} what
 * @property {number} [atLeast]
 * @property {number} [atMost]
 * @property {(results: import('./results.mjs').Results) => { median: number, low: number, high: number }} value
 */

const speed = (scenario, load, who) => ({ scenario, load, who, figure: 'calls/s' });
const time = (scenario, load, who, figure) => ({ scenario, load, who, figure });
const firstWord = (load) => time('command', load, 'command', 'ms');

/** @returns {Bar} */
function fasterThan(id, scenario, load, other, atLeast, name) {
  return {
    id,
    scenario,
    what: `${scenario}, ${load}, audit and policy on: calls/s against ${name}`,
    atLeast,
    value: (results) => results.ratio(speed(scenario, load, US), speed(scenario, load, other)),
  };
}

/** @returns {Bar} */
function fasterThanPeers(id, scenario, load, peers, atLeast) {
  return {
    id,
    scenario,
    what: `${scenario}, ${load}, audit and policy on: calls/s against the fastest peer`,
    atLeast,
    value(results) {
      const measured = peers.filter((peer) => results.values(speed(scenario, load, peer)).length);
      const ratios = measured.map((peer) =>
        results.ratio(speed(scenario, load, US), speed(scenario, load, peer)),
      );
      // The fastest peer is the one that we beat by least.
      const [least] = ratios.toSorted((a, b) => a.median - b.median);
      return least ?? { median: NaN, low: NaN, high: NaN };
    },
  };
}

/** @returns {Bar} */
function quickEnough(id, scenario, other, name) {
  const at = (who) => time(scenario, '1 in flight', who, 'p50 ms');
  return {
    id,
    scenario,
    what: `${scenario}, one call at a time: p50 against ${name}`,
    atMost: 1.25,
    value: (results) => results.ratio(at(US), at(other)),
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
      results.ratio(
        time('neighbour', load, US, 'p99 ms'),
        time('neighbour', 'alone', US, 'p99 ms'),
      ),
  };
}

/** @returns {Bar} */
function flatMemory(listener) {
  const at = (figure) => time('memory', listener, US, figure);
  return {
    id: `memory-${listener}`,
    scenario: 'memory',
    what: `memory after 100,000 calls over ${listener}, against after 10,000`,
    atMost: 1.1,
    value: (results) => results.ratio(at('MB after 100,000 calls'), at('MB after 10,000 calls')),
  };
}

/** @returns {Bar} */
function cheapToGovern(scenario, load) {
  return {
    id: `${scenario}-${Number.parseInt(load)}-governed`,
    scenario,
    what: `${scenario}, ${load}: calls/s with audit and policy on, against both off`,
    atLeast: 0.85,
    value: (results) =>
      results.ratio(speed(scenario, load, US), speed(scenario, load, 'callsign-plain')),
  };
}

/** @returns {Bar} */
function quickStart(id, load, atMost) {
  return {
    id,
    scenario: 'command',
    what: `the first word of \`${load}\`, bundled, against \`node -e 0\``,
    atMost,
    value: (results) => results.ratio(firstWord(load), firstWord('node -e 0')),
  };
}

/** @type {Bar[]} */
export const BARS = [
  fasterThan('stdio-16-relay', 'stdio', '16 in flight', 'relay', 0.8, 'the bare relay'),
  fasterThan('stdio-64-relay', 'stdio', '64 in flight', 'relay', 0.8, 'the bare relay'),
  fasterThanPeers('stdio-16-peers', 'stdio', '16 in flight', STDIO_PEERS, 5),
  fasterThanPeers('stdio-64-peers', 'stdio', '64 in flight', STDIO_PEERS, 5),
  quickEnough('stdio-p50', 'stdio', 'relay', 'the bare relay'),
  fasterThan('http-16-relay', 'http', '16 in flight', 'http-relay', 0.8, 'the bare HTTP relay'),
  fasterThan('http-64-relay', 'http', '64 in flight', 'http-relay', 0.8, 'the bare HTTP relay'),
  fasterThanPeers('http-16-peers', 'http', '16 in flight', HTTP_PEERS, 3),
  fasterThanPeers('http-64-peers', 'http', '64 in flight', HTTP_PEERS, 3),
  quickEnough('http-p50', 'http', 'http-relay', 'the bare HTTP relay'),
  {
    id: 'catalogue-call',
    scenario: 'catalogue',
    what: 'cost of a call with 10,000 tools, against 10',
    atMost: 1.1,
    value: (results) =>
      results.ratio(
        time('catalogue', '10,000 tools', US, 'µs a call'),
        time('catalogue', '10 tools', US, 'µs a call'),
      ),
  },
  {
    id: 'catalogue-list',
    scenario: 'catalogue',
    what: 'the list of 10,000 tools over HTTP, against the same bytes from node:http',
    atMost: 1.5,
    value: (results) =>
      results.ratio(
        time('catalogue', '10,000 tools', US, 'ms a list'),
        time('catalogue', '10,000 tools', 'bytes', 'ms a list'),
      ),
  },
  fasterThan('stdio-10kb', 'stdio', '10 KB', 'relay', 1.2, 'the bare relay, which parses'),
  fasterThan('stdio-1mb', 'stdio', '1 MB', 'relay', 1, 'the bare relay'),
  {
    id: 'children-memory',
    scenario: 'start-up',
    what: 'memory of the gateway with 50 servers, against one',
    atMost: 1.5,
    value: (results) =>
      results.ratio(
        time('start-up', '50 servers', US, 'MB'),
        time('start-up', '1 server', US, 'MB'),
      ),
  },
  cheapToGovern('stdio', '16 in flight'),
  cheapToGovern('stdio', '64 in flight'),
  cheapToGovern('http', '16 in flight'),
  cheapToGovern('http', '64 in flight'),
  quickStart('command-version', 'callsign --version', 1.5),
  quickStart('command-serve', 'callsign serve', 2),
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
