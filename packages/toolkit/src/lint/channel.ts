/** A minimal connection for listing a server's tools: messages out, messages in. */

export interface Channel {
  /** Sets the reader once: it gets each message, and the reason when the channel ends. */
  listen(onMessage: (message: Message) => void, onEnd: (reason: Error) => void): void;
  send(message: Message): unknown;
  close(): Promise<void>;
}

/** A JSON-RPC message of either direction, unchecked. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: object;
  readonly result?: unknown;
  readonly error?: unknown;
}
