/** Formats times. Formatting is slow, and most records are in the same second as the one before. */

const PREFIX = '2026-11-15T09:30:12.'.length;

export class IsoTime {
  #second = NaN;
  #prefix = '';

  /** ISO 8601 in UTC, to the millisecond. */
  text(time: number): string {
    const whole = Math.trunc(time);
    const second = Math.floor(whole / 1000);
    if (second !== this.#second) {
      this.#prefix = new Date(second * 1000).toISOString().slice(0, PREFIX);
      this.#second = second;
    }
    return `${this.#prefix}${String(whole - second * 1000).padStart(3, '0')}Z`;
  }
}
