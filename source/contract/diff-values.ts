import { accepts } from '../shape/accepts.ts';
import { type ChangeClass, everybody } from './contract-change.ts';
import { type ContractPlace, toFieldName } from './contract-place.ts';
import type { BranchShape } from './schema-branches.ts';

/** The differences between the literals of two branches, or those of one and the other branch, which admits more than a few. */
export function diffValues(old: BranchShape, now: BranchShape, place: ContractPlace): void {
  const { at, direction, changes } = place;
  const olds = old.kind === 'literal' ? old.values : undefined;
  const news = now.kind === 'literal' ? now.values : undefined;
  const gone = olds?.filter((value) => !accepts(now, value)) ?? [];
  const come = news?.filter((value) => !accepts(old, value)) ?? [];
  const texts = {
    at,
    audience: everybody,
    before: olds && toList(olds, ' | '),
    after: news && toList(news, ' | '),
  } as const;
  const add = (message: string, [type, reason]: readonly [ChangeClass, string]): void => {
    changes.push({ ...texts, class: type, message: `\`${toFieldName(place)}\` ${message}`, reason });
  };
  const isInput = direction === 'input';
  const less = isInput
    ? (['breaking', 'other values are refused'] as const)
    : (['safe', 'readers know these values'] as const);
  const more = isInput
    ? (['safe', 'all old values are taken'] as const)
    : (['risky', 'readers may not know what to do with new values'] as const);
  if (gone.length > 0) add(`lost ${toList(gone, ', ')}`, less);
  if (come.length > 0) add(`gained ${toList(come, ', ')}`, more);
  if (olds === undefined) add(`takes only ${toList(news ?? [], ', ')} now`, less);
  if (news === undefined) add('takes any value now', more);
}

function toList(values: readonly unknown[], separator: string): string {
  return values.map((value) => JSON.stringify(value)).join(separator);
}
