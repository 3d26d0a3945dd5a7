/** Makes the stacks of code imported from now on name its source files, where it has source maps. */
export function mapStacks(): void {
  process.setSourceMapsEnabled(true);
}
