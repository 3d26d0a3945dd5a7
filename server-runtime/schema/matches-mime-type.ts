/** Whether a media type is one of `patterns`: `image/png`, `image/*`, `*\/*`. Letter case does not count. */
export function matchesMimeType(mimeType: string, patterns: readonly string[]): boolean {
  const type = mimeType.toLowerCase();
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase();
    return wanted === '*/*' || wanted === type || (wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1)));
  });
}
