/** The name of a tool in every client. */

import type { ClientName } from '@callsign/gateway/admin/data';

import { line } from '../view/shown-text.js';

export function ToolNames({ names }: { readonly names: readonly ClientName[] }) {
  return (
    <>
      <h3>Name in every client</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label="Names">
        <table class="names">
          <thead>
            <tr>
              <th scope="col">Client</th>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Length
              </th>
            </tr>
          </thead>
          <tbody>
            {names.map(({ profile, label, name, exact, reasons, length, maxLength }) => (
              <tr key={profile}>
                <th scope="row">{line(label, 60)}</th>
                <td>
                  <code class={exact ? '' : 'altered'}>{line(name, 200)}</code>
                  {reasons.length > 0 && <span class="why dim">{reasons.join(', ')}</span>}
                </td>
                <td class="number">
                  {length}
                  {maxLength === null ? '' : ` of ${maxLength}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
