/** A pair of `Forwarded` and what ends it; RFC 7239 lets the value be a token or text in quotes. */
const pair = /[ \t]*([!#$%&'*+.^`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))[ \t]*([;,]|$)/y;

/** The `for` of each proxy in a header `Forwarded`, the caller first; empty text for a proxy that says none, nothing of a header that is not well formed. */
export function parseForwarded(text: string): readonly string[] {
  const named = [''];
  pair.lastIndex = 0;
  while (pair.lastIndex < text.length) {
    const found = pair.exec(text);
    if (found === null) return [];
    const [, name = '', quoted, token = '', end] = found;
    if (name.toLowerCase() === 'for') named[named.length - 1] = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
    if (end === ',') named.push('');
    else if (end === '') break;
  }
  return named;
}
