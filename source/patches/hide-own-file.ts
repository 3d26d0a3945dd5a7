/** Lets the code of the user find itself in `process.argv[1]`: the tool's own file stands before it. */
export function hideOwnFile(): void {
  process.argv.splice(1, 1);
}
