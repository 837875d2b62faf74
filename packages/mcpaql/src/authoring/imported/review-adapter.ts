/** Lists the operations of an imported adapter that need a review, and writes the accepted ones. */

import { isObject } from '@callsign/core';
import type { Endpoint } from '@callsign/effects';

import type { AdapterProblem } from '../../adapter/adapter-problem.js';
import type { Adapter, Operation } from '../../adapter/adapter.js';
import { linkShapes } from '../../adapter/link-shapes.js';
import { parseAdapter } from '../../adapter/parse-adapter.js';
import { reviewPrint, type WrittenOperation } from '../../adapter/review.js';
import { isAccepted } from '../../adapter/trust.js';
import { joinAdapter, splitAdapter } from './adapter-text.js';
import { byEndpoint, operationsIn, type PlacedOperation } from './flat-fields.js';
import { patchReview } from './patch-review.js';

/** The level of an adapter whose target a person has accepted. */
const ACCEPTED = 'validated';

/** An operation for review. It cannot be called before a person accepts it, unless it is a proven read. */
export interface PendingOperation {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Its mapping: `POST /ships`, with its address if that is not the target's. */
  readonly mapsTo: string;
  readonly description: string;
  readonly danger: string;
  /** What the import was uncertain about. */
  readonly review: string | undefined;
}

/** The state of a review. Nothing is written: the caller saves what `accept` returns. */
export type AdapterReview =
  | {
      readonly ok: true;
      readonly adapter: Adapter;
      readonly pending: readonly PendingOperation[];
      /** Operations that can be called without a review: their words say that they only read. */
      readonly proven: readonly PendingOperation[];
      /** Whether its target and credentials still need a review. */
      readonly isTargetPending: boolean;
      /** The text of the file after accepting these operations and the target. */
      accept(names: readonly string[]): string;
    }
  | { readonly ok: false; readonly problems: readonly AdapterProblem[] };

/** `file`: the path for problems. It is not read. */
export function reviewAdapter(text: string, file: string): AdapterReview {
  const parsed = parseAdapter(text, file);
  if (!parsed.ok) return parsed;
  const { adapter, written: document } = parsed;
  const placed = operationsIn(document);
  const isTargetPending = !isAccepted(adapter.trust);
  const where = (isMeant: (operation: Operation) => boolean): PendingOperation[] =>
    placed.flatMap((each) => {
      const operation = adapter.operations.get(String(each.document['name']));
      return operation && isMeant(operation) ? pendingOf(each, operation.danger.level) : [];
    });
  return {
    ok: true,
    adapter,
    isTargetPending,
    pending: where(({ isReviewed, isProvenRead }) => !isReviewed && !isProvenRead),
    proven: where(({ isProvenRead }) => isProvenRead),
    accept(names) {
      const accepted = new Set(names);
      // The fingerprint covers the content of shapes: a reference alone would hide later changes.
      const linked = operationsIn(linkShapes(document));
      const prints = new Map(
        linked.flatMap(({ endpoint, document: each }) => {
          const name = String(each['name']);
          if (!accepted.has(name)) return [];
          return [[name, reviewPrint(each as unknown as WrittenOperation, endpoint)]];
        }),
      );
      const level = isTargetPending ? { level: ACCEPTED } : {};
      const { frontMatter, body } = splitAdapter(text);
      const reviewed = withReviews(document, prints, level);
      // A large file is changed at these lines only, which takes a fraction of the time.
      const patched = patchReview(frontMatter, { prints, ...level }, reviewed);
      if (patched !== undefined) return text.replace(frontMatter, () => patched);
      return joinAdapter(reviewed, body, frontMatter);
    },
  };
}

function pendingOf({ endpoint, document }: PlacedOperation, danger: string): PendingOperation {
  const text = (key: string): string | undefined => {
    const value = document[key];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    name: text('name')!,
    endpoint,
    mapsTo: text('maps_to')!.replace(' ', () => ` ${text('base_url') ?? ''}`),
    description: text('description') ?? '',
    danger,
    review: text('review'),
  };
}

/** The document with these fingerprints and this level of trust. */
function withReviews(
  document: Readonly<Record<string, unknown>>,
  prints: ReadonlyMap<string, string>,
  level: { readonly level?: string },
): Readonly<Record<string, unknown>> {
  const { trust } = document;
  const operations = operationsIn(document).map((each): PlacedOperation => {
    const reviewed = prints.get(String(each.document['name']));
    return reviewed === undefined ? each : { ...each, document: { ...each.document, reviewed } };
  });
  const isTrustSet = level.level !== undefined;
  return {
    ...document,
    ...(isTrustSet ? { trust: { ...(isObject(trust) ? trust : {}), ...level } } : {}),
    operations: byEndpoint(operations),
  };
}
