/** Calls per second and their durations over the last minutes. */

import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';

import type { Pulse } from '@callsign/admin/data';

import { pulses } from '../live/gateway-state.js';
import { theme } from './theme.js';

const HEIGHT = 180;
const SECONDS = 300;

export function CallChart() {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot | undefined>(undefined);
  useEffect(() => {
    const element = box.current!;
    const made = new UPlot(optionsFor(element), dataOf(pulses.peek()), element);
    chart.current = made;
    const observer = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      chart.current = undefined;
    };
    // Colours are fixed when the chart is made.
  }, [theme.value]);
  useSignalEffect(() => {
    const data = dataOf(pulses.value);
    chart.current?.setData(data);
  });
  return (
    <div class="chart">
      <div ref={box} class="plot" role="img" aria-label={summaryOf(pulses.value)} />
      <p class="legend dim">
        <span class="key calls" /> calls per second
        <span class="key failed" /> failed
        <span class="key slow" /> 95 % answered within (ms)
      </p>
    </div>
  );
}

/** A window of fixed length, so that the chart does not jump while it fills. */
function dataOf(all: readonly Pulse[]): UPlot.AlignedData {
  const end = all.at(-1)?.at ?? Date.now() / 1000;
  const missing = Math.max(0, SECONDS - all.length);
  const start = all[0]?.at ?? end;
  const before = Array.from({ length: missing }, (_, i) => start - (missing - i));
  const empty = before.map(() => null);
  return [
    [...before, ...all.map(({ at }) => at)],
    [...empty, ...all.map(({ calls }) => calls)],
    [...empty, ...all.map(({ failed }) => failed)],
    [...empty, ...all.map(({ p95 }) => p95)],
  ];
}

function summaryOf(all: readonly Pulse[]): string {
  const calls = all.reduce((sum, pulse) => sum + pulse.calls, 0);
  const failed = all.reduce((sum, pulse) => sum + pulse.failed, 0);
  return `Chart: ${calls} calls in the last ${all.length} seconds, ${failed} failed`;
}

function optionsFor(element: HTMLElement): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--dim'), grid: { stroke: colour('--line'), width: 1 } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: least(5) }, ms: { range: least(10) } },
    axes: [
      { ...axis, space: 90 },
      { ...axis, size: 44 },
      { ...axis, scale: 'ms', side: 1, size: 52, grid: { show: false } },
    ],
    series: [
      {},
      { stroke: colour('--accent'), width: 2, fill: colour('--accent-soft') },
      { stroke: colour('--bad'), width: 2 },
      { stroke: colour('--warn'), width: 1.5, scale: 'ms', spanGaps: true },
    ],
  };
}

/** A scale from zero that is at least so high, so that small numbers stay small. */
function least(floor: number): (plot: UPlot, min: number, max: number) => [number, number] {
  return (_, __, max) => [0, Math.max(floor, max ?? 0)];
}
