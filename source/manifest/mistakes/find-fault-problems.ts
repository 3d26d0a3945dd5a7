import { readThrown } from '../../../server-runtime/errors/failure.ts';
import type { OperationFault } from '../../../server-runtime/registry/compile-registry.ts';
import type { Listed } from '../listed.ts';
import type { Problem } from '../problem.ts';
import { splitHint } from './split-hint.ts';
import { toMistake } from './to-mistake.ts';

/** The operations that a server does not start with, each at its declaration. */
export function findFaultProblems(
  faults: readonly OperationFault[],
  capabilities: readonly Listed[],
): readonly Problem[] {
  return faults.flatMap(({ key, error }) => {
    const capability = capabilities.find((each) => each.key === key);
    if (capability === undefined) return [];
    return [toMistake('invalid-enhancer', capability, splitHint(readThrown(error).message))];
  });
}
