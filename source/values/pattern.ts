/** A text as it stands in a regular expression. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Whether a text fits a pattern in which `*` stands for any text: `users.*`. */
export function fitsPattern(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map(escapePattern);
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}
