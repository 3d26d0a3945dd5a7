/** The name of the JavaScript that is made of a file, which imports say for the file itself: `'./texts/en.ts'` gives `'./texts/en.js'`. */
export function toCompiledName(path: string): string {
  return path.replace(/\.([cm]?)tsx?$/, '.$1js');
}
