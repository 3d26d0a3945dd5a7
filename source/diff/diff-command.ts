import { type Finding, toAnnotations } from '../cli/annotations.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import type { ContractChange } from '../contract/contract-change.ts';
import { toListed } from '../manifest/listed.ts';
import { toDiffMarkdown } from './diff-markdown.ts';
import { toCallers, toDiffText } from './diff-text.ts';
import { reachesClass, toSemver } from './diff-totals.ts';
import { type Compared, loadCompared } from './load-compared.ts';

export interface DiffOptions extends CommonValues {
  /** The class from which on the command fails. */
  readonly failOn?: 'breaking' | 'risky' | undefined;
  readonly markdown: boolean;
  readonly format?: 'github' | undefined;
  readonly semver: boolean;
}

/** `capix diff <before> [after]`: the differences are data and go to stdout, also where they make it fail. */
export default async function diffCommand({
  options,
  args: [before, after],
  terminal,
}: PlainProps<DiffOptions, readonly [before: string, after?: string | undefined]>): Promise<number> {
  const place = { workingDirectory: terminal.workingDirectory(), signal: terminal.interruptSignal() };
  const compared = await loadCompared({ ...options, ...place, before, after, onOutput: terminal.writeError });
  terminal.writeOut(toOutput(compared, options));
  return reachesClass(compared.diff, options.failOn) ? exitCodes.failed : exitCodes.done;
}

function toOutput(compared: Compared, { json, markdown, format, semver }: DiffOptions): string {
  const { diff, ignored } = compared;
  if (json) return toJsonOutput({ ...diff, ignored, semver: toSemver(diff) });
  if (semver) return `${toSemver(diff)}\n`;
  if (markdown) return toDiffMarkdown(compared);
  return format === 'github' ? toDiffAnnotations(compared) : toDiffText(diff, ignored);
}

/** A difference as annotations that GitHub shows beside the code. */
function toDiffAnnotations({ diff: { added, removed, changed, server }, sides: [, after] }: Compared): string {
  const { config } = after.manifest.project;
  const sources = new Map(toListed(after.manifest).map(({ key, facts }) => [key, facts.source]));
  const toFinding = (name: string, change: ContractChange): Finding => {
    const place = sources.get(name) ?? { file: config };
    return { rule: change.rule, level: levels[change.class], name, message: toMessage(name, change), ...place };
  };
  const all = [...removed, ...changed, { key: 'server', changes: server }, ...added];
  return toAnnotations(all.flatMap(({ key, changes }) => changes.map((change) => toFinding(key, change))));
}

const levels = { breaking: 'error', risky: 'warning', safe: 'note' } as const;

function toMessage(name: string, { class: changeClass, message, reason, audience }: ContractChange): string {
  return `${changeClass}: ${name}: ${message}: ${reason} (${toCallers(audience)})`;
}
