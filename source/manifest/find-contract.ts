import type { Manifest } from './manifest.ts';
import type { ProblemCode } from './problem.ts';

/** The document as callers can rely on it; undefined where no server starts with its routes. */
export function findContract({ document, problems }: Manifest): Manifest['document'] | undefined {
  return problems.some(({ code }) => clashes.includes(code)) ? undefined : document;
}

const clashes: readonly ProblemCode[] = ['duplicate-route', 'invalid-override'];
