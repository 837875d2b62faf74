/** What a call is aimed at: the identity and the label that modules go by. */

import type { Contradiction, LabelHints, Risk } from '@callsign/annotations';
import type { ToolRef } from '@callsign/naming';

import type { Item } from './item.js';
import type { Kind } from './kind.js';

export interface Target {
  readonly kind: Kind;
  readonly ref: ToolRef;
  /** `server:tool`. */
  readonly canonical: string;
  /** What people call its server. */
  readonly displayName: string;
  /** Its title, from the operator or else from its server. */
  readonly title?: unknown;
  /** The label: claims resolved with overrides and trust. */
  readonly hints: LabelHints;
  readonly risk: Risk;
  /** A claim that is not believed, because the tool's own words say otherwise. */
  readonly contradiction?: Contradiction;
  /** A label was accepted for another definition, and does not count any more. */
  readonly hasLapsed?: true;
  /** Its definition, as its server gives it. */
  readonly item: Item;
}
