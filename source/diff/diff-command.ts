import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { exitCodes } from '../cli/errors/exit-codes.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { toDiffAnnotations } from './diff-annotations.ts';
import { toDiffMarkdown } from './diff-markdown.ts';
import { toDiffText } from './diff-text.ts';
import { type Compared, loadCompared } from './load-compared.ts';
import { reachesClass } from './reaches-class.ts';
import { toSemver } from './to-semver.ts';

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
