import { toShape } from '../../shape/read/to-shape.ts';
import { resolveShape } from '../../shape/resolve-shape.ts';
import type { Shape } from '../../shape/shape.ts';
import { toTypeText } from '../../shape/type-text.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';
import { addFound, type ContractPlace, type Direction } from './contract-place.ts';
import { diffBranches } from './diff-branches.ts';
import { foldMoves } from './fold-moves.ts';
import { pairBranches } from './pair-branches.ts';
import { type SchemaBranch, toSchemaBranches } from './schema-branches.ts';

export interface DiffSchemasOptions {
  /** JSON Schemas; undefined where none is declared. */
  readonly before: unknown;
  readonly after: unknown;
  readonly direction: Direction;
}

/** The differences between two schemas, field by field. */
export function diffSchemas({ before, after, direction }: DiffSchemasOptions): readonly ContractChange[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined || after === undefined) return [toDeclared(direction, after !== undefined)];
  // Most schemas of a project are as they were.
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const changes: ContractChange[] = [];
  compare(toShape(before), toShape(after), { at: direction, direction, above: [], changes, compare });
  return foldMoves(changes, { before, after, direction });
}

function toDeclared(direction: Direction, isDeclared: boolean): ContractChange {
  const verb = isDeclared ? 'added' : 'removed';
  return toChange(`${direction}-schema-${verb}`, { at: direction, message: `${direction} schema was ${verb}` });
}

/** An intersection that contains itself is merged anew at each level, so that it ends at this depth. */
const MAX_DEPTH = 60;

function compare(before: Shape, after: Shape, place: ContractPlace): void {
  const pair = [resolveShape(before), resolveShape(after)] as const;
  if (place.above.some(([a, b]) => a === pair[0] && b === pair[1]) || place.above.length > MAX_DEPTH) return;
  const inside = { ...place, above: [...place.above, pair] };
  const { pairs, lost, gained } = pairBranches(toSchemaBranches(pair[0]), toSchemaBranches(pair[1]), (wide, narrow) =>
    admits(wide, narrow, inside),
  );
  if (lost.length + gained.length > 0) addTypeChange({ before, after, lost, gained }, place);
  for (const [old, now] of pairs) diffBranches(old, now, inside);
}

/** Whether every value of one branch is one of the other too, as far as anybody can tell. */
function admits(wide: SchemaBranch, narrow: SchemaBranch, place: ContractPlace): boolean {
  const [some, all] = [wide.shape, narrow.shape];
  if (some.kind === 'number' && some.isInteger && all.kind === 'number' && !all.isInteger) return false;
  const changes: ContractChange[] = [];
  diffBranches(narrow, wide, { ...place, direction: 'input', changes });
  return changes.every((change) => change.class === 'safe');
}

interface TypeChange {
  readonly before: Shape;
  readonly after: Shape;
  /** The kinds of value that only one of the two admits. */
  readonly lost: readonly SchemaBranch[];
  readonly gained: readonly SchemaBranch[];
}

function addTypeChange({ lost, gained, ...shapes }: TypeChange, place: ContractPlace): void {
  const before = toTypeText(shapes.before);
  const after = toTypeText(shapes.after);
  // Of a union of objects, which are told apart by a tag, the tag says more than the words for the whole.
  const isTagged = [...lost, ...gained].every(({ id }) => id.startsWith('object '));
  const ids = (verb: string, branches: readonly SchemaBranch[]): string[] =>
    branches.length === 0 ? [] : [`${verb} ${branches.map(({ id }) => id).join(', ')}`];
  const message =
    before === after || isTagged
      ? [...ids('lost', lost), ...ids('gained', gained)].join(' and ')
      : `changed from ${before} to ${after}`;
  const rule =
    place.direction === 'input'
      ? (`input-type-${lost.length > 0 ? 'narrowed' : 'widened'}` as const)
      : (`output-type-${gained.length > 0 ? 'widened' : 'narrowed'}` as const);
  addFound(rule, { message, before, after }, place);
}
