/** Whether the terminal shows keys where they are typed, and keeps a line until Enter; else each arrives at once, unseen. */
export function showTypedKeys(isShown: boolean): void {
  process.stdin.setRawMode(!isShown);
}
