import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import { templatesFolder } from '../../files/read-template.ts';
import type { ManifestCapability } from '../manifest.ts';
import type { Problem } from '../problem.ts';
import { toMistake } from './to-mistake.ts';

/** The capabilities whose files are as `capix generate` wrote them. Reads only the files of those whose handlers look like it. */
export async function findFreshStubs(
  capabilities: readonly ManifestCapability[],
  operations: readonly Operation[],
  root: string,
): Promise<readonly Problem[]> {
  const suspects = capabilities.filter(
    ({ source }, index) => source !== undefined && isBare(String(operations[index]?.definition.handler)),
  );
  if (suspects.length === 0) return [];
  const stubs = await Promise.all(['with-input.ts', 'without-input.ts'].map(loadStub));
  const found = await Promise.all(
    suspects.map(async (capability) => {
      const text = await readFile(resolve(root, capability.source?.file ?? ''), 'utf8').catch(() => '');
      return stubs.some((stub) => stub.test(toPlainText(text))) ? [toFreshStub(capability)] : [];
    }),
  );
  return found.flat();
}

function toFreshStub(capability: ManifestCapability): Problem {
  const message = `\`${capability.key}\` is as \`capix generate\` wrote it: it does nothing yet.`;
  return toMistake('fresh-stub', capability, { message, hint: 'Write its handler, or remove the capability.' });
}

/** The handler of the templates, as a bundler writes it. */
function isBare(handler: string): boolean {
  return /^\(\{id\}\)=>\{return\{id\}\}$|^\(\)=>\{return(\[\]|\{ok:true\})\}$/.test(toPlainText(handler));
}

/** A template as an expression that its texts match, whatever is put in. */
async function loadStub(name: string): Promise<RegExp> {
  const text = await readFile(join(templatesFolder(), 'capability', name), 'utf8');
  const parts = text
    .split(/\{\{\w+\}\}/)
    .map((part) => toPlainText(part).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^=(]*?')}(export\\{\\w+as\\w+\\})?$`);
}

/** Without what formatters change: spaces, semicolons, commas at ends, kinds of quotes. */
function toPlainText(text: string): string {
  return text
    .replaceAll(/[\s;]+/g, '')
    .replaceAll(/,(?=[)\]}])/g, '')
    .replaceAll('"', "'");
}
