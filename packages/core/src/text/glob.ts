/**
 * Patterns over `server:tool` in allow lists, deny lists and overrides: `*` is any text, `?` one
 * character.
 */

/**
 * Finds the pieces between the stars one after another, each at the first place where it fits. It
 * never backtracks, so no name can make it slow.
 */
export function globMatcher(glob: string): (name: string) => boolean {
  const texts = glob.split(/\*+/);
  const pieces = texts.map((text, i) => {
    const start = i === 0 ? '^' : '';
    const end = i === texts.length - 1 ? '$' : '';
    return new RegExp(start + pieceSource(text) + end, 'gsu');
  });
  return function matches(name) {
    let at = 0;
    for (const piece of pieces) {
      piece.lastIndex = at;
      if (!piece.test(name)) return false;
      at = piece.lastIndex;
    }
    return true;
  };
}

function pieceSource(text: string): string {
  return text.replace(/[$()+./[\\\]^{|}]/g, '\\$&').replaceAll('?', '.');
}
