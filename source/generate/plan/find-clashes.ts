import { parsePathPattern, toPathShape } from '../../../server-runtime/routing/path-pattern.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { Generated } from './generated.ts';

/** Finds what of a new capability is another one's already, so that the project would have an error: its route, its name but for letter case and dots. */
export function findClashes(
  { key, route }: Generated,
  { capabilities }: Pick<Manifest, 'capabilities'>,
): readonly string[] {
  if (route === undefined) return [];
  const shape = toShape(route);
  const name = toBareName(key);
  return capabilities
    .filter((other) => other.key !== key)
    .flatMap((other) => [
      ...(toShape(other) === shape
        ? [`${other.key} is ${other.method} ${other.path} already; no server starts with both.`]
        : []),
      ...(toBareName(other.key) === name ? [`${other.key} is the same name but for letter case and dots.`] : []),
    ]);
}

function toShape({ method, path }: { readonly method: string; readonly path: string }): string {
  const pattern = parsePathPattern(path);
  return `${method} ${pattern.kind === 'pattern' ? toPathShape(pattern.segments) : path}`;
}

function toBareName(key: string): string {
  return key.replaceAll('.', '').toLowerCase();
}
