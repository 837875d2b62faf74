/** Browser notifications for calls that wait, if the person allows them. */

import type { PendingApproval } from '@callsign/gateway/admin/data';
import { signal } from '@preact/signals';

export const mayNotify = signal(supported() && Notification.permission === 'granted');

export function canAskToNotify(): boolean {
  return supported() && Notification.permission === 'default';
}

export async function askToNotify(): Promise<void> {
  mayNotify.value = (await Notification.requestPermission()) === 'granted';
}

/** Notifies about new calls only, and only while the page is hidden. */
export function announceApprovals(
  before: readonly PendingApproval[],
  now: readonly PendingApproval[],
): void {
  if (!mayNotify.value || !document.hidden) return;
  const known = new Set(before.map(({ id }) => id));
  for (const { id, tool } of now.filter((each) => !known.has(each.id))) {
    const note = new Notification('A call is waiting for you', { body: tool, tag: id });
    note.addEventListener('click', () => {
      window.focus();
      location.hash = '#/approvals';
    });
  }
}

function supported(): boolean {
  return 'Notification' in window;
}
