/** The target of a call: the identity and the label by which modules decide. */

import type { Contradiction, LabelHints, Risk } from '@callsign/effects';
import type { ToolRef } from '@callsign/naming';

import type { Item } from './item.js';
import type { Kind } from './kind.js';

/** The hub sets it on a call before the interceptors run. */
export interface Target {
  readonly kind: Kind;
  readonly ref: ToolRef;
  /** `server:tool`. */
  readonly canonical: string;
  /** The display name of its server. */
  readonly displayName: string;
  /** Its title: the operator's, or else the server's. */
  readonly title?: unknown;
  /** The label: claims resolved with overrides and trust. */
  readonly hints: LabelHints;
  readonly risk: Risk;
  /** The claim that is not believed because the tool's own words contradict it. */
  readonly contradiction?: Contradiction | undefined;
  /** A label was accepted for another definition and no longer counts. */
  readonly hasLapsed?: boolean;
  /** Whose account at its server a call uses. Missing if all callers use one. */
  readonly account?: string | undefined;
  /** Its definition, as the server gives it. */
  readonly item: Item;
  /** The template that leads to this resource, if its server does not list it. */
  readonly template?: Target;
  /**
   * One of our own tools that show other tools. A caller sees it if it may see at least one of
   * those.
   */
  readonly isView?: boolean;
  /** The tool with which a caller links an account. Who may use anything of its server sees it. */
  readonly isSignIn?: boolean;
}
