import { callerStack } from '../patches/caller-stack.ts';

/** Set on `globalThis` by the command-line tool before it loads a project: servers pay nothing for source locations. */
const WANTED: unique symbol = Symbol.for('capix.sourceLocations') as never;

/** The place where something was declared. Reading `stack` formats it and maps it to the source, which takes time. */
export interface DeclarationPlace {
  /** The call that declared it, above other frames, as `Error` has it. */
  readonly stack?: string | undefined;
}

/** Asks that capabilities declared from now on remember where they were declared. */
export function rememberDeclarations(): void {
  (globalThis as { [WANTED]?: boolean })[WANTED] = true;
}

/** The frame above `from`, where it was asked for. */
export function declaredAt(from: (...args: never[]) => unknown): DeclarationPlace | undefined {
  if ((globalThis as { [WANTED]?: boolean })[WANTED] !== true) return undefined;
  return callerStack(from);
}
