/** How many messages this process has read, so that a very long one can give way to the others. */

let messages = 0;

export function countMessage(): void {
  messages++;
}

export function messagesRead(): number {
  return messages;
}
