import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { importSource } from '../../scripts/import-source.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { editKinds, isEditable, judgeDocument, judgeEdit } = await importSource(
  "export * from './judge.ts'",
  here,
);

/** Reads a document and judges it, or the edits of it that are asked for. */
async function judge({ file, seed, kinds }) {
  const document = JSON.parse(await readFile(file, 'utf8'));
  if (kinds === undefined) return { faults: judgeDocument(document, seed) };
  if (!isEditable(document)) return { verdicts: [] };
  const verdicts = kinds.flatMap((kind) => judgeEdit(document, kind, seed + kind) ?? []);
  return { verdicts };
}

parentPort.on('message', (job) => {
  judge(job).then(
    (answer) => parentPort.postMessage(answer),
    (error) => parentPort.postMessage({ error: String(error.stack ?? error) }),
  );
});
parentPort.postMessage({
  kinds: editKinds.map(({ name, effect, reason }) => ({ name, effect, reason })),
});
