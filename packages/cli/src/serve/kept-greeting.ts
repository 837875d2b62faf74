/**
 * Saves the greeting for clients, so that the next start can send it before the gateway is loaded.
 */

import { firstGreeting, type Gateway } from '@callsign/gateway';

import { rememberGreeting } from '../first-word/greetings.js';

/**
 * Returns a function that stops it. Call it before servers end: each removes its instructions then.
 */
export function keepGreeting(gateway: Gateway, file: string): () => void {
  let isOver = false;
  let before = '';
  const keep = (): void => {
    if (isOver || !gateway.config.settings.remember) return;
    const greeting = firstGreeting(gateway);
    if (JSON.stringify(greeting) === before) return;
    before = JSON.stringify(greeting);
    rememberGreeting(file, greeting);
  };
  const follow = async (): Promise<void> => {
    await gateway.settled();
    keep();
    gateway.hub.subscribe(({ type }) => type === 'changed' && setImmediate(keep));
  };
  void follow();
  return () => {
    isOver = true;
  };
}
