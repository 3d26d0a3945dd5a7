/**
 * Writes `docs/cli-errors.md` from the catalogue of the tool's errors (`source/cli/cli-errors.ts`). `--check` only compares.
 */
import { join } from 'node:path';
import { importSource } from './import-source.mjs';
import { root, writePage } from './write-page.mjs';

const { cliErrors } = await importSource(join(root, 'source', 'cli', 'cli-errors.ts'));

writePage('cli-errors.md', [toTable(Object.entries(cliErrors))]);

function toTable(errors) {
  const rows = errors.map(([code, { when, message, hint = '', exitCode = 1 }]) =>
    [`\`${code}\``, exitCode, toProse(when), toProse(message), toProse(hint)].join(' | '),
  );
  return [
    '| Code | Exit code | When | Message | What to do |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** Outside of code, what is in angle brackets would be read as HTML. */
function toProse(text) {
  return text.replaceAll(/(`[^`]*`)|</g, (_match, code) => code ?? '&lt;').replaceAll('|', String.raw`\|`);
}
