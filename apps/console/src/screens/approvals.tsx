/** The screen Approvals: waiting calls with their arguments, who asks, and why. */

import { notShown } from '@callsign/core/not-shown';
import type { PendingApproval, ScriptCall } from '@callsign/gateway/admin/data';
import { indented } from '@callsign/terminal/indented-json';
import { useEffect, useState } from 'preact/hooks';

import { approvals, approvalsAt } from '../live/gateway-state.js';
import { askToNotify, canAskToNotify, mayNotify } from '../live/notification.js';
import { href } from '../live/route.js';
import { post, session } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { line, paragraph } from '../view/shown-text.js';

export function Approvals() {
  const waiting = approvals.value;
  const [decided, setDecided] = useState<string>();
  return (
    <>
      <div class="row between">
        <h1>Approvals</h1>
        {canAskToNotify() && !mayNotify.value && (
          <button type="button" onClick={() => void askToNotify()}>
            Notify me in this browser
          </button>
        )}
      </div>
      {waiting === undefined && <Waiting />}
      {decided !== undefined && (
        <p class="done" role="status">
          {line(decided, 200)}
        </p>
      )}
      {waiting?.length === 0 && (
        <Empty>
          No calls are waiting. A call that needs a yes is asked about in its client. If the client
          cannot ask its user, the call waits here, but only if the{' '}
          <a href={href('policy')}>policy</a> says so under “Who is asked”, or the client has tasks.
          Otherwise it is refused.
        </Empty>
      )}
      <ul class="approvals" aria-live="polite">
        {waiting?.map((each) => (
          <li key={each.id}>
            <Approval approval={each} onDecided={setDecided} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Characters of the arguments of a script's call that stay on one line. */
const MAX_ON_LINE = 60;

const YES = {
  once: 'Allow once',
  call: 'Allow these arguments in this session',
  tool: 'Allow this tool in this session',
} as const;

interface ApprovalProps {
  readonly approval: PendingApproval;
  /** Says in words what was decided. */
  readonly onDecided: (words: string) => void;
}

function Approval({ approval, onDecided }: ApprovalProps) {
  const [problem, setProblem] = useState<string>();
  const [reason, setReason] = useState('');
  const [isSent, setSent] = useState(false);
  /** The numbers of the calls of a script that the operator leaves out. */
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const { id, tool, title, effect, rule, caller, furthest, calls } = approval;
  // The gateway's own questions, such as who a person is, are about no tool of the list.
  const isOwn = calls !== undefined || tool.startsWith('callsign:');
  const decide = (decision: { readonly approve: boolean; readonly [more: string]: unknown }) => {
    setSent(true);
    post(`/approvals/${encodeURIComponent(id)}`, decision).then(
      () => onDecided(`${decision.approve ? 'Allowed' : 'Denied'}: ${isOwn ? title : tool}`),
      (error: Error) => {
        setProblem(error.message);
        setSent(false);
      },
    );
  };
  const isOperator = session.value?.role === 'operator';
  const scopes = furthest === 'once' ? (['once'] as const) : (['once', furthest] as const);
  return (
    <article aria-labelledby={`call-${id}`}>
      <div class="row between">
        <h2 id={`call-${id}`}>
          {isOwn ? line(title) : <a href={href('tools', tool)}>{line(tool, 150)}</a>}
        </h2>
        <Remaining approval={approval} />
      </div>
      <p class="dim">{isOwn ? line(effect, 2_000) : `${line(title)} · ${line(effect)}`}</p>
      <dl>
        <dt>Asked by</dt>
        <dd>
          {line(caller.client, 100)}
          {caller.name === undefined ? '' : ` for ${line(caller.name, 100)}`}
        </dd>
        <dt>Because</dt>
        <dd>{line(rule, 300)}</dd>
        {!calls && (
          <>
            <dt>Arguments</dt>
            <dd>
              <Arguments of={approval} label="Arguments" />
            </dd>
          </>
        )}
      </dl>
      {calls && (
        <ScriptCalls
          calls={calls}
          leftOut={leftOut}
          onChange={isOperator && calls.length > 1 ? setLeftOut : undefined}
        />
      )}
      <Problem text={problem} />
      {isOperator ? (
        <form
          class="buttons"
          onSubmit={(event) => {
            event.preventDefault();
            decide({ approve: false, ...(reason === '' ? {} : { reason }) });
          }}
        >
          {calls && (
            <button
              type="button"
              class="primary"
              disabled={isSent || leftOut.size === calls.length}
              onClick={() => decide({ approve: true, ...onlyOf(calls, leftOut) })}
            >
              {allowText(calls.length, calls.length - leftOut.size)}
            </button>
          )}
          {!calls &&
            scopes.map((scope) => (
              <button
                key={scope}
                type="button"
                class={scope === 'once' ? 'primary' : ''}
                disabled={isSent}
                onClick={() => decide({ approve: true, scope })}
              >
                {YES[scope]}
              </button>
            ))}
          <span class="no">
            <input
              aria-label="Reason for denying"
              placeholder="Reason (optional)"
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <button type="submit" class="danger" disabled={isSent}>
              Deny
            </button>
          </span>
        </form>
      ) : (
        <p class="dim">A viewer cannot decide.</p>
      )}
    </article>
  );
}

/** Every call on its own, since an operator may leave out any of them. */
function ScriptCalls({
  calls,
  leftOut,
  onChange,
}: {
  readonly calls: readonly ScriptCall[];
  readonly leftOut: ReadonlySet<number>;
  /** Missing: nothing can be left out. */
  readonly onChange: ((leftOut: ReadonlySet<number>) => void) | undefined;
}) {
  const toggle = (number: number): void => {
    const others = new Set(leftOut);
    if (!others.delete(number)) others.add(number);
    onChange!(others);
  };
  return (
    <ol class="script-calls">
      {calls.map((call, i) => (
        <li key={call.number} class={leftOut.has(call.number) ? 'left-out' : ''}>
          <label>
            {onChange && (
              <input
                type="checkbox"
                checked={!leftOut.has(call.number)}
                onChange={() => toggle(call.number)}
              />
            )}
            <span class="dim">{call.number}</span> <code>{line(call.tool, 150)}</code>{' '}
            <Badge word={call.risk} />
          </label>
          {/* Neighbours of one tool share its sentence. */}
          {call.tool !== calls[i - 1]?.tool && <p class="dim">{line(call.effect)}</p>}
          <Arguments of={call} label={`Arguments of call ${call.number}`} onLine={MAX_ON_LINE} />
        </li>
      ))}
    </ol>
  );
}

/** The gateway limits their length, and counts what it cuts. */
function Arguments({
  of: { arguments: given, hidden },
  label,
  onLine = 0,
}: {
  readonly of: Pick<PendingApproval, 'arguments' | 'hidden'>;
  readonly label: string;
  /** Up to this length they stay on one line. */
  readonly onLine?: number;
}) {
  const missing = notShown(hidden);
  return (
    <>
      <pre class="arguments" tabIndex={0} aria-label={label}>
        {paragraph(given.length > onLine ? indented(given) : given, Infinity)}
      </pre>
      {missing !== undefined && <p class="not-shown">{missing}</p>}
    </>
  );
}

function onlyOf(calls: readonly ScriptCall[], leftOut: ReadonlySet<number>): object {
  const numbers = calls.map(({ number }) => number);
  return leftOut.size === 0 ? {} : { only: numbers.filter((each) => !leftOut.has(each)) };
}

function allowText(all: number, chosen: number): string {
  if (all === 1) return 'Allow this call';
  return chosen === all ? `Allow all ${all} calls` : `Allow ${chosen} of ${all} calls`;
}

function Remaining({ approval }: { readonly approval: PendingApproval }) {
  const left = (): number => approval.remainingMs - (Date.now() - approvalsAt.value);
  const [ms, setMs] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setMs(left()), 1_000);
    return () => clearInterval(timer);
  }, [approval]);
  return <span class="dim remaining">{remainingText(ms)} left</span>;
}

function remainingText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}
