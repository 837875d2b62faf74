// The measured values: one for each round, stored by scenario, load, contestant and metric
// (`figure`).
import { ratios, summary } from './load/statistics.mjs';

/** @typedef {{ scenario: string, load: string, who: string, figure: string }} Address */

const MAX_NOTE = 200;

export class Results {
  /** @type {Map<string, Address & { values: number[] }>} */
  #series = new Map();
  #order;
  /** @type {string[]} */
  #loads = [];
  /** Sentences about what could not be measured. */
  notes = [];

  /** @param {string[]} order of the contestants */
  constructor(order) {
    this.#order = order;
  }

  /** Loads, in the order of the tables. @param {string[]} loads */
  expect(loads) {
    this.#loads.push(...loads);
  }

  /** @param {Address} address @param {number} value */
  add(address, value) {
    const key = keyOf(address);
    const series = this.#series.get(key);
    if (series) series.values.push(value);
    else this.#series.set(key, { ...address, values: [value] });
  }

  /** Shortens the error message of a contestant, and removes paths of this machine from it. */
  note(sentence) {
    const plain = sentence.replace(/<[^>]*>/g, ' ').replace(/(?:file:\/\/)?\/[^\s:)]+/g, '…');
    const short = plain.replace(/\s+/g, ' ').slice(0, MAX_NOTE);
    if (!this.notes.includes(short)) this.notes.push(short);
  }

  /** @param {Address} address @returns {number[]} in the order of the rounds; none if it was not measured */
  values(address) {
    return this.#series.get(keyOf(address))?.values ?? [];
  }

  /** @param {Address} address @returns the median and the middle half */
  summary(address) {
    return summary(this.values(address));
  }

  /** @param {Address} address */
  median(address) {
    return this.summary(address).median;
  }

  /** The median of the ratios round by round, and their spread. @param {Address} one @param {Address} other */
  ratio(one, other) {
    return summary(ratios(this.values(one), this.values(other)));
  }

  /**
   * All matching series, with contestants in the order of the line-up. @param {Partial<Address>}
   * part
   */
  series(part = {}) {
    const wanted = Object.entries(part);
    const place = ({ load, who }) =>
      this.#loads.indexOf(load) * this.#order.length + this.#order.indexOf(who);
    return [...this.#series.values()]
      .filter((series) => wanted.every(([key, value]) => series[key] === value))
      .toSorted((a, b) => place(a) - place(b));
  }

  toJSON() {
    const series = this.series().map((each) => ({ ...each, ...summary(each.values) }));
    return { notes: this.notes, series };
  }
}

function keyOf({ scenario, load, who, figure }) {
  return [scenario, load, who, figure].join('\0');
}
