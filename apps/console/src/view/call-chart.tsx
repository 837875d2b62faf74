/** Calls per second and their durations over the last minutes. */

import type { CallPoint } from '@callsign/gateway/admin/data';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';

import { points } from '../live/gateway-state.js';
import { theme } from './theme.js';

const HEIGHT = 150;
const SECONDS = 300;

export function CallChart() {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot | undefined>(undefined);
  useEffect(() => {
    const element = box.current!;
    const made = new UPlot(optionsFor(element), dataOf(points.peek()), element);
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
    const data = dataOf(points.value);
    chart.current?.setData(data);
  });
  return (
    <div class="chart">
      <div ref={box} class="plot" role="img" aria-label={summaryOf(points.value)} />
      <p class="legend dim">
        <span class="key calls" /> calls per second
        <span class="key failed" /> failed
        <span class="key slow" /> 95 % answered within (ms, without waiting for a person)
      </p>
    </div>
  );
}

/**
 * A window of fixed length, so that the chart does not jump while it fills. A second without calls has no
 * duration (`undefined`), and the line continues over it.
 */
function dataOf(all: readonly CallPoint[]): UPlot.AlignedData {
  const end = Math.round(all.at(-1)?.at ?? Date.now() / 1000);
  const start = end - SECONDS + 1;
  const times = Array.from({ length: SECONDS }, (_, i) => start + i);
  const [calls, failed] = [times.map(() => 0), times.map(() => 0)];
  const p95: (number | undefined)[] = times.map(() => undefined);
  for (const point of all) {
    const i = Math.round(point.at) - start;
    if (i < 0 || point.p95 === null) continue;
    // Two points may be nearest to the same second.
    calls[i]! += point.calls;
    failed[i]! += point.failed;
    p95[i] = Math.max(p95[i] ?? 0, point.p95);
  }
  return [times, calls, failed, p95];
}

function summaryOf(all: readonly CallPoint[]): string {
  const calls = all.reduce((sum, point) => sum + point.calls, 0);
  const failed = all.reduce((sum, point) => sum + point.failed, 0);
  return `Chart: ${calls} calls in the last ${SECONDS / 60} minutes, ${failed} failed`;
}

function optionsFor(element: HTMLElement): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const grid = { stroke: colour('--line'), width: 1 };
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { stroke: colour('--dim'), font, grid, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: least(5) }, ms: { range: least(10) } },
    axes: [
      { ...axis, space: 90, size: 28, values: (_, times) => times.map(clockText) },
      { ...axis, size: 44 },
      { ...axis, scale: 'ms', side: 1, size: 52, grid: { show: false } },
    ],
    series: [
      {},
      { stroke: colour('--accent'), width: 1.5, fill: colour('--accent-soft') },
      { stroke: colour('--bad'), width: 1.5 },
      { stroke: colour('--warn'), width: 1.5, scale: 'ms' },
    ],
  };
}

/** Hours and minutes, with seconds unless they are zero. */
function clockText(seconds: number): string {
  const text = new Date(seconds * 1000).toLocaleTimeString('en-GB');
  return text.endsWith(':00') ? text.slice(0, -3) : text;
}

/** A scale from zero with a minimum height, so that small numbers look small. */
function least(floor: number): (plot: UPlot, min: number, max: number) => [number, number] {
  return (_, __, max) => [0, Math.max(floor, max ?? 0)];
}
