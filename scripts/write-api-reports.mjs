/**
 * Writes what each entry of the package makes public, `etc/capix*.api.md`; with `--check` compares. Reads `dist/`. A
 * type that a signature needs and that nobody can name is an error; an entry may use what the main one names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { root } from './import-source.mjs';

const isCheck = process.argv.includes('--check');

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.entries(exports).filter(([, { types }]) => types !== undefined);

report(exports['.'].types, 'capix.api.md', []);
const main = readFileSync(join(root, 'etc/capix.api.md'), 'utf8');
const mainNames = [...main.matchAll(/^export (?:declare )?(?:\w+ )?(\w+)/gm)].map(
  (match) => match[1],
);
for (const [entry, { types }] of entries.filter(([entry]) => entry !== '.'))
  report(types, `capix-${entry.slice('./'.length)}.api.md`, mainNames);

function report(entry, file, namedElsewhere) {
  const configPath = join(root, 'api-extractor.json');
  const configObject = ExtractorConfig.loadFile(configPath);
  configObject.mainEntryPointFilePath = join(root, entry);
  configObject.apiReport.reportFileName = file;
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: configPath,
    packageJsonFullPath: join(root, 'package.json'),
  });
  const result = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      if (
        message.messageId === 'ae-forgotten-export' &&
        namedElsewhere.includes(nameIn(message.text))
      )
        message.logLevel = 'none';
      // What it says of itself at every run.
      if (
        message.messageId === 'console-preamble' ||
        message.messageId === 'console-compiler-version-notice'
      )
        message.logLevel = 'none';
    },
  });
  if (!result.succeeded) process.exitCode = 1;
  if (isCheck && result.apiReportChanged) {
    process.stderr.write(
      `etc/${file} is not what the package makes public. Write it by \`npm run api\`, and look at what changed.\n`,
    );
    process.exitCode = 1;
  }
}

/** `The symbol "Server" needs to be exported by the entry point index.d.ts` */
function nameIn(text) {
  return /The symbol "(\w+)"/.exec(text)?.[1];
}
