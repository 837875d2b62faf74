/** One recorded call: its path through the modules, with the decision of each, and its end. */

import { tokensOfLength } from '@callsign/core/tokens';
import type { RecordedCall, RecordShown } from '@callsign/gateway/admin/data';
import { indented } from '@callsign/terminal/indented-json';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

import { useLoaded } from '../live/loaded.js';
import { href } from '../live/route.js';
import { get } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { GROUND_WORDS } from '../view/ground-words.js';
import { Problem, Waiting } from '../view/notice.js';
import { Panel } from '../view/panel.js';
import { durationText, line, paragraph } from '../view/shown-text.js';

/** How often a call that has not ended is looked at again. */
const AGAIN_MS = 1_000;

export interface CallPathProps {
  readonly id: string;
  /** The call, if the list has it. Default: it is fetched. */
  readonly call: RecordedCall | undefined;
}

export function CallPath({ id, call }: CallPathProps) {
  const hasEnded = call !== undefined && call.outcome !== null;
  const { data, problem, reload } = useLoaded<RecordShown | undefined>(
    () => (hasEnded ? Promise.resolve(undefined) : get(`/records/${encodeURIComponent(id)}`)),
    [id, hasEnded],
  );
  const shown = data?.call ?? call;
  const isOpen = shown?.outcome === null;
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(reload, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isOpen, reload]);
  return (
    <Panel title={line(shown?.tool ?? `Call ${id}`, 150)}>
      <Problem text={shown ? undefined : problem} />
      {!shown && problem === undefined && <Waiting rows={5} />}
      {shown && <Parts call={shown} />}
    </Panel>
  );
}

function Parts({ call }: { readonly call: RecordedCall }) {
  return (
    <>
      <p class="dim">
        {new Date(call.time).toLocaleString('en-GB')} · record <code>{call.id}</code>
      </p>
      <h3>Path</h3>
      <ol class="path">
        <Step title={line(call.client === '' ? 'a client' : call.client, 100)}>
          {call.caller !== null && <>for {line(call.caller, 100)} </>}
          called <code>{line(call.name, 150)}</code>
          {call.name !== call.tool && (
            <>
              , which is <a href={href('tools', call.tool)}>{line(call.tool, 150)}</a>
            </>
          )}
        </Step>
        {call.risk !== null && (
          <Step title="label" badge={call.risk}>
            {call.evidence === null ? '' : (GROUND_WORDS[call.evidence] ?? call.evidence)}
            {call.because === null ? '' : `: ${line(call.because, 200)}`}
          </Step>
        )}
        {call.decisions.map(({ module, decision, rule }) => (
          <Step key={module} title={module} badge={decision}>
            {line(rule, 300)}
          </Step>
        ))}
        {call.decisions.length === 0 && (
          <Step title="decision" badge={call.decision ?? 'allow'}>
            {call.rule === null ? 'no module had a rule for it' : line(call.rule, 300)}
          </Step>
        )}
        {call.account && (
          <Step title="account">it used the account of {line(call.account, 100)}</Step>
        )}
        {call.script && (
          <Step title="script">
            {call.tool === 'callsign:run' ? 'it ran the script ' : 'it was made by the script '}
            <a href={href('audit', undefined, new URLSearchParams({ script: call.script }))}>
              {line(call.script, 40)}
            </a>
          </Step>
        )}
        {call.announced && (
          <Step title="journal">recorded before it was sent, because it may change something</Step>
        )}
        <Step title="end" badge={call.outcome ?? 'not ended'}>
          {endOf(call)}
        </Step>
      </ol>
      <h3>Arguments</h3>
      <Arguments call={call} />
    </>
  );
}

interface StepProps {
  readonly title: string;
  readonly badge?: string;
  readonly children?: ComponentChildren;
}

function Step({ title, badge, children }: StepProps) {
  return (
    <li>
      <b>{title}</b> {badge !== undefined && <Badge word={badge} />}
      <span class="what dim">{children}</span>
    </li>
  );
}

function endOf({ ms, waitedMs, retries, sizeIn, sizeOut, outcome }: RecordedCall): string {
  if (outcome === null)
    return 'no end was recorded: the call is still running, or the gateway stopped before it ended';
  const again = retries ? `, after ${retries} more ${retries === 1 ? 'try' : 'tries'}` : '';
  const waited = waitedMs === null ? '' : `, ${durationText(waitedMs)} of it waiting for a person`;
  const out = sizeOut ?? 0;
  const tokens = tokensOfLength(sizeIn + out).toLocaleString('en');
  return `after ${ms === null ? '?' : durationText(ms)}${waited}${again}; ${sizeIn} characters in, ${out} out, about ${tokens} tokens`;
}

function Arguments({ call: { arguments: text, fingerprint } }: { readonly call: RecordedCall }) {
  if (text !== null) {
    return (
      <pre tabIndex={0} aria-label="Arguments">
        {paragraph(indented(text))}
      </pre>
    );
  }
  return (
    <p class="dim">
      They were not recorded{fingerprint === null ? '' : ', only a fingerprint'}. To record them
      without secrets, set <code>callsign.audit.arguments</code> to <code>"redacted"</code>.
      {fingerprint !== null && (
        <>
          {' '}
          <code>{line(fingerprint, 80)}</code>
        </>
      )}
    </p>
  );
}
