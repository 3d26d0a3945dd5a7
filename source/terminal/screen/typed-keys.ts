/** Whether the terminal shows typed keys, and keeps a line until Enter; else each arrives at once, unseen. */
export function showTypedKeys(isShown: boolean): void {
  process.stdin.setRawMode(!isShown);
}
