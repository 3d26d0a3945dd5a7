import { type Finding, toAnnotations } from '../cli/annotations.ts';
import type { ContractChange } from '../contract/contract-change.ts';
import { audienceNames } from './diff-text.ts';
import type { Compared } from './load-compared.ts';

/** A difference as annotations that GitHub shows beside the code. */
export function toDiffAnnotations({ diff: { added, removed, changed, server }, sides: [, after] }: Compared): string {
  const { config } = after.manifest.project;
  const sources = new Map(after.manifest.capabilities.map(({ key, source }) => [key, source]));
  const toFinding = (name: string, change: ContractChange): Finding => {
    const place = sources.get(name) ?? { file: config };
    return { rule: change.rule, level: levels[change.class], name, message: toMessage(name, change), ...place };
  };
  return toAnnotations([
    ...[...removed, ...changed].flatMap(({ key, changes }) => changes.map((change) => toFinding(key, change))),
    ...server.map((change) => toFinding('server', change)),
    ...added.flatMap(({ key, changes }) => changes.map((change) => toFinding(key, change))),
  ]);
}

const levels = { breaking: 'error', risky: 'warning', safe: 'note' } as const;

function toMessage(name: string, { class: changeClass, message, reason, audience }: ContractChange): string {
  const callers = audience.map((who) => audienceNames[who]).join(', ');
  return `${changeClass}: ${name}: ${message}: ${reason} (${callers})`;
}
