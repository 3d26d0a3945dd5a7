const URL_START = Buffer.from('"file:');
const QUOTE = 0x22;
const SPACE = 0x20;

/**
 * Code with other texts in its imports, by their texts until now; each takes no more room than the one before, and the rest is blanks: all positions stay.
 * The code is as esbuild prints it.
 */
export function withPackageNames(code: Uint8Array, names: ReadonlyMap<string, string>): Uint8Array {
  if (names.size === 0) return code;
  const copy = Buffer.from(code);
  for (let at = copy.indexOf(URL_START); at !== -1; at = copy.indexOf(URL_START, at + 1)) {
    const end = copy.indexOf(QUOTE, at + 1);
    const name = end === -1 ? undefined : names.get(copy.toString('utf8', at + 1, end));
    if (name === undefined || name.length > end - at - 1 || !isInImport(copy, at)) continue;
    copy.fill(SPACE, at, end + 1);
    copy.write(`"${name}"`, at);
  }
  return copy;
}

function isInImport(code: Buffer, at: number): boolean {
  return /\b(?:from |import |import\()$/.test(code.toString('latin1', Math.max(0, at - 8), at));
}
