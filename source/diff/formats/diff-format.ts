import type { CapabilityChange, ContractChange } from '../../contract/contract-change.ts';
import { contractRules } from '../../contract/rules/contract-rules.ts';
import { toAnnotations } from '../../findings/annotations.ts';
import type { Finding } from '../../findings/finding.ts';
import { toJunit } from '../../findings/junit.ts';
import { toSarif } from '../../findings/sarif.ts';
import type { Compared } from '../compare/compared.ts';
import { audienceNames } from '../diff-text.ts';

export interface DiffFormatOptions {
  readonly format: 'github' | 'sarif' | 'junit';
  /** The class from which on a change is a failure. @default breaking */
  readonly failOn?: 'breaking' | 'risky' | undefined;
}

/** A difference as a build machine reads it. */
export function toDiffFormat(compared: Compared, { format, failOn = 'breaking' }: DiffFormatOptions): string {
  const findings = toFindings(compared);
  switch (format) {
    case 'github':
      return toAnnotations(findings);
    case 'sarif':
      return toSarif(findings, new Map(Object.entries(contractRules).map(([id, { when }]) => [id, when])));
    case 'junit':
      return toJunit(findings, {
        suite: 'capix diff',
        names: compared.after.manifest.capabilities.map(({ key }) => key),
        isFailure: ({ level }) => level === 'error' || (failOn === 'risky' && level === 'warning'),
      });
  }
}

const levels = { breaking: 'error', risky: 'warning', safe: 'note' } as const;

function toFindings({ diff: { added, removed, changed, server }, after }: Compared): readonly Finding[] {
  const { config } = after.manifest.project;
  const sources = new Map(after.manifest.capabilities.map(({ key, source }) => [key, source]));
  const toFinding = (name: string, change: ContractChange): Finding => {
    const place = sources.get(name) ?? { file: config };
    return { rule: change.rule, level: levels[change.class], name, message: toMessage(name, change), ...place };
  };
  const ofCapability = ({ key, changes }: CapabilityChange): readonly Finding[] =>
    changes.map((change) => toFinding(key, change));
  return [
    ...[...removed, ...changed].flatMap(ofCapability),
    ...server.map((change) => toFinding('server', change)),
    ...added.map(({ key, route }): Finding => {
      const message = `\`${key}\` was added: ${route}`;
      return { rule: 'capability-added', level: 'note', name: key, message, ...(sources.get(key) ?? { file: config }) };
    }),
  ];
}

function toMessage(name: string, { class: changeClass, message, reason, audience }: ContractChange): string {
  const callers = audience.map((who) => audienceNames[who]).join(', ');
  return `${changeClass}: ${name}: ${message}: ${reason} (${callers})`;
}
