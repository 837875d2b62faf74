/** Shows times to people: local time on a terminal, UTC where a program may read it. */

/** From ISO text, to the second: `2026-11-15 23:40:01`, or `2026-11-15T22:40:01Z`. */
export function shownTime(iso: string, isLocal: boolean): string {
  if (!isLocal) return iso.replace(/\.\d+Z$/, 'Z');
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const date = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(twoDigits).join('-');
  return `${date} ${clockTime(time)}`;
}

/** The time of day on the local clock. */
export function clockTime(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map(twoDigits).join(':');
}

/** A length of time in its two largest units, such as `2 h 5 min`. */
export function shownDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
