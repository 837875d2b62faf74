/** How certain a guess from words is. */

export type Confidence = 'high' | 'medium' | 'low';

/** One step less certain. */
export function lessSure(confidence: Confidence): Confidence {
  return confidence === 'high' ? 'medium' : 'low';
}
