import { toAnnotations } from '../cli/annotations.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { type ChangeGroup, groupChanges } from '../contract/summary/group-changes.ts';
import type { DiffValues } from '../flags/diff-flags.ts';
import { toOneLine } from '../kit/line.ts';
import { findSource } from '../manifest/manifest.ts';
import { toCallers, toDiffMarkdown, toDiffText } from './diff-text.ts';
import { failsFor, isShared, toReachedText, toSemver } from './diff-totals.ts';
import { type Compared, loadCompared, type UnreadPart } from './load-compared.ts';

/** `capix diff <before> [after]`: the differences are data and go to stdout, also where they make it fail. */
export default async function diffCommand({
  options,
  args,
  terminal,
}: PlainProps<DiffValues, readonly [before: string, after?: string | undefined]>): Promise<number> {
  const before = args[0];
  const after = args[1];
  const place = {
    workingDirectory: terminal.workingDirectory(),
    signal: terminal.interruptSignal(),
  };
  const compared = await loadCompared({
    ...options,
    ...place,
    before,
    after,
    runsCode: options.run,
    givesEnv: options.env,
    onOutput: terminal.writeError,
  });
  for (const note of [...compared.notes, ...toUnreadTexts(compared.unread)])
    terminal.writeError(`${toOneLine(`note: ${note}`)}\n`);
  terminal.writeOut(toOutput(compared, options));
  return failsFor(compared.diff, options.failOn, compared.unread.length)
    ? exitCodes.failed
    : exitCodes.done;
}

/** The most parts that have a line each. */
const MAX_TEXTS = 20;

/** ``"new.json: `callbacks` at /paths/~1a/post, 3 times, is not compared: …"``, the first ones of many. */
function toUnreadTexts(unread: readonly UnreadPart[]): readonly string[] {
  const texts = unread.slice(0, MAX_TEXTS).map(({ side, place, keyword, count, reason }) => {
    const others = count === 1 ? '' : ` and ${count - 1} more`;
    return `not compared in ${side}: \`${keyword}\` at ${place || '/'}${others} (${reason})`;
  });
  const rest = unread.length - texts.length;
  return rest > 0 ? [...texts, `not compared: ${rest} more, which --json lists`] : texts;
}

function toOutput(compared: Compared, { json, markdown, format, semver }: DiffValues): string {
  const { diff, ignored, unread } = compared;
  if (json)
    return toJsonOutput({
      ...diff,
      entries: groupChanges(diff).map(toEntry),
      ignored,
      unread,
      semver: toSemver(diff),
    });
  if (semver) return `${toSemver(diff)}\n`;
  if (markdown) return toDiffMarkdown(compared);
  return format === 'github' ? toDiffAnnotations(compared) : toDiffText(compared);
}

/** A change and all that it reaches, for scripts. */
function toEntry({ change, message, places }: ChangeGroup) {
  const { component, at: _at, ...rest } = change;
  return { ...rest, message, component: component?.name, places };
}

/** A difference as annotations that GitHub shows beside the code. */
function toDiffAnnotations({ diff, sides }: Compared): string {
  const { manifest } = sides[1];
  const levels = { breaking: 'error', risky: 'warning', safe: 'note' } as const;
  const findings = groupChanges(diff).map((group) => {
    const { rule, class: type, reason, audience } = group.change;
    const { key = 'server' } = group.places[0] ?? {};
    const place = findSource(manifest, key) ?? { file: manifest.project.config };
    const names = isShared(group) ? toReachedText(group) : key;
    const text = `${type}: ${names}: ${group.message}: ${reason} (${toCallers(audience)})`;
    return { rule, level: levels[type], name: key, message: text, ...place };
  });
  return toAnnotations(findings, manifest.project.root);
}
