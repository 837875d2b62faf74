/** The screen Lock: how definitions have changed since they were accepted. */

import type { ConfigChange, LockData, LockedTool } from '@callsign/gateway/admin/data';
import { useState } from 'preact/hooks';

import { toolsRevision } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { get, post, session } from '../live/session.js';
import { NoTools } from '../server/server-list.js';
import { Badge } from '../view/badge.js';
import { type Card, Cards } from '../view/cards.js';
import { Problem, Waiting } from '../view/notice.js';
import { SaveChange } from '../view/save-change.js';
import { line } from '../view/shown-text.js';
import { SideBySide } from '../view/side-by-side.js';

const MODES: readonly Card[] = [
  { id: 'off', title: 'Off', about: 'Nothing is compared.' },
  { id: 'warn', title: 'Report', about: 'Changed tools are reported, and stay callable.' },
  { id: 'enforce', title: 'Withhold', about: 'Changed tools are withheld until you accept them.' },
];

export function Lock() {
  const { data, problem, set, reload } = useLoaded(
    () => get<LockData>('/lock'),
    [toolsRevision.value],
  );
  return (
    <>
      <h1>Lock</h1>
      <Problem text={problem} />
      {data === undefined && problem === undefined && <Waiting rows={6} />}
      {data && <Mode key={data.mode} data={data} onSaved={reload} />}
      {data && data.mode !== 'off' && <Locked data={data} set={set} />}
    </>
  );
}

interface ModeProps {
  readonly data: LockData;
  readonly onSaved: () => void;
}

/** What the lock does now, and a way to change that. */
function Mode({ data: { mode, file }, onSaved }: ModeProps) {
  const [wanted, setWanted] = useState<string>();
  const [change, setChange] = useState<ConfigChange>();
  const [problem, setProblem] = useState<string>();
  const isOff = mode === 'off';
  const propose = (next: string): void => {
    setWanted(next);
    setChange(undefined);
    setProblem(undefined);
    post<ConfigChange>('/lock', { mode: next }).then(setChange, (error: Error) =>
      setProblem(error.message),
    );
  };
  const cancel = (): void => setWanted(undefined);
  return (
    <section class="mode" aria-label="Mode">
      {isOff ? (
        <p>
          A server can change what its tools say after you have looked at them. The lock remembers
          each definition as it is now, in <code>{file}</code>, and shows you what changes later. It
          is off.
        </p>
      ) : (
        <p>
          <span class="tag">{mode}</span> {MODES.find(({ id }) => id === mode)?.about}{' '}
          <span class="dim">
            Accepted definitions are in <code>{file}</code>.
          </span>
        </p>
      )}
      {session.value?.role === 'operator' && wanted === undefined && (
        <button
          type="button"
          class={isOff ? 'primary' : ''}
          onClick={() => propose(isOff ? 'warn' : mode)}
        >
          {isOff ? 'Turn it on' : 'Change'}
        </button>
      )}
      {wanted !== undefined && (
        <Cards
          legend="What happens to changed tools"
          cards={MODES.filter(({ id }) => !isOff || id !== 'off')}
          chosen={wanted}
          onChoose={propose}
        />
      )}
      <Problem text={problem} />
      {wanted !== undefined && change && (
        <SaveChange
          change={change}
          save={() => post('/lock', { mode: wanted, save: true, base: change.base })}
          onCancel={cancel}
          onSaved={onSaved}
        />
      )}
    </section>
  );
}

interface LockedProps {
  readonly data: LockData;
  readonly set: (data: LockData) => void;
}

/** Servers with changes come first; all others are one list. */
function Locked({ data, set }: LockedProps) {
  const servers = [...new Set(data.tools.map(({ server }) => server))].map((server) => {
    const tools = data.tools.filter((tool) => tool.server === server);
    return { server, tools, open: tools.filter(({ standing }) => standing !== 'accepted') };
  });
  const unchanged = servers.filter(({ open }) => open.length === 0);
  return (
    <>
      {servers.length === 0 && <NoTools />}
      {servers.map(
        ({ server, open }) =>
          open.length > 0 && <ChangedServer key={server} server={server} open={open} set={set} />,
      )}
      {unchanged.length > 0 && (
        <>
          <h2>Unchanged</h2>
          <ul class="list unchanged">
            {unchanged.map(({ server, tools }) => (
              <li key={server}>
                {line(server, 60)} <span class="dim number">{countText(tools)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface ChangedServerProps {
  readonly server: string;
  readonly open: readonly LockedTool[];
  readonly set: (data: LockData) => void;
}

function ChangedServer({ server, open, set }: ChangedServerProps) {
  const [problem, setProblem] = useState<string>();
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
        {isOperator && (
          <button type="button" onClick={() => accept()}>
            Accept all {open.length}
          </button>
        )}
      </div>
      <Problem text={problem} />
      <ul>
        {open.map((thing) => (
          <Thing key={thing.tool} thing={thing} {...(isOperator ? { accept } : {})} />
        ))}
      </ul>
    </section>
  );
}

interface ThingProps {
  readonly thing: LockedTool;
  /** Default: this caller may not accept. */
  readonly accept?: (tool: string) => void;
}

function Thing({ thing, accept }: ThingProps) {
  const { tool, kind, name, standing, difference, accepted, now } = thing;
  return (
    <li>
      <div class="row between">
        <span class="row">
          <Badge word={standing} />
          {kind === 'tool' ? null : <span class="dim">{kind}</span>}
          {name !== '' && <code>{line(name, 150)}</code>}
        </span>
        {accept && (
          <button type="button" class="quiet" onClick={() => accept(tool)}>
            {standing === 'gone' ? 'Forget' : 'Accept'}
            <span class="hidden"> {kind === 'instructions' ? kind : line(name, 150)}</span>
          </button>
        )}
      </div>
      {difference.length > 0 && <Difference lines={difference} />}
      {accepted !== undefined && now !== undefined && (
        <details>
          <summary>Side by side</summary>
          <SideBySide
            before={accepted}
            after={now}
            beforeTitle="As you accepted it"
            afterTitle="As it is now"
          />
        </details>
      )}
    </li>
  );
}

const KINDS = ['tool', 'prompt', 'template'] as const;

/** Such as "17 tools, 4 prompts". */
function countText(all: readonly LockedTool[]): string {
  const counts = KINDS.flatMap((kind) => {
    const count = all.filter((each) => each.kind === kind).length;
    return count === 0 ? [] : `${count} ${kind}${count === 1 ? '' : 's'}`;
  });
  return counts.length === 0 ? 'instructions' : counts.join(', ');
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
