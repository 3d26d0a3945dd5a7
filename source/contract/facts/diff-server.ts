import type { BodyLimits } from '../../document/facts.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';

/** Compares what the server takes of everybody; nothing where one of the two does not say. */
export function diffServer(before: BodyLimits | undefined, after: BodyLimits | undefined): readonly ContractChange[] {
  if (before === undefined || after === undefined) return [];
  return [
    ...diffSizes({ maxBodySize: before.maxBodySize }, { maxBodySize: after.maxBodySize }),
    ...diffForms(before, after),
  ];
}

function diffForms({ forms: old }: BodyLimits, { forms: now }: BodyLimits): readonly ContractChange[] {
  const texts = { at: 'server.multipart', before: old ? 'taken' : 'refused', after: now ? 'taken' : 'refused' };
  if (old === undefined)
    return now === undefined ? [] : [toChange('forms-taken', { ...texts, message: 'forms are taken' })];
  if (now === undefined) return [toChange('forms-refused', { ...texts, message: 'forms are refused' })];
  return diffSizes(old, now);
}

function diffSizes<Name extends string>(
  old: Readonly<Record<Name, number>>,
  now: Readonly<Record<Name, number>>,
): readonly ContractChange[] {
  return (Object.keys(old) as Name[]).flatMap((name) => {
    const [before, after] = [`${old[name]}`, `${now[name]}`];
    if (before === after) return [];
    const rule = now[name] < old[name] ? 'body-limit-lower' : 'body-limit-higher';
    return [
      toChange(rule, { at: `server.${name}`, message: `\`${name}\` is ${after}, it was ${before}`, before, after }),
    ];
  });
}
