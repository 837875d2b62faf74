/** The overview of keys. */

import { useEffect, useRef } from 'preact/hooks';

import { areKeysShown, KEYS } from '../live/keys.js';

export function KeyHelp() {
  return areKeysShown.value ? <Overview /> : null;
}

function Overview() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="keys"
      aria-labelledby="keys"
      onClose={() => (areKeysShown.value = false)}
    >
      <h2 id="keys">Keys</h2>
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current!.close()}>
        Close
      </button>
    </dialog>
  );
}
