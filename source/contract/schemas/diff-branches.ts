import { isSameJson } from '../../shape/accepts.ts';
import type { ContractPlace } from './contract-place.ts';
import { diffLists } from './diff-lists.ts';
import { diffObjects } from './diff-objects.ts';
import { diffValues } from './diff-values.ts';
import { diffFiles } from './limits/diff-files.ts';
import { diffNumbers } from './limits/diff-numbers.ts';
import { diffStrings } from './limits/diff-strings.ts';
import { addUnclear } from './limits/limit-change.ts';
import type { SchemaBranch } from './schema-branches.ts';

/** The differences between two branches that are of one kind, or of kinds that have values in common. */
export function diffBranches(old: SchemaBranch, now: SchemaBranch, place: ContractPlace): void {
  const [a, b] = [old.shape, now.shape];
  if (!isSameJson(old.keywords, now.keywords)) addUnclear(a, b, place);
  if (b.kind === 'literal') return diffValues(a, b, place);
  switch (a.kind) {
    case 'literal':
      return diffValues(a, b, place);
    case 'object':
    case 'record':
      return b.kind === 'object' || b.kind === 'record' ? diffObjects(a, b, place) : undefined;
    case 'array':
    case 'tuple':
      return b.kind === 'array' || b.kind === 'tuple' ? diffLists(a, b, place) : undefined;
    case 'string':
      return b.kind === 'string' ? diffStrings(a, b, place) : undefined;
    case 'number':
      return b.kind === 'number' ? diffNumbers(a, b, place) : undefined;
    case 'file':
      return b.kind === 'file' ? diffFiles(a, b, place) : undefined;
    case 'intersection':
      if (b.kind !== 'intersection' || a.parts.length !== b.parts.length) return addUnclear(a, b, place);
      return a.parts.forEach((part, index) => place.compare(part, b.parts[index] ?? part, place));
    case 'boolean':
    case 'null':
    case 'foreign':
    case 'any':
      return undefined;
  }
}
