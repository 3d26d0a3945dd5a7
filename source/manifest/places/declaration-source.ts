import type { DeclarationPlace } from '../../../server-runtime/capability/definition.ts';
import type { SourceFacts } from '../../document/facts.ts';
import { toProjectPath } from '../project.ts';
import { findSourcePlace } from './find-source-place.ts';

interface KnownSource {
  readonly root: string;
  readonly source: SourceFacts | undefined;
}

const known = new WeakMap<DeclarationPlace, KnownSource>();

/**
 * The place of a declaration in the project at `root`, an absolute path; undefined where none of its code declared it.
 * Looked for once: Node formats a stack, and maps it to the source, when it is first read.
 */
export function toDeclarationSource(declaredAt: DeclarationPlace | undefined, root: string): SourceFacts | undefined {
  if (declaredAt === undefined) return undefined;
  const before = known.get(declaredAt);
  if (before?.root === root) return before.source;
  const place = findSourcePlace(declaredAt.stack, { root });
  const source = place && { ...place, file: toProjectPath(place.file, root) };
  known.set(declaredAt, { root, source });
  return source;
}
