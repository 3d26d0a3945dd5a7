import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { outputs, server, takeReceived, toDocument } from './app.mjs';
import { operations } from './cases.mjs';
import { install, installNode, readEngines } from './install.mjs';
import { programs } from './programs.mjs';
import { runProgram } from './run-program.mjs';
import { toRow } from './table.mjs';

const nodeVersion = '24.21.0';

/** Runs the wanted programs of the table one after the other against a running server, and gives their rows. */
export async function runKinds(cache, isWanted) {
  const node = await installNode(join(cache, 'node'), nodeVersion);
  const [{ url }] = await server.start();
  const control = createServer((_request, response) =>
    response.end(JSON.stringify(takeReceived())),
  );
  control.listen(0, '127.0.0.1');
  await once(control, 'listening');
  const running = { url, control: `http://127.0.0.1:${control.address().port}` };
  const rows = [];
  try {
    for (const program of programs.filter(({ name }) => isWanted(name))) {
      const row = await runOne(program, { cache, node, server: running });
      process.stdout.write(
        `${row.title.padEnd(52)} ${row.verdicts.map(({ outcome }) => outcome).join(' ')}\n`,
      );
      rows.push(row);
    }
  } finally {
    control.close();
    await server.stop({ graceMs: 0 });
  }
  return { rows, node: nodeVersion };
}

async function runOne(program, { cache, node, server: running }) {
  const folder = join(cache, 'programs', program.name);
  await install(folder, { ...program.packages, ...program.besides });
  const [name] = Object.keys(program.packages);
  const { engines } = await readEngines(folder, name);
  const task = { folder, node, server: running };
  const records = await runOnDocument(program, task, operations);
  const facts = { version: Object.values(program.packages).join(', '), engines };
  return toRow(program, records, facts);
}

/** All operations at once; where the program stumbles over the document of all, each with a document of its own. */
async function runOnDocument(program, task, wanted) {
  const only = wanted.length === 1 ? wanted[0] : undefined;
  const document = toDocument(task.server.url, only);
  const records = await runProgram(program, { ...task, operations: wanted, document });
  const [{ fatal }] = records.filter((record) => record.fatal !== undefined).concat([{}]);
  if (fatal === undefined) return records.map(addObjection);
  if (only !== undefined) return [{ operation: only, error: fatal, arrivals: [], isValid: true }];
  const apart = [];
  for (const operation of wanted) apart.push(...(await runOnDocument(program, task, [operation])));
  return apart;
}

/** What the output schema of the operation says of an answer, for those that make one up. */
function addObjection(record) {
  if (record.answered === undefined) return record;
  const { error } = outputs[record.operation].safeParse(record.answered);
  if (error === undefined) return record;
  const [{ path, message }] = error.issues;
  return { ...record, objection: `${path.join('.')} ${message}`.trim() };
}
