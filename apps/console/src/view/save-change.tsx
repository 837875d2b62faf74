/** Shows the difference that a change makes in the configuration, and saves it on request. */

import type { ConfigChange, DiffLine } from '@callsign/gateway/admin/data';
import { useState } from 'preact/hooks';

import { Problem } from './notice.js';

export interface SaveChangeProps {
  readonly change: ConfigChange;
  /** Saves exactly this change. */
  readonly save: () => Promise<unknown>;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}

export function SaveChange({ change, save, onSaved, onCancel }: SaveChangeProps) {
  const [problem, setProblem] = useState<string>();
  const onSave = (): void => {
    save().then(onSaved, (error: Error) => setProblem(error.message));
  };
  return (
    <div class="save-change">
      <p>
        This changes <code>{change.file}</code>. Comments stay.
      </p>
      <Diff lines={change.diff} />
      <Problem text={problem} />
      {!change.canSave && (
        <p>The gateway cannot write this file. Make the change where the file comes from.</p>
      )}
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={!change.canSave || change.diff.length === 0}
          onClick={onSave}
        >
          Save
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}

/** The changed lines of a file. */
function Diff({ lines }: { readonly lines: readonly DiffLine[] }) {
  if (lines.length === 0) return <p class="empty">The file would not change.</p>;
  return (
    <pre class="diff" tabIndex={0} aria-label="Changed lines">
      {lines.map(({ sign, line, text }, i) => (
        <div key={i} class={sign === '+' ? 'added' : 'removed'}>
          <span class="number">{line}</span>
          {sign} {text}
        </div>
      ))}
    </pre>
  );
}
