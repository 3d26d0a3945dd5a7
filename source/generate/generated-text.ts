import type { FileChange } from './plan/file-change.ts';
import type { Generated } from './plan/generated.ts';

/** Says what was written, a line a file, and what it is called and answers to. A dry run says what would be. */
export function toGeneratedText({ key, changes, route }: Generated, { dryRun }: { readonly dryRun: boolean }): string {
  const lines = changes.map((change) => `${verbOf(change, dryRun)} ${change.path}${toAddition(change)}`);
  return `${[...lines, '', route ? `${key}  ${route.method} ${route.path}` : key].join('\n')}\n`;
}

function verbOf({ kind }: FileChange, dryRun: boolean): string {
  switch (kind) {
    case 'created':
      return dryRun ? 'Would create' : 'Created';
    case 'changed':
      return dryRun ? 'Would change' : 'Changed';
  }
}

function toAddition({ kind, line }: FileChange): string {
  return kind === 'changed' && line !== undefined ? `: + ${line}` : '';
}
