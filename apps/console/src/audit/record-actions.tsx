/** Actions for all records: verify their hash chain, and export them. */

import type { Verification } from '@callsign/gateway/admin/data';
import { useState } from 'preact/hooks';

import { download, get } from '../live/session.js';
import { Problem } from '../view/notice.js';
import { line } from '../view/shown-text.js';

type State = 'verifying' | 'exporting' | undefined;

/** `query`: the filters, which apply to an export. */
export function RecordActions({ query }: { readonly query: string }) {
  const [verified, setVerified] = useState<Verification>();
  const [problem, setProblem] = useState<string>();
  const [state, setState] = useState<State>();
  const run = async (what: State, work: () => Promise<void>): Promise<void> => {
    setProblem(undefined);
    setState(what);
    await work().catch((error: Error) => setProblem(error.message));
    setState(undefined);
  };
  const verify = () =>
    run('verifying', async () => setVerified(await get<Verification>('/records/verify')));
  const exportAs = (format: string) =>
    run('exporting', () => {
      const words = new URLSearchParams(query);
      words.set('format', format);
      return download(`/records/export?${words}`, `callsign-records.${format}`);
    });
  const isBusy = state !== undefined;
  return (
    <>
      <div class="buttons actions">
        <button type="button" disabled={isBusy} onClick={() => void verify()}>
          {state === 'verifying' ? 'Verifying…' : 'Verify'}
        </button>
        <button type="button" disabled={isBusy} onClick={() => void exportAs('jsonl')}>
          {state === 'exporting' ? 'Exporting…' : 'Export JSON lines'}
        </button>
        <button type="button" disabled={isBusy} onClick={() => void exportAs('csv')}>
          Export CSV
        </button>
      </div>
      <Problem text={problem} />
      {verified && <Verified verified={verified} />}
    </>
  );
}

const SHOWN = 10;

function Verified({
  verified: { ok, calls, records, journals, flaws, notes },
}: {
  verified: Verification;
}) {
  const all = `${records.toLocaleString('en')} records in ${journals} ${journals === 1 ? 'journal' : 'journals'}`;
  const count = `${calls.toLocaleString('en')} calls, with ${all}`;
  return (
    <div class={ok ? 'verified' : 'verified problem'} role="status">
      <p class={ok ? 'done' : ''}>
        {ok ? `The records are intact: ${count}.` : `${count}: some are damaged or changed.`}
      </p>
      <ul>
        {flaws.slice(0, SHOWN).map(({ id, message }) => (
          <li key={id}>
            <code>{line(id, 60)}</code> {line(message, 300)}
          </li>
        ))}
        {notes.slice(0, SHOWN).map(({ journal, note, count: lost, message }, i) => (
          <li key={i} class="dim">
            {line(journal, 60)}: {note} ({lost}). {line(message, 300)}
          </li>
        ))}
      </ul>
    </div>
  );
}
