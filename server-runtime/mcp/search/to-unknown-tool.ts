import { findNearestNames } from '../../errors/find-nearest.ts';

/** Says of a name that it is that of no tool, and which of `names` it may mean; `otherwise` where it is like none of them. */
export function toUnknownTool(name: string, names: readonly string[], otherwise: string): string {
  const nearest = findNearestNames(name, names).map((each) => `'${each}'`);
  return `There is no tool '${name}'. ${nearest.length === 0 ? otherwise : `Did you mean ${nearest.join(' or ')}?`}`;
}
