import type { FileShape, StringShape } from '../shape.ts';
import { toGreatest, toLeast } from './to-greatest.ts';

/** A file, and a text that is its bytes; undefined where what is said of both cannot be said of one file. */
export function mergeFiles(a: FileShape | StringShape, b: FileShape | StringShape): FileShape | undefined {
  const [one, other] = [toFile(a), toFile(b)];
  if (one === undefined || other === undefined) return undefined;
  if (one.mediaTypes.length > 0 && other.mediaTypes.length > 0) return undefined;
  return {
    kind: 'file',
    minSize: toGreatest(one.minSize, other.minSize),
    maxSize: toLeast(one.maxSize, other.maxSize),
    mediaTypes: [...one.mediaTypes, ...other.mediaTypes],
  };
}

function toFile(shape: FileShape | StringShape): FileShape | undefined {
  if (shape.kind === 'file') return shape;
  if (shape.patterns.length > 0) return undefined;
  return { kind: 'file', minSize: shape.minLength, maxSize: shape.maxLength, mediaTypes: [] };
}
