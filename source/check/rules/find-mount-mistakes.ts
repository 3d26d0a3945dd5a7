import { isBelow } from '../../../server-runtime/rest/mounted.ts';
import { type Problem, toMistake } from '../../manifest/check-rules.ts';
import { hasRoute, type Listed } from '../../manifest/manifest.ts';

/** Finds the capabilities with a route that a mounted handler would answer: no server starts with them. */
export function findMountMistakes(
  mounts: readonly string[],
  capabilities: readonly Listed[],
): readonly Problem[] {
  return capabilities.filter(hasRoute).flatMap((capability) =>
    [capability, ...capability.otherRoutes].flatMap(({ method, path }) => {
      const mount = mounts.find((each) => isBelow(path, { path: each }));
      if (mount === undefined) return [];
      const { key } = capability;
      const message = `\`${key}\` is ${method} ${path}, which the handler that is mounted at ${mount} would answer.`;
      const hint =
        'Mount the handler elsewhere, or give the capability another path by `.route(…)`.';
      return [toMistake('mounted-route', capability, { message, hint })];
    }),
  );
}
