/**
 * Writes what each entry of the package makes public, `etc/capix*.api.md`; with `--check` compares. Reads `dist/`. A type that a signature
 * needs and that nobody can name is an error; an entry beside the main one may use what the main one names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = join(fileURLToPath(import.meta.url), '../..');
const isCheck = process.argv.includes('--check');

report('index.d.ts', 'capix.api.md', new Set());
const mainNames = new Set(
  [...readFileSync(join(root, 'etc/capix.api.md'), 'utf8').matchAll(/^export (?:declare )?(?:\w+ )?(\w+)/gm)].map(
    (match) => match[1],
  ),
);
report('mcp/index.d.ts', 'capix-mcp.api.md', mainNames);
report('client/index.d.ts', 'capix-client.api.md', mainNames);
report('cookies/index.d.ts', 'capix-cookies.api.md', mainNames);
report('observe/open-telemetry.d.ts', 'capix-opentelemetry.api.md', mainNames);
report('observe/prometheus.d.ts', 'capix-prometheus.api.md', mainNames);
report('queue/index.d.ts', 'capix-queue.api.md', mainNames);
report('stores/redis-store.d.ts', 'capix-redis.api.md', mainNames);
report('testing/index.d.ts', 'capix-testing.api.md', mainNames);

function report(entry, file, namedElsewhere) {
  const configPath = join(root, 'api-extractor.json');
  const configObject = ExtractorConfig.loadFile(configPath);
  configObject.mainEntryPointFilePath = join(root, 'dist/server-runtime', entry);
  configObject.apiReport.reportFileName = file;
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: configPath,
    packageJsonFullPath: join(root, 'package.json'),
  });
  const result = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      if (message.messageId === 'ae-forgotten-export' && namedElsewhere.has(nameIn(message.text)))
        message.logLevel = 'none';
      // What it says of itself at every run.
      if (message.messageId === 'console-preamble' || message.messageId === 'console-compiler-version-notice')
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
