/**
 * The expression as readers of JSON Schema compile it, with the flag `u`: the author's own, or an equal one where that
 * needs to be without the flag. Undefined where no equal one is found.
 */
export function toPortablePattern(source: string): string | undefined {
  const plain = source.includes(String.raw`\k<`) ? source : withoutGroupNames(source);
  return [plain, rewrite(plain)].find(compiles);
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source, 'u').source !== '';
  } catch {
    return false;
  }
}

/** Some dialects do not know names of groups. A group keeps its number, which the expression may refer to. */
function withoutGroupNames(source: string): string {
  const named = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\(\?<[\w$]+>/g;
  return source.replace(named, (text) => (text.startsWith('(') ? '(' : text));
}

/** One part of an expression: an escape, a class, a count behind an atom, or a character. */
const parts =
  /\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[^])|\[(?:\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/g;

/** Escapes characters that are plain without the flag, and removes escapes that the flag does not know. */
function rewrite(source: string): string {
  return source.replace(parts, (text) => {
    if (text.startsWith('[')) return rewriteClass(text);
    if (text.startsWith('\\')) return withoutNeedlessEscape(text);
    return /^[{}\]]$/.test(text) ? `\\${text}` : text;
  });
}

/** Inside a class a dash beside `\w` and the like stands for itself. */
function rewriteClass(text: string): string {
  return text
    .replace(/(\\[dDwWsS])-(?!\])/g, String.raw`$1\-`)
    .replace(/([^\\])-(?=\\[dDwWsS])/g, String.raw`$1\-`)
    .replace(/\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|-|[^])/g, (escape) =>
      escape === String.raw`\-` ? escape : withoutNeedlessEscape(escape),
    );
}

/**
 * Without the flag `\_` means `_`. An escape that means more, such as `\1`, stays, and the whole may then not compile.
 */
function withoutNeedlessEscape(escape: string): string {
  const isNeeded = escape.length > 2 || /[\^$\\.*+?()[\]{}|/\dBDPSWbcdfnkprstvw]$/.test(escape);
  return isNeeded ? escape : escape.slice(1);
}
