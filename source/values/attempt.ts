/** What a function gives, or undefined where it throws. */
export function attempt<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** A text of a URL without its escapes; a `%` that stands for itself stays. */
export function decodePlain(text: string): string {
  return attempt(() => decodeURIComponent(text)) ?? text;
}
