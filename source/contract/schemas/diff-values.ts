import { accepts } from '../../shape/accepts.ts';
import { addFound, type ContractPlace } from './contract-place.ts';
import type { BranchShape } from './schema-branches.ts';

/** The differences between the literals of two branches, or those of one and the other branch, which admits more than a few. */
export function diffValues(old: BranchShape, now: BranchShape, place: ContractPlace): void {
  const olds = old.kind === 'literal' ? old.values : undefined;
  const news = now.kind === 'literal' ? now.values : undefined;
  const gone = olds?.filter((value) => !accepts(now, value)) ?? [];
  const come = news?.filter((value) => !accepts(old, value)) ?? [];
  const texts = { before: olds && toText(olds, ' | '), after: news && toText(news, ' | ') };
  const add = (effect: 'lost' | 'gained', message: string): void =>
    addFound(`${place.direction}-values-${effect}`, { message, ...texts }, place);
  if (gone.length > 0) add('lost', `lost ${toText(gone, ', ')}`);
  if (come.length > 0) add('gained', `gained ${toText(come, ', ')}`);
  if (olds === undefined) add('lost', `takes only ${toText(news ?? [], ', ')} now`);
  if (news === undefined) add('gained', 'takes any value now');
}

function toText(values: readonly unknown[], separator: string): string {
  return values.map((value) => JSON.stringify(value)).join(separator);
}
