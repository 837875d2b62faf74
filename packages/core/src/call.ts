/** One call on its way: what is asked, by whom, and the wires back to the caller. */

import type { Contradiction, LabelHints, Risk } from '@callsign/annotations';
import type { ToolRef } from '@callsign/naming';

import type { Item } from './item.js';
import { memberText, withMembers } from './json-text.js';
import type { Kind } from './kind.js';
import type { Question, Reply } from './reply.js';

/** The two ages of the protocol: with a handshake and a session, and with everything in each request. */
export type Era = 'session' | 'stateless';

/** The person or program behind a client, as far as a credential has shown. */
export interface Principal {
  /** Whom records name; unlike that of any other. */
  readonly name: string;
  readonly roles: readonly string[];
}

/** Who calls. One object for the life of a session; one per request where there are no sessions. */
export interface Caller {
  /** Unlike that of any other caller at the same time. */
  readonly id: string;
  readonly era: Era;
  readonly client: { readonly name: string; readonly version: string };
  /** Nobody in particular where no credential is asked for. */
  readonly principal?: Principal | undefined;
  /** What the client declared that it can do, as JSON text. */
  readonly capabilities: string;
  /** Whether the client can answer a question of this kind, such as `elicitation`. */
  can(capability: string): boolean;
}

/** What a call is aimed at: the identity and the label that interceptors go by. */
export interface Target {
  readonly kind: Kind;
  readonly ref: ToolRef;
  /** `server:tool`. */
  readonly canonical: string;
  /** What people call its server. */
  readonly displayName: string;
  /** What it is called for people, by the operator's word or else by its server's, whatever that is. */
  readonly title?: unknown;
  /** What counts: claims resolved with overrides and trust. */
  readonly hints: LabelHints;
  readonly risk: Risk;
  /** A claim that is not believed, because the tool's own words say otherwise. */
  readonly contradiction?: Contradiction;
  /** Its definition, as its server gives it. */
  readonly item: Item;
}

/** Whoever limits the time of a call hears through this how it goes. */
export interface Pulse {
  /** A sign of life from the server. */
  beat(): void;
  /** The client is being asked: that is not the server's time. */
  hold(): void;
  release(): void;
}

/** What was decided about a call, and by which rule. */
export interface Verdict {
  readonly decision: 'allow' | 'confirm' | 'deny' | 'dry-run';
  /** In the words of whoever made the rule. */
  readonly rule: string;
}

export interface CallOptions {
  readonly method: string;
  /** The parameters as JSON text, just as they came. */
  readonly params: string;
  /** What is called: a tool's or prompt's name, a resource's URI. */
  readonly name: string;
  /** Where in `params` the name stands, quotes included; both -1 if nowhere. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** Where the progress token stands; both -1 if the caller wants no progress. */
  readonly tokenStart: number;
  readonly tokenEnd: number;
  readonly caller: Caller;
}

export class Call {
  readonly method: string;
  readonly params: string;
  readonly name: string;
  readonly caller: Caller;
  /** The thing that is called, once the hub has found it. */
  target: Target | undefined;
  /** The URI to send in place of the caller's, where a client has to see another than the server. */
  nameForServer: string | undefined;
  /** Takes a progress notification's parameters, with the place of the token in them. */
  onProgress: ((params: string, tokenStart: number, tokenEnd: number) => void) | undefined;
  /** Takes a log message that the server sent on behalf of this call. */
  onLog: ((params: string) => void) | undefined;
  /** Puts a question of the server to the caller. */
  ask: ((question: Question) => Promise<Reply>) | undefined;
  /** Called once if the caller gives up. Set by whoever has work to stop. */
  onCancel: ((reason: string | undefined) => void) | undefined;
  /** Set by whoever limits its time. */
  pulse: Pulse | undefined;
  /** What stands in between notes here what it decided, for the record. */
  verdict: Verdict | undefined;
  /** How often it was sent to its server again. */
  retries = 0;
  /** Entries for the `_meta` of what goes to the server, each as JSON text. */
  carried: Readonly<Record<string, string>> | undefined;
  readonly #nameStart: number;
  readonly #nameEnd: number;
  readonly #tokenStart: number;
  readonly #tokenEnd: number;
  #cancelled = false;

  constructor(options: CallOptions) {
    this.method = options.method;
    this.params = options.params;
    this.name = options.name;
    this.caller = options.caller;
    // One by one: whatever a call holds on to is copied by the garbage collector while it is under way.
    this.#nameStart = options.nameStart;
    this.#nameEnd = options.nameEnd;
    this.#tokenStart = options.tokenStart;
    this.#tokenEnd = options.tokenEnd;
  }

  get wantsProgress(): boolean {
    return this.#tokenStart !== -1;
  }

  get isCancelled(): boolean {
    return this.#cancelled;
  }

  /** The caller no longer wants an answer. */
  cancel(reason?: string): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.onCancel?.(reason);
  }

  /**
   * The parameters with another name and progress token in place, every other character untouched.
   * Without a name they keep the caller's, or get `nameForServer` if there is one.
   */
  paramsWith(name: string | undefined, tokenJson: string): string {
    const spliced = this.#spliced(name, tokenJson);
    if (!this.carried || !spliced.startsWith('{')) return spliced;
    const meta = memberText(spliced, '_meta') ?? '{}';
    return meta.startsWith('{')
      ? withMembers(spliced, { _meta: withMembers(meta, this.carried) })
      : spliced;
  }

  #spliced(name: string | undefined, tokenJson: string): string {
    const { params, nameForServer } = this;
    const [nameStart, nameEnd] = [this.#nameStart, this.#nameEnd];
    const [tokenStart, tokenEnd] = [this.#tokenStart, this.#tokenEnd];
    const nameJson =
      name ?? (nameForServer === undefined ? undefined : JSON.stringify(nameForServer));
    const putName = nameJson !== undefined && nameStart !== -1;
    if (tokenStart === -1) {
      return putName ? params.slice(0, nameStart) + nameJson + params.slice(nameEnd) : params;
    }
    if (!putName) return params.slice(0, tokenStart) + tokenJson + params.slice(tokenEnd);
    return nameStart < tokenStart
      ? params.slice(0, nameStart) +
          nameJson +
          params.slice(nameEnd, tokenStart) +
          tokenJson +
          params.slice(tokenEnd)
      : params.slice(0, tokenStart) +
          tokenJson +
          params.slice(tokenEnd, nameStart) +
          nameJson +
          params.slice(nameEnd);
  }
}
