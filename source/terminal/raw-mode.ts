/** Has keys arrive as they are typed, and unseen, until the returned function is called. */
export function enterRawMode(): () => void {
  const { stdin } = process;
  stdin.setRawMode(true);
  return () => void stdin.setRawMode(false);
}
