/**
 * The label of a tool: its risk, the source of each hint, claims that are not believed, and a way
 * to change it.
 */

import type { ConfigChange, ToolData } from '@callsign/gateway/admin/data';
import { useState } from 'preact/hooks';

import { post, session } from '../live/session.js';
import { Badge } from '../view/badge.js';
import { certaintyOf } from '../view/ground-words.js';
import { Problem } from '../view/notice.js';
import { SaveChange } from '../view/save-change.js';
import { line } from '../view/shown-text.js';

type Risk = ToolData['risk'];
type Hints = ToolData['hints'];

const HINT_WORDS: readonly (readonly [keyof Hints, string])[] = [
  ['readOnlyHint', 'only reads'],
  ['destructiveHint', 'may destroy'],
  ['idempotentHint', 'can be repeated'],
  ['openWorldHint', 'reaches outside'],
];

const VOICES: Readonly<Record<string, string>> = {
  you: 'you',
  server: 'the server',
  assumed: 'you, for the whole server',
  observed: 'what was observed',
  words: 'its own words',
  default: 'the default of the specification',
};

export function LabelEvidence({ tool }: { readonly tool: ToolData }) {
  return (
    <>
      <h3>Label</h3>
      <p class="row">
        <Badge word={tool.risk} certainty={certaintyOf(tool)} />{' '}
        <span>because {line(tool.because, 300)}</span>
      </p>
      <p class="dim">{tool.explanation}</p>
      {tool.hasLapsed && (
        <p class="problem">
          The accepted label has expired, because the definition has changed. Accept one again
          below.
        </p>
      )}
      <div class="scroll" tabIndex={0} role="region" aria-label="Evidence">
        <table class="evidence">
          <thead>
            <tr>
              <th scope="col">Hint</th>
              <th scope="col">Value</th>
              <th scope="col">Said by</th>
              <th scope="col">Claim</th>
            </tr>
          </thead>
          <tbody>
            {HINT_WORDS.map(([hint, word]) => (
              <HintRow key={hint} hint={hint} word={word} tool={tool} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="dim">
        Trust in this server: {tool.trust}. Clients see the hints; roles do not depend on them.
      </p>
      {session.value?.role === 'operator' && <ChangeLabel tool={tool} />}
    </>
  );
}

interface HintRowProps {
  readonly hint: keyof Hints;
  readonly word: string;
  readonly tool: ToolData;
}

function HintRow({ hint, word, tool }: HintRowProps) {
  const { value, evidence } = tool.hints[hint];
  const because =
    evidence.by === 'words' || evidence.by === 'observed' ? `: ${evidence.because}` : '';
  const disbelieved = evidence.by === 'you' ? undefined : evidence.disbelieved;
  const claim = claimOf(tool.claim, hint);
  // By the specification these two have a meaning only for tools that change something.
  const isMoot = tool.risk === 'read' && (hint === 'destructiveHint' || hint === 'idempotentHint');
  return (
    <tr>
      <th scope="row">{word}</th>
      <td>{isMoot ? '–' : value ? 'yes' : 'no'}</td>
      <td class={isMoot ? 'dim' : ''}>
        {isMoot ? 'does not apply to a tool that only reads' : VOICES[evidence.by]}
        {isMoot ? '' : line(because, 200)}
      </td>
      <td>
        {claim}
        {disbelieved && <span class="mark"> not believed: {line(disbelieved.because, 200)}</span>}
      </td>
    </tr>
  );
}

function claimOf(claim: unknown, hint: string): string {
  if (typeof claim !== 'object' || claim === null) return 'nothing';
  const value = (claim as Record<string, unknown>)[hint];
  if (value === undefined) return 'nothing';
  return value === true ? 'yes' : value === false ? 'no' : line(JSON.stringify(value), 60);
}

/** Shows the difference first, then saves. */
function ChangeLabel({ tool }: { readonly tool: ToolData }) {
  const [risk, setRisk] = useState<Risk>(tool.risk);
  const [change, setChange] = useState<ConfigChange>();
  const [note, setNote] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const path = `/tools/${encodeURIComponent(tool.canonical)}/label`;
  const propose = (): void => {
    setNote(undefined);
    setProblem(undefined);
    post<ConfigChange>(path, { risk }).then(setChange, (error: Error) => setProblem(error.message));
  };
  return (
    <form
      class="change-label"
      onSubmit={(event) => {
        event.preventDefault();
        propose();
      }}
    >
      <div class="row">
        <label class="row">
          Change the label to
          <select
            value={risk}
            onChange={({ currentTarget }) => {
              setRisk(currentTarget.value as Risk);
              setChange(undefined);
            }}
          >
            <option value="read">read</option>
            <option value="write">write</option>
            <option value="destructive">destructive</option>
          </select>
        </label>
        <button type="submit">Show what changes</button>
      </div>
      <Problem text={problem} />
      {note !== undefined && (
        <p class="done" role="status">
          {note}
        </p>
      )}
      {change && (
        <SaveChange
          change={change}
          save={() => post(path, { risk, save: true, base: change.base })}
          onCancel={() => setChange(undefined)}
          onSaved={() => {
            setChange(undefined);
            setNote('Saved. It expires if the server changes the definition.');
          }}
        />
      )}
    </form>
  );
}
