import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { readTemplate } from '../files/read-template.ts';
import type { ModuleExtension } from '../load/module-extension.ts';
import type { Project } from '../manifest/project.ts';

interface CapabilityTextOptions {
  readonly project: Project;
  readonly identifier: string;
  /** Absolute path of the folder that the file will lie in. */
  readonly folder: string;
  readonly withInput: boolean;
  readonly extension: ModuleExtension;
}

/**
 * The text of a new capability, which compiles and answers as it is: with `withInput` what it was sent, `{id}`; else an
 * empty list or `{ok: true}`. It is declared with the project's own `cap` from `context.ts`, where there is one, else
 * with `capability`.
 */
export async function loadCapabilityText(options: CapabilityTextOptions): Promise<string> {
  const { identifier, withInput } = options;
  const { factory, factoryImport } = await findFactory(options);
  // A reserved word, or a name of an import, can be exported but not declared.
  const isDeclarable =
    !reservedWords.has(identifier) && identifier !== factory && identifier !== 'z';
  const declared = isDeclarable ? identifier : `${identifier}Capability`;
  const text = await readTemplate(`capability/${withInput ? 'with' : 'without'}-input.ts`, {
    factory,
    factoryImport,
    declaration: `${isDeclarable ? 'export ' : ''}const ${declared}`,
    value: /^(list|find|search|filter|all)(?![a-z])/.test(identifier) ? '[]' : '{ ok: true }',
  });
  return isDeclarable ? text : `${text}\nexport { ${declared} as ${identifier} };\n`;
}

async function findFactory({ project, folder, extension }: CapabilityTextOptions) {
  const place = dirname(project.entryFile);
  const text = await readFile(join(place, `context${extension.file}`), 'utf8').catch(() => '');
  const isExported =
    /\bexport\s+const\s+(?:cap\b|\{[^}]*\bcap\b)|\bexport\s*\{[^}]*\bcap\s*[,}]/.test(text);
  if (!isExported)
    return { factory: 'capability', factoryImport: "import { capability } from 'capix';" };
  const path = relative(folder, place).replaceAll('\\', '/');
  return {
    factory: 'cap',
    factoryImport: `import { cap } from '${path}/context${extension.imported}';`,
  };
}

const reservedWords: ReadonlySet<string> = new Set(
  `await break case catch class const continue debugger delete do else enum export extends false finally for function
  if implements import in instanceof interface let new null package private protected public return static super switch
  this throw true try typeof var void while with yield arguments eval undefined`.split(/\s+/),
);
