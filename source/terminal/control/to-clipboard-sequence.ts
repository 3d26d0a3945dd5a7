/** The sequence that has a terminal put text on the clipboard of its user, also over ssh (OSC 52). Some terminals ignore it. */
export function toClipboardSequence(text: string): string {
  return `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`;
}
