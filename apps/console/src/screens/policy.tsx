/** The screen Policy: the rules in words, an editor with checks, and the effects of a change. */

import type {
  PolicyChange,
  PolicyData,
  PolicyEffect,
  PolicyProposal,
  ReplayData,
  RuleData,
} from '@callsign/gateway/admin/data';
import { useEffect, useState } from 'preact/hooks';

import { status, toolsRevision } from '../live/gateway-state.js';
import { useLoaded } from '../live/loaded.js';
import { href } from '../live/route.js';
import { get, post, session } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { Cards } from '../view/cards.js';
import { Empty, Problem, Waiting } from '../view/notice.js';
import { RowLink } from '../view/row-link.js';
import { SaveChange } from '../view/save-change.js';
import { line } from '../view/shown-text.js';
import { ASKING, askingOf, WAYS, wayOf, withAsking, withWay } from './policy-ways.js';

const CHECK_MS = 300;

export function PolicyScreen() {
  const { data, problem, reload } = useLoaded(
    () => get<PolicyData>('/policy'),
    [toolsRevision.value],
  );
  // The editor begins again when the file has changed. The note stays until the next change.
  const [isSaved, setSaved] = useState(false);
  return (
    <>
      <h1>Policy</h1>
      <Problem text={problem} />
      {data === undefined && problem === undefined && <Waiting rows={5} />}
      {data && (
        <div class="columns">
          <section aria-labelledby="rules">
            <h2 id="rules">Current rules</h2>
            <Rules policy={data} />
          </section>
          <section aria-labelledby="edit">
            <h2 id="edit">Change it</h2>
            {session.value?.role === 'operator' ? (
              <Editor
                key={data.written}
                policy={data}
                isSaved={isSaved}
                onChange={() => setSaved(false)}
                onSaved={() => {
                  setSaved(true);
                  reload();
                }}
              />
            ) : (
              <p class="dim">A viewer cannot change the policy.</p>
            )}
          </section>
        </div>
      )}
    </>
  );
}

function Rules({ policy }: { readonly policy: PolicyData }) {
  const { isSet, dryRun, rules, labels } = policy;
  if (!isSet) {
    return (
      <Empty>
        There is no policy: every call is made, and no one is asked. Choose another way, and see
        what it would change before you save.
      </Empty>
    );
  }
  return (
    <>
      {dryRun && (
        <p class="problem">Dry run: calls that change something are described but not made.</p>
      )}
      {rules.length > 0 && (
        <>
          <h3>First, the rules, in order</h3>
          <ol class="list rules numbered">
            {rules.map((rule, i) => (
              <Rule key={i} rule={rule} />
            ))}
          </ol>
        </>
      )}
      {rules.length > 0 && <h3>If none matches, the label</h3>}
      <ul class="list rules">
        {labels.map((rule) => (
          <Rule key={rule.when} rule={rule} />
        ))}
      </ul>
      <p class="dim">If several of these apply to a tool, the strictest decision counts.</p>
    </>
  );
}

function Rule({ rule: { when, decision, reason } }: { readonly rule: RuleData }) {
  return (
    <li>
      If {line(when, 300)}: <Badge word={decision} />
      {reason !== undefined && <span class="dim"> {line(reason, 300)}</span>}
    </li>
  );
}

interface EditorProps {
  readonly policy: PolicyData;
  readonly isSaved: boolean;
  readonly onChange: () => void;
  readonly onSaved: () => void;
}

function Editor({ policy, isSaved, onChange, onSaved }: EditorProps) {
  const [text, setText] = useState(policy.written);
  const [change, setChange] = useState<PolicyChange>();
  const [problem, setProblem] = useState<string>();
  const show = (proposed: PolicyProposal): void => {
    setChange('problem' in proposed ? undefined : proposed);
    setProblem('problem' in proposed ? proposed.problem : undefined);
  };
  const isChanged = text.trim() !== policy.written.trim();
  useEffect(() => {
    if (!isChanged) {
      setChange(undefined);
      setProblem(undefined);
      return undefined;
    }
    let isLatest = true;
    const check = async (): Promise<void> => {
      try {
        const proposed = await post<PolicyProposal>('/policy', { policy: text });
        if (isLatest) show(proposed);
      } catch (error) {
        if (isLatest) show({ problem: (error as Error).message });
      }
    };
    const timer = setTimeout(() => void check(), CHECK_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [text, isChanged]);
  const write = (next: string): void => {
    setText(next);
    onChange();
  };
  return (
    <>
      <Cards
        legend="Ways to decide"
        cards={WAYS}
        chosen={wayOf(text)}
        onChoose={(id) => write(withWay(text, id))}
      />
      {wayOf(text) !== 'open' && (
        <>
          <h3>Who is asked</h3>
          <Cards
            legend="Who is asked"
            cards={ASKING}
            chosen={askingOf(text)}
            onChoose={(id) => write(withAsking(text, id))}
          />
        </>
      )}
      <label class="field">
        <span>
          <code>callsign.policy</code> as JSON; empty for none
        </span>
        <textarea
          class="code"
          rows={8}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      </label>
      <Problem text={problem} />
      {isSaved && (
        <p class="done" role="status">
          Saved.
        </p>
      )}
      {change && (
        <>
          <Effects change={change} />
          {status.value?.hasRecords && <Replay key={text} policy={text} />}
          <SaveChange
            change={change}
            save={() => post('/policy', { policy: text, save: true, base: change.base })}
            onCancel={() => setText(policy.written)}
            onSaved={onSaved}
          />
        </>
      )}
    </>
  );
}

const SHOWN_EFFECTS = 8;

function Effects({ change }: { readonly change: PolicyChange }) {
  const { effects, judged } = change;
  if (effects.length === 0) {
    return <p>No decision would change, for a call without arguments.</p>;
  }
  return (
    <>
      <h3>
        {effects.length} of {judged} tools would be decided differently
      </h3>
      <ul class="list effects">
        {effects.slice(0, SHOWN_EFFECTS).map((effect) => (
          <Effect key={effect.tool} effect={effect} />
        ))}
      </ul>
      {effects.length > SHOWN_EFFECTS && (
        <p class="dim">and {effects.length - SHOWN_EFFECTS} more</p>
      )}
    </>
  );
}

function Effect({ effect: { tool, before, after } }: { readonly effect: PolicyEffect }) {
  return (
    <li>
      <RowLink to={href('tools', tool)}>{line(tool, 150)}</RowLink>
      <span class="row">
        <Badge word={before.decision} /> → <Badge word={after.decision} />
      </span>
    </li>
  );
}

const REPLAYED_DAYS = 7;

/** What the changed rules would have done with the calls of the last days. */
function Replay({ policy }: { readonly policy: string }) {
  const [data, setData] = useState<ReplayData>();
  const [problem, setProblem] = useState<string>();
  const replay = (): void => {
    const since = new Date(Date.now() - REPLAYED_DAYS * 86_400_000).toISOString();
    post<ReplayData>('/policy/replay', { policy, since }).then(setData, (error: Error) =>
      setProblem(error.message),
    );
  };
  if (!data) {
    return (
      <>
        <Problem text={problem} />
        <button type="button" onClick={replay}>
          Replay the calls of the last {REPLAYED_DAYS} days
        </button>
      </>
    );
  }
  return (
    <>
      <h3>Replay of the last {REPLAYED_DAYS} days</h3>
      <p role="status">
        {data.calls === data.recorded
          ? `Of ${data.calls} recorded calls`
          : `Of the newest ${data.calls} of ${data.recorded} recorded calls`}{' '}
        {data.same} would get the same decision
        {data.changes.length === 0 ? '.' : ', and these differently:'}
      </p>
      <ul class="list effects">
        {data.changes.map(({ tool, before, after, calls }) => (
          <li key={`${tool} ${before} ${after}`}>
            <RowLink to={href('tools', tool)}>{line(tool, 150)}</RowLink>
            <span class="row">
              {calls} × <Badge word={before} /> → <Badge word={after} />
            </span>
          </li>
        ))}
      </ul>
      {data.unknown.map(({ reason, calls }) => (
        <p key={reason} class="unknown">
          <Badge word="unknown" /> {calls} {calls === 1 ? 'call' : 'calls'}: {reason}.
        </p>
      ))}
    </>
  );
}
