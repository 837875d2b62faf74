/** Messages out, messages in: what there is of a connection while a server's tools are listed. */

export interface Channel {
  /** Says once who reads: messages as they come, and the reason when nothing more will. */
  listen(onMessage: (message: Message) => void, onEnd: (reason: Error) => void): void;
  send(message: Message): unknown;
  close(): Promise<void>;
}

/** A JSON-RPC message of either direction; nothing about it is certain. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: object;
  readonly result?: unknown;
  readonly error?: unknown;
}
