/** Lock: what has changed in which definition since it was accepted. */

import { useState } from 'preact/hooks';

import type { LockData, LockedTool } from '@callsign/admin/data';

import { toolsRevision } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { get, post, session } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { line } from '../view/shown-text.js';

const MODES: Readonly<Record<string, string>> = {
  off: 'off: changed tools are not looked at. Set callsign.lock to "warn" or "enforce".',
  warn: 'warn: changed tools are reported and stay callable.',
  enforce: 'enforce: changed tools are withheld until you accept them.',
};

export function Lock() {
  const { data, problem, set } = useLoaded(() => get<LockData>('/lock'), [toolsRevision.value]);
  return (
    <>
      <h1>Lock</h1>
      <Problem text={problem} />
      {data === undefined && problem === undefined && <Waiting rows={6} />}
      {data && <Locked data={data} set={set} />}
    </>
  );
}

interface LockedProps {
  readonly data: LockData;
  readonly set: (data: LockData) => void;
}

function Locked({ data, set }: LockedProps) {
  const servers = [...new Set(data.tools.map(({ server }) => server))];
  return (
    <>
      <p>
        The lock is {MODES[data.mode] ?? data.mode}{' '}
        <span class="dim">
          Accepted definitions are in <code>{data.file}</code>.
        </span>
      </p>
      {servers.length === 0 && <Empty>No server offers a tool now.</Empty>}
      {servers.map((server) => (
        <LockedServer
          key={server}
          server={server}
          tools={data.tools.filter((tool) => tool.server === server)}
          set={set}
        />
      ))}
    </>
  );
}

interface LockedServerProps {
  readonly server: string;
  readonly tools: readonly LockedTool[];
  readonly set: (data: LockData) => void;
}

function LockedServer({ server, tools, set }: LockedServerProps) {
  const [problem, setProblem] = useState<string>();
  const open = tools.filter(({ standing }) => standing !== 'accepted');
  const accept = (tool?: string): void => {
    setProblem(undefined);
    post<LockData>(`/lock/${encodeURIComponent(server)}`, tool === undefined ? {} : { tool }).then(
      set,
      (error: Error) => setProblem(error.message),
    );
  };
  const isOperator = session.value?.role === 'operator';
  return (
    <section class="locked" aria-label={line(server, 60)}>
      <div class="row between">
        <h2>{line(server, 60)}</h2>
        {open.length > 0 && (
          <button type="button" disabled={!isOperator} onClick={() => accept()}>
            Accept all {open.length}
          </button>
        )}
      </div>
      <Problem text={problem} />
      {open.length === 0 && <p class="dim">All {tools.length} tools are as they were accepted.</p>}
      <ul>
        {open.map(({ tool, standing, difference }) => (
          <li key={tool}>
            <div class="row between">
              <span class="row">
                <Badge word={standing} /> <code>{shown(tool)}</code>
              </span>
              <button
                type="button"
                class="quiet"
                disabled={!isOperator}
                onClick={() => accept(tool)}
              >
                {standing === 'gone' ? 'Forget' : 'Accept'}
                <span class="hidden"> {shown(tool)}</span>
              </button>
            </div>
            {difference.length > 0 && <Difference lines={difference} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The instructions of a server are locked like a tool, with an empty name. */
function shown(tool: string): string {
  return tool === '' ? '(instructions)' : line(tool, 150);
}

function Difference({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul class="difference">
      {lines.map((text, i) => (
        <li key={i}>{line(text, 500)}</li>
      ))}
    </ul>
  );
}
