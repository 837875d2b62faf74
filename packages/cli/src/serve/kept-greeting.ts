/** Saves the greeting for clients. The next start sends it before the gateway is loaded. */

import { firstGreeting, type Gateway } from '@callsign/gateway/host';

import { rememberGreeting } from '../first-word/greetings.js';

/** Returns a function that stops it. Call it before servers end and remove their instructions. */
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
