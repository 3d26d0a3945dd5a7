/** An import of a computed path, by a template or by texts that are joined, of which the end is that of JavaScript. */
const COMPUTED = /\bimport\(\s*((["'`])\.{1,2}\/[^()\n]*\.[cm]?)js(["'`])\s*[,)]/g;

/**
 * TypeScript that has esbuild find the sources of the files of JavaScript that a file imports by computed paths: functions that nobody calls, to be put
 * behind its text. esbuild knows that `./texts/en.js` is `./texts/en.ts`, and does not know it of `./texts/${name}.js`.
 */
export function askForTypeScript(text: string): string {
  const found = [...text.matchAll(COMPUTED)].filter(
    ({ index, 1: start = '' }) => /\$\{|\+/.test(start) && !isInComment(text, index),
  );
  return found
    .map(([, start, , quote], index) => `\nasync function __capixFinds${index}() { import(${start}ts${quote}); }`)
    .join('');
}

/** Whether a place is in a comment: what that says need not be code. */
function isInComment(text: string, index: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
  return /^\s*\/?\*(?!.*\*\/)|(?:^|[^:])\/\//.test(line);
}
