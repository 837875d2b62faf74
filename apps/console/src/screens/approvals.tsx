/** The screen Approvals: waiting calls with their arguments, who asks, and why. */

import { notShown } from '@callsign/core/not-shown';
import type { PendingApproval } from '@callsign/gateway/admin/data';
import { indented } from '@callsign/terminal/indented-json';
import { useEffect, useState } from 'preact/hooks';

import { approvals, approvalsAt } from '../live/gateway-state.js';
import { askToNotify, canAskToNotify, mayNotify } from '../live/notification.js';
import { href } from '../live/route.js';
import { post, session } from '../live/session.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { line, paragraph } from '../view/shown-text.js';

export function Approvals() {
  const waiting = approvals.value;
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
      {waiting?.length === 0 && (
        <Empty>
          No calls are waiting. A call waits here if the policy says <code>confirm</code> and its
          client cannot ask its user.
        </Empty>
      )}
      <ul class="approvals" aria-live="polite">
        {waiting?.map((each) => (
          <li key={each.id}>
            <Approval approval={each} />
          </li>
        ))}
      </ul>
    </>
  );
}

const YES = {
  once: 'Allow once',
  call: 'Allow these arguments in this session',
  tool: 'Allow this tool in this session',
} as const;

function Approval({ approval }: { readonly approval: PendingApproval }) {
  const [problem, setProblem] = useState<string>();
  const [reason, setReason] = useState('');
  const [isSent, setSent] = useState(false);
  const { id, tool, title, effect, rule, caller, furthest } = approval;
  const decide = (decision: object): void => {
    setSent(true);
    post(`/approvals/${encodeURIComponent(id)}`, decision).catch((error: Error) => {
      setProblem(error.message);
      setSent(false);
    });
  };
  const missing = notShown(approval.hidden);
  const isOperator = session.value?.role === 'operator';
  const scopes = furthest === 'once' ? (['once'] as const) : (['once', furthest] as const);
  return (
    <article aria-labelledby={`call-${id}`}>
      <div class="row between">
        <h2 id={`call-${id}`}>
          <a href={href('tools', tool)}>{line(tool, 150)}</a>
        </h2>
        <Remaining approval={approval} />
      </div>
      <p class="dim">
        {line(title)} · {line(effect)}
      </p>
      <dl>
        <dt>Asked by</dt>
        <dd>
          {line(caller.client, 100)}
          {caller.name === undefined ? '' : ` for ${line(caller.name, 100)}`}
        </dd>
        <dt>Because</dt>
        <dd>{line(rule, 300)}</dd>
        <dt>Arguments</dt>
        <dd>
          <pre class="arguments" tabIndex={0} aria-label="Arguments">
            {/* The gateway limits their length, and counts what it cuts. */}
            {paragraph(indented(approval.arguments), Infinity)}
          </pre>
          {missing !== undefined && <p class="not-shown">{missing}</p>}
        </dd>
      </dl>
      <Problem text={problem} />
      {isOperator ? (
        <form
          class="buttons"
          onSubmit={(event) => {
            event.preventDefault();
            decide({ approve: false, ...(reason === '' ? {} : { reason }) });
          }}
        >
          {scopes.map((scope) => (
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
