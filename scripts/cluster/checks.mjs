// What must be true after a run. Each check returns a sentence for every violation.
import { QUOTA } from './gateways.mjs';

/** A call may fail only if an instance was killed or in trouble while it ran, or shortly before. */
const NEAR_MS = 1_500;
/** How long after an outage an instance may take to notice that the database is back. */
const AWAY_MS = 10_000;

export function checkRun(run) {
  const { calls, ledger, intents, operators, kills, outages, troubles, lostSessions, mode } = run;
  const made = countBy(ledger, ({ n }) => n);
  const times = [...kills.map((at) => ({ from: at, to: at })), ...troubles];
  const near = ({ start, end }) =>
    times.some(({ from, to }) => start <= to + NEAR_MS && end >= from - 50);
  const isAway = ({ start, end }) =>
    outages.some(({ from, to }) => start <= to + AWAY_MS && end >= from);
  // With `strict`, a call that cannot be recorded is refused with an error that says so.
  const isUnrecorded = (call) =>
    mode === 'strict' && isAway(call) && /^not-recorded: .*the database/.test(call.reason);
  return [
    ...calls.filter(({ is }) => is === 'wrong').map(({ n, reason }) => `${n}: ${reason}`),
    ...calls
      .filter(({ is, n }) => is === 'ok' && (made.get(n) ?? 0) === 0)
      .map(({ n }) => `${n} was answered, but never reached a server`),
    ...[...made]
      .filter(([, count]) => count > 1)
      .map(([n, count]) => `${n} was made ${count} times`),
    ...calls
      .filter(
        (call) => call.era === 'stateless' && isFailed(call) && !near(call) && !isUnrecorded(call),
      )
      .map(({ n, reason }) => `${n} failed while no instance was killed: ${reason}`),
    ...calls
      .filter(({ is, reason }) => is === 'failed' && !/: .{10,}/.test(reason))
      .map(({ n, reason }) => `${n} failed without a clear error: ${reason}`),
    ...ledger
      .filter(({ tool, n }) => tool !== 'read' && !intents.has(n))
      .map(({ n }) => `${n} reached a server without an intent in the database`),
    ...operators.twice.map((id) => `approval ${id} was decided twice`),
    ...[...operators.decided]
      .filter(([n, isApproved]) => !isApproved && made.has(n))
      .map(([n]) => `${n} was denied, but was made`),
    ...calls
      .filter(({ is, n }) => is === 'refused' && operators.decided.get(n) === true)
      .map(({ n, reason }) => `${n} was approved, but was refused: ${reason}`),
    ...ledger
      .filter(({ tool, n }) => tool === 'wipe' && !operators.tried.has(n))
      .map(({ n }) => `${n} was made without an approval`),
    ...troubles.flatMap(({ what, from, to, received = [] }) => [
      ...lostSessions
        .filter((at) => at >= from && at <= to)
        .map((at) => `a session was lost after ${at - from} ms although its instance ran: ${what}`),
      ...received.map((text) => `an instance sent something to a forged one: ${text}`),
    ]),
    ...(outages.length > 0 && mode === 'strict' && !calls.some(isUnrecorded)
      ? ['no call was refused while the database was away']
      : []),
    ...(outages.length > 0 && mode !== 'strict' && !calls.some(isMadeIn(outages))
      ? ['no change was made while the database was away']
      : []),
    ...troubles
      .filter(({ received, reported }) => received && reported === 0)
      .map(() => 'no instance reported the forged one'),
    ...quotaExceeded(ledger.filter(({ server }) => server === 'limited')),
  ];
}

/** A change that began and was answered while the database was away. */
function isMadeIn(outages) {
  return ({ is, tool, start, end }) =>
    is === 'ok' &&
    tool === 'ledger:change' &&
    outages.some(({ from, to }) => start >= from && end <= to);
}

function isFailed({ is }) {
  return is === 'failed' || is === 'broken';
}

/**
 * A quota starts full and refills evenly, so a period allows one full quota plus the refill of that
 * period.
 */
function quotaExceeded(calls) {
  const times = calls.map(({ at }) => at).toSorted((a, b) => a - b);
  const found = [];
  for (let first = 0; first < times.length; first++) {
    for (let last = first; last < times.length; last++) {
      const allowed = QUOTA * (1 + (times[last] - times[first]) / 60_000) + 1;
      if (last - first + 1 > allowed) {
        return [`${last - first + 1} calls in ${times[last] - times[first]} ms exceed the quota`];
      }
    }
  }
  return found;
}

function countBy(list, keyOf) {
  const counts = new Map();
  for (const each of list) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  return counts;
}
