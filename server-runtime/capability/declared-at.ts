/** Set on `globalThis` by the command-line tool before it loads a project: servers pay nothing for source locations. */
const WANTED: unique symbol = Symbol.for('capix.sourceLocations') as never;

/** Asks that capabilities declared from now on remember where they were declared. */
export function rememberDeclarations(): void {
  (globalThis as { [WANTED]?: boolean })[WANTED] = true;
}

/** The stack above `from`, where it was asked for; each frame is mapped to the source by Node where source maps are on. */
export function declaredAt(from: (...args: never[]) => unknown): string | undefined {
  if ((globalThis as { [WANTED]?: boolean })[WANTED] !== true) return undefined;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, from);
  return holder.stack;
}
