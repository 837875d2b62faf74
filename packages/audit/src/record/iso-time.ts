/** Times as text. Many records share a millisecond, and formatting one takes longer than comparing two. */

let lastTime = NaN;
let lastText = '';

export function isoTime(time: number): string {
  const whole = Math.trunc(time);
  if (whole !== lastTime) {
    lastText = new Date(whole).toISOString();
    lastTime = whole;
  }
  return lastText;
}
