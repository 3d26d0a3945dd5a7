import type { ManifestCapability } from '../../manifest/manifest.ts';
import type { ContractChange } from '../contract-change.ts';
import { toChange } from '../rules/to-change.ts';

/** Compares how agents see a capability. */
export function diffTool(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const old = toToolName(before);
  const now = toToolName(after);
  const texts = { at: 'tool', before: old ?? 'hidden', after: now ?? 'hidden' } as const;
  if (old === now) return now === undefined ? [] : diffHints(before, after);
  if (old === undefined) return [toChange('tool-added', { ...texts, message: 'agents see it now' })];
  if (now === undefined) return [toChange('tool-removed', { ...texts, message: 'agents do not see it any more' })];
  return [toChange('tool-renamed', { ...texts, message: `tool \`${old}\` is called \`${now}\` now` })];
}

/** The name that agents call it by; undefined where it is hidden from them. */
function toToolName({ tool, key }: ManifestCapability): string | undefined {
  return tool === false ? undefined : (tool?.name ?? key.replaceAll('.', '_'));
}

/** Hints that follow from the intent are told with the intent. */
function diffHints(before: ManifestCapability, after: ManifestCapability): readonly ContractChange[] {
  const [old, now] = [before.tool || {}, after.tool || {}];
  const hints = (['readOnly', 'destructive', 'idempotent', 'openWorld'] as const).filter(
    (hint) => old[hint] !== now[hint],
  );
  return hints.map((hint) =>
    toChange('tool-hint-changed', {
      at: 'tool',
      message: `\`${hint}\` of the tool is ${now[hint] ?? 'unsaid'} now, it was ${old[hint] ?? 'unsaid'}`,
      before: `${old[hint] ?? 'unsaid'}`,
      after: `${now[hint] ?? 'unsaid'}`,
    }),
  );
}
