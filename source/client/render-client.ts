import { readTemplate } from '../files/read-template.ts';
import type { ApiDescription } from '../manifest/describe-api.ts';
import { escapeJson } from '../terminal/control/escape-json.ts';
import { toTypeImports } from './find-types-module.ts';
import { type ClientTypes, generateClient } from './generate-client.ts';
import { indent } from './to-type-script.ts';

/** The typed client of an API as the text of its file: the core, and of the parts those that the API needs. */
export async function renderClient(api: ApiDescription, options: ClientTypes = {}): Promise<string> {
  const { types, operations, methods, data, meta, isData, parts } = generateClient(api, options);
  const texts = await Promise.all(parts.map((part) => readTemplate(`client/parts/${part}.ts`, {})));
  const imports = toTypeImports(options.typesModule);
  const values = {
    types,
    operations,
    data,
    meta,
    isData,
    methods: indent(methods, '    '),
    parts: texts.join('\n'),
    imports,
  };
  return escapeJson(`${(await readTemplate('client/client.ts', values)).trimEnd()}\n`);
}
