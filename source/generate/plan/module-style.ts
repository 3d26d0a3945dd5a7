/** The style of a module: what a line that is added to it should look like. */
export interface ModuleStyle {
  readonly quote: "'" | '"';
  /** `';'` or nothing. */
  readonly semicolon: '' | ';';
  /** Between braces and what they hold: `{ x }` or `{x}`. */
  readonly padding: '' | ' ';
  /** End of a relative import: `'.js'`, `'.ts'` or nothing. */
  readonly extension: string;
  readonly lineEnd: '\n' | '\r\n';
}

/** The style of a project that shows none. */
export function toDefaultStyle(extension: string): ModuleStyle {
  return { quote: "'", semicolon: ';', padding: ' ', extension, lineEnd: '\n' };
}

/** Guesses the style from the last line that imports or re-exports; what it does not show is as in `fallback`. */
export function inferModuleStyle(text: string, fallback = toDefaultStyle('.js')): ModuleStyle {
  const lines = text.matchAll(/^\s*(?:import|export)\b([^'"\n]*)\bfrom\s*(['"])(\.[^'"\n]*)\2[ \t]*(;?)/gm);
  const [, names = '', quote, path, semicolon] = [...lines].at(-1) ?? [];
  const lineEnd = text.includes('\r\n') ? '\r\n' : text.includes('\n') ? '\n' : fallback.lineEnd;
  if (quote === undefined || path === undefined) return { ...fallback, lineEnd };
  return {
    quote: quote === '"' ? '"' : "'",
    semicolon: semicolon === ';' ? ';' : '',
    padding: /\{\S/.test(names) ? '' : /\{\s/.test(names) ? ' ' : fallback.padding,
    extension: /\.[cm]?[jt]s$/.exec(path)?.[0] ?? '',
    lineEnd,
  };
}

/** Writes text of a template, which is in the default style, in another one. */
export function applyModuleStyle(text: string, style: ModuleStyle): string {
  const { quote, semicolon, extension, lineEnd } = style;
  return text
    .replaceAll("'", quote)
    .replace(/;$/gm, semicolon)
    .replace(/(['"]\..*)\.js(['"])/g, `$1${extension}$2`)
    .replaceAll('\n', lineEnd);
}
