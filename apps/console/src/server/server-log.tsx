/** The live output of a server on standard error. */

import type { LogLineData } from '@callsign/gateway/admin/data';
import type { TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { followStream } from '../live/event-stream.js';
import { isLive } from '../live/gateway-state.js';
import { paragraph } from '../view/shown-text.js';

const SHOWN_LINES = 200;
const MAX_LINE = 1_000;
/** Pixels. */
const NEAR_END = 60;

type ScrollEvent = TargetedEvent<HTMLPreElement>;

export function ServerLog({ server }: { readonly server: string }) {
  const [lines, setLines] = useState<readonly LogLineData[]>([]);
  const box = useRef<HTMLPreElement>(null);
  /** Whether the newest line is in view. New lines move the text only then. */
  const isAtEnd = useRef(true);
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
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines]);
  const look = ({
    currentTarget: { scrollHeight, scrollTop, clientHeight },
  }: ScrollEvent): void => {
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
  };
  if (lines.length === 0) return <p class="dim">It has printed nothing. New lines appear here.</p>;
  return (
    <pre class="log" ref={box} tabIndex={0} aria-label="Standard error" onScroll={look}>
      {lines.map(({ seq, time, text }) => (
        <div key={seq}>
          <time class="dim">{new Date(time).toLocaleTimeString('en-GB')}</time>{' '}
          {paragraph(text, MAX_LINE)}
        </div>
      ))}
    </pre>
  );
}
