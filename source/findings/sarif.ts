import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageInfo } from '../package-info.ts';
import type { Finding } from './finding.ts';

/** The clause that says what a rule finds, by its id. */
export type RuleTexts = ReadonlyMap<string, string>;

/** Findings as a SARIF 2.1.0 log, with a line feed at its end. */
export function toSarif(findings: readonly Finding[], texts: RuleTexts): string {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: packageInfo.name,
            semanticVersion: packageInfo.version,
            rules: rules.map((id) => ({ id, shortDescription: { text: toSentence(texts.get(id) ?? id) } })),
          },
        },
        results: findings.map((finding) => toResult(finding, rules)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function toResult({ rule, level, name, message, file, line = 1, column }: Finding, rules: readonly string[]) {
  const location = {
    logicalLocations: [{ fullyQualifiedName: name, kind: 'function' }],
    ...(file === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: toUri(file) },
            region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) },
          },
        }),
  };
  return { ruleId: rule, ruleIndex: rules.indexOf(rule), level, message: { text: message }, locations: [location] };
}

/** Relative to the project, or that of a file outside it. */
function toUri(file: string): string {
  return isAbsolute(file) ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/');
}

function toSentence(text: string): string {
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`;
}
