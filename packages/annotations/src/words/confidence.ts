/** How sure a guess from words is. */

export type Confidence = 'high' | 'medium' | 'low';

/** One step less sure. */
export function lessSure(confidence: Confidence): Confidence {
  return confidence === 'high' ? 'medium' : 'low';
}
