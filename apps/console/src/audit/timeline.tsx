/** A chart of calls over time. A click on a bar limits the list to its time. */

import type { RecordStats, StatsGroup, TimelineStep } from '@callsign/gateway/admin/data';

import { setQuery } from '../live/route.js';
import { durationText } from '../view/shown-text.js';

const STEP_MS = { day: 86_400_000, hour: 3_600_000, minute: 60_000 } as const;
const MAX_BARS = 200;
const HEIGHT = 64;
const MAX_TIMES = 4;

export function Timeline({ stats }: { readonly stats: RecordStats | undefined }) {
  if (!stats) return <div class="timeline" aria-busy="true" />;
  const { total, step } = stats;
  const bars = barsOf(stats);
  const most = Math.max(1, ...bars.map(({ calls }) => calls));
  return (
    <div class="over-time">
      <p class="most dim">{bars.length > 0 && `${most.toLocaleString('en')} per ${step}`}</p>
      <ol class="timeline" aria-label={`Calls per ${step}`}>
        {bars.map((bar) => (
          <li key={bar.name}>
            {bar.calls > 0 && (
              <button
                type="button"
                title={`${shownTime(bar, step)}: ${bar.calls} calls, ${bar.errors} not ok${tokensText(bar)}`}
                aria-label={`${shownTime(bar, step)}: ${bar.calls} calls, ${bar.errors} not ok`}
                style={{ height: `${heightOf(bar.calls, most)}px` }}
                onClick={() => setQuery(rangeOf(bar, step))}
              >
                <span style={{ height: `${(100 * bar.errors) / bar.calls}%` }} />
              </button>
            )}
          </li>
        ))}
      </ol>
      <Times bars={bars} step={step} />
      <p class="dim" role="status">
        {total.calls.toLocaleString('en')} {total.calls === 1 ? 'call' : 'calls'}
        {total.calls === 0
          ? ''
          : total.errors === 0
            ? ', all ok'
            : `, ${total.errors.toLocaleString('en')} not ok`}
        {total.tokens === undefined || total.tokens === 0
          ? ''
          : `, about ${total.tokens.toLocaleString('en')} tokens`}
        {total.p95 === undefined ? '' : `, 95 % within ${durationText(total.p95)}`}
      </p>
    </div>
  );
}

/** The times below the bars: of the first, of the last, and of some between them. */
function Times({
  bars,
  step,
}: {
  readonly bars: readonly StatsGroup[];
  readonly step: TimelineStep;
}) {
  const count = Math.min(bars.length, MAX_TIMES);
  const shown = Array.from({ length: count }, (_, i) => {
    return bars[Math.round((i * (bars.length - 1)) / Math.max(1, count - 1))]!;
  });
  return (
    <p class="times dim" aria-hidden="true">
      {shown.map((bar) => (
        <span key={bar.name}>{shownTime(bar, step)}</span>
      ))}
    </p>
  );
}

/** Only days have tokens. */
function tokensText({ tokens }: StatsGroup): string {
  return tokens === undefined ? '' : `, about ${tokens.toLocaleString('en')} tokens`;
}

/** Adds steps without calls, so that all steps have the same length. */
function barsOf({ timeline, step }: RecordStats): StatsGroup[] {
  const [first, last] = [timeline[0], timeline.at(-1)];
  if (!first || !last) return [];
  const known = new Map(timeline.map((group) => [startOf(group), group]));
  const end = startOf(last);
  const start = Math.max(startOf(first), end - (MAX_BARS - 1) * STEP_MS[step]);
  return Array.from({ length: (end - start) / STEP_MS[step] + 1 }, (_, i) => {
    const at = start + i * STEP_MS[step];
    const name = new Date(at).toISOString().slice(0, last.name.length);
    return known.get(at) ?? { name, calls: 0, errors: 0 };
  });
}

/** A bar has a minimum height, so that one call among thousands is visible. */
function heightOf(calls: number, most: number): number {
  return Math.max(3, (HEIGHT * calls) / most);
}

/** The name of a step is the start of its time in UTC. */
function startOf({ name }: StatsGroup): number {
  return Date.parse(`${name}${'0000-00-00T00:00:00Z'.slice(name.length)}`);
}

function rangeOf(group: StatsGroup, step: TimelineStep): { since: string; until: string } {
  const start = startOf(group);
  const [since, until] = [new Date(start), new Date(start + STEP_MS[step])];
  return { since: since.toISOString(), until: until.toISOString() };
}

function shownTime(group: StatsGroup, step: TimelineStep): string {
  if (step === 'day') return group.name;
  const time = { hour: '2-digit', minute: '2-digit' } as const;
  const start = new Date(startOf(group));
  if (step === 'minute') return start.toLocaleTimeString('en-GB', time);
  return start.toLocaleString('en-GB', { day: 'numeric', month: 'short', ...time });
}
