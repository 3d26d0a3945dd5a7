/** The last of the lines of a start, for a server that others can reach. `urls`: where other machines do, as far as is known. */
export function toReachLine(urls: readonly string[]): string {
  return `[capix] It listens at every address of this machine${urls.length === 0 ? '' : `: ${urls.join(', ')}`}`;
}
