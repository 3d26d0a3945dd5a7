import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

/** The files that may name a keyword of JSON Schema, and what for. All others read branches. */
const readers: Readonly<Record<string, string>> = {
  'source/document/read-branches.ts': 'reads all that a schema says',
  'source/document/typed-branch.ts': 'reads what a schema says of a type',
  'source/document/merge-branches.ts': 'writes the intersection of two schemas',
  'source/document/branch.ts': 'writes the schemas of parameters and of renamed fields',
  'source/document/operations/to-parameters.ts': 'writes the schema of a whole request',
  'source/document/operations/to-response.ts': 'writes the files of a form',
  'source/document/to-published.ts': 'knows which objects have names as keys',
  'source/contract/schemas/compare-objects.ts': 'knows where no value fits a field',
  'source/contract/compare-contents.ts': 'writes a file in the words of OpenAPI 3.0',
  'source/contract/schemas/same-parts.ts': 'knows which objects have names as keys',
  'source/contract/schemas/compare-restrictions.ts': 'compares what branches have no word for',
  'source/openapi/document-tree.ts': 'knows the places of a document where schemas stand',
  'source/check/rules/find-schema-mistakes.ts': 'looks for marks in what zod writes',
  'source/check/rules/find-component-mistakes.ts': 'looks for repeated texts in what zod writes',
};

const files = readdirSync(join(packageRoot, 'source'), { recursive: true, encoding: 'utf8' })
  .map((path) => `source/${path.replaceAll('\\', '/')}`)
  // The modules of a project have properties of another kind: those of its syntax.
  .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('source/load/modules/'));

const keywords =
  /(?<![\w$])(?:allOf|anyOf|oneOf|patternProperties|additionalProperties|unevaluatedProperties|propertyNames|prefixItems|dependentSchemas|nullable|exclusiveMinimum|contentMediaType|\$defs)(?![\w$])|\.properties\b|\['properties'\]|'properties' in|(?:(?<!\$)\{|,)\s*properties\b/;

it('only the reader of the model knows the keywords of JSON Schema', () => {
  expect(files.length).toBeGreaterThan(290);
  expect(files.filter((file) => keywords.test(readCode(file))).sort()).toEqual(
    Object.keys(readers).sort(),
  );
});

/** The code of a file without its comments. */
function readCode(file: string): string {
  return readFileSync(join(packageRoot, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
}
