/** The live output of a server on standard error. */

import type { LogLineData } from '@callsign/gateway/admin/data';
import { useEffect, useRef, useState } from 'preact/hooks';

import { followStream } from '../live/event-stream.js';
import { isLive } from '../live/gateway-state.js';
import { line } from '../view/shown-text.js';

const SHOWN_LINES = 200;
const MAX_LINE = 1_000;

export function ServerLog({ server }: { readonly server: string }) {
  const [lines, setLines] = useState<readonly LogLineData[]>([]);
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    let last = 0;
    setLines([]);
    return followStream<LogLineData>({
      path: () => `/servers/${encodeURIComponent(server)}/log?follow&last=${SHOWN_LINES}`,
      onEvent: (added) => {
        // After a reconnect the last lines are sent again.
        if (added.seq <= last) return;
        last = added.seq;
        setLines((old) => [...old, added].slice(-SHOWN_LINES));
      },
    });
    // After a reconnect it starts over, because a restarted gateway counts its lines from one.
  }, [server, isLive.value === true]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 60;
    if (isAtEnd) element.scrollTop = element.scrollHeight;
  }, [lines]);
  if (lines.length === 0) return <p class="dim">It has printed nothing on standard error.</p>;
  return (
    <pre class="log" ref={box} tabIndex={0} aria-label="Standard error">
      {lines.map(({ seq, time, text }) => (
        <div key={seq}>
          <time class="dim">{new Date(time).toLocaleTimeString('en-GB')}</time>{' '}
          {line(text, MAX_LINE)}
        </div>
      ))}
    </pre>
  );
}
