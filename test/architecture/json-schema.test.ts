import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../helpers/run-capix.ts';

const files = readdirSync(join(packageRoot, 'source'), { recursive: true, encoding: 'utf8' })
  .map((path) => `source/${path.replaceAll('\\', '/')}`)
  .filter((path) => /\.tsx?$/.test(path));

it('only the reader of the model knows the keywords of JSON Schema', () => {
  // The modules of a project have properties of another kind: those of its syntax.
  const others = files.filter((file) => !/^source\/(document|load\/modules)\//.test(file));
  const keywords =
    /\.(?:properties|patternProperties|additionalProperties|propertyNames|anyOf|oneOf|allOf|prefixItems|\$defs)\b/;
  expect(others.length).toBeGreaterThan(250);
  expect(others.filter((file) => keywords.test(read(file)))).toEqual([]);
});

function read(file: string): string {
  return readFileSync(join(packageRoot, file), 'utf8');
}
