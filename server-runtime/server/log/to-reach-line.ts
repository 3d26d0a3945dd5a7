/** The last line of a start, for a server that others reach. `urls`: where other machines do. */
export function toReachLine(urls: readonly string[]): string {
  return `[capix] It listens at every address of this machine${urls.length === 0 ? '' : `: ${urls.join(', ')}`}`;
}
